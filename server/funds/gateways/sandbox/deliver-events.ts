import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { retryAfterSeconds, writeEventBody } from '../../core/event-body.ts';
import { signatureHeader, signBody } from '../../deposits/webhook-signature.ts';
import { type EventRow, takeDueEvent, updateEvent } from './event-sql.ts';
import { getSandboxSecret } from './sandbox-secret.ts';

export type SignedEvent = { readonly rawBody: Buffer; readonly headers: Readonly<Record<string, string>> };

/** Hands one event to the webhook and gives the status of the answer, or null when none came. */
export type Deliver = (event: SignedEvent) => Promise<number | null>;

const ANSWER_WITHIN_MS = 10_000;
const LOST_AFTER_MS = 3 * ANSWER_WITHIN_MS;

/**
 * Sends every event that is due, oldest first, until none is; the events of one invoice only, when one is named.
 * Refused or unanswered ones come again after a while. Each is committed before it is sent and marked after it was
 * answered, so a crash in between sends it twice, never not at all.
 *
 * @returns how many were answered well
 */
export async function deliverEvents(context: Context, deliver: Deliver, invoiceId?: string): Promise<number> {
  const secret = await getSandboxSecret(context);
  let delivered = 0;
  for (;;) {
    const now = context.now();
    const event = await takeDueEvent(context.db, { invoiceId, now, lostAt: new Date(now.getTime() + LOST_AFTER_MS) });
    if (event === undefined) return delivered;
    const status = await deliver(sign(secret, event));
    const isGood = status !== null && status >= 200 && status < 300;
    if (isGood) delivered += 1;
    await updateEvent(context.db, {
      id: event.id,
      answerStatus: status,
      deliveredAt: isGood ? context.now() : null,
      nextAttemptAt: isGood ? null : nextAttempt(context.now(), event.attempts, status),
    });
  }
}

function nextAttempt(now: Date, attempts: number, status: number | null): Date | null {
  const seconds = retryAfterSeconds(attempts, status);
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
}

function sign(secret: string, event: EventRow): SignedEvent {
  const isFirst = event.attempts === 1;
  const text = writeEventBody({
    event: { type: event.type, fields: event.fields },
    invoiceId: event.invoice_id,
    orderId: event.order_id,
    occurredAt: event.occurred_at,
    deliveryId: isFirst ? event.original_delivery_id : randomBytes(16).toString('base64url'),
    originalDeliveryId: event.original_delivery_id,
  });
  const rawBody = Buffer.from(text, 'utf8');
  return {
    rawBody,
    headers: { 'content-type': 'application/json; charset=utf-8', [signatureHeader]: signBody(secret, rawBody) },
  };
}

/** Posts to a webhook's address, as a gateway elsewhere would. */
export function deliverOverHttp(webhookUrl: string): Deliver {
  return async ({ rawBody, headers }) => {
    const request = {
      method: 'POST',
      headers,
      body: new Uint8Array(rawBody),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    } as const;
    const answer = await fetch(webhookUrl, request).catch(() => null);
    await answer?.body?.cancel();
    return answer?.status ?? null;
  };
}
