import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import { type SandboxChoice, sandboxChoices } from '../../core/sandbox-invoice.ts';
import { type Deliver, deliverOverHttp } from './deliver-events.ts';
import { deliverInProcess, payInSandbox } from './pay-in-sandbox.ts';
import { payPagePath, payStylePath, renderPayPage, renderUnknownPage, showInvoice } from './pay-page.ts';
import { webhookUrl } from './send-due-deliveries.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 1024;
const style = readFileSync(join(import.meta.dirname, 'pay-page.css'), 'utf8');

/** Stricter than the app's policy: no scripts, one style sheet, forms to the same origin. */
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The sandbox gateway's payment page. It needs no sign-in: anyone with the URL may pay, as with a real gateway. Only
 * here are bodies form-encoded. Not mounted unless the sandbox is configured.
 */
export function mountPayPage(http: Http, context: Context, deliver: Deliver = deliverToSelf(http)): void {
  if (!context.config.payments.includes('sandbox')) return;
  http.fastify.register(async (scope) => {
    acceptOnlyForms(scope);
    scope.get<{ Params: { token: string } }>(
      `${payPagePath}/:token`,
      { schema: { hide: true } },
      async ({ params }, reply) => {
        const page = await orUnknown(showInvoice(context, params.token));
        if (page === undefined) return sendPage(reply, 404, renderUnknownPage(context.config.brandName));
        return sendPage(reply, 200, renderPayPage(context.config.brandName, page));
      },
    );
    scope.post<{ Params: { token: string }; Body: string | undefined }>(
      `${payPagePath}/:token`,
      { schema: { hide: true } },
      ({ params, body }, reply) => pay(context, deliver, params.token, new URLSearchParams(body), reply),
    );
    scope.get(payStylePath, { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(style),
    );
  });
}

function acceptOnlyForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
}

async function pay(
  context: Context,
  deliver: Deliver,
  token: string,
  form: URLSearchParams,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { brandName } = context.config;
  const page = await orUnknown(showInvoice(context, token));
  if (page === undefined) return sendPage(reply, 404, renderUnknownPage(brandName));
  const choice = readChoice(form.get('choice'));
  if (choice === undefined) return sendPage(reply, 422, renderPayPage(brandName, page, 'Press one of the buttons.'));
  const typed = form.get('amount');
  const amountMicros = typed === null ? undefined : readTypedAmount(typed);
  if (typed !== null && amountMicros === undefined)
    return sendPage(reply, 422, renderPayPage(brandName, page, 'Enter an amount in dollars and cents.'));
  try {
    const { returnPath } = await payInSandbox(context, { token }, choice, { amountMicros, deliver });
    return leave(reply, returnPath);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.field === 'amount') return sendPage(reply, 422, renderPayPage(brandName, page, amountWords(choice)));
    // The choice is no longer valid, for example after a double click: redirect to where the invoice now stands.
    return leave(reply, (await showInvoice(context, token)).leavePath);
  }
}

const amountWords = (choice: SandboxChoice) =>
  choice === 'less' ? 'Enter less than the amount due.' : 'Enter more than the amount due, up to $1,000,000.';

const readChoice = (text: string | null): SandboxChoice | undefined => sandboxChoices.find((choice) => choice === text);

const leave = (reply: FastifyReply, path: string) =>
  reply.code(303).header('location', path).header('cache-control', 'no-store').send();

function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .send(page);
}

async function orUnknown<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Refused && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Delivers to this server's own webhook, over HTTP if it listens. */
function deliverToSelf(http: Http): Deliver {
  return (event) => {
    const address = http.fastify.server.address();
    const isListening = address !== null && typeof address !== 'string';
    const deliver = isListening
      ? deliverOverHttp(webhookUrl(address.address, address.port))
      : deliverInProcess(http.context);
    return deliver(event);
  };
}

/**
 * Parses an amount typed into the payment page to micros: dollars with at most two decimals, commas allowed.
 * `readTypedAmount('1,250.5') === 1_250_500_000n`, `readTypedAmount('-1') === undefined`
 */
export function readTypedAmount(text: string): bigint | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''));
  if (match === null) return undefined;
  return BigInt(match[1] as string) * 1_000_000n + BigInt((match[2] ?? '').padEnd(2, '0')) * 10_000n;
}
