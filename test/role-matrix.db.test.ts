import assert from 'node:assert';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, operatorRoles } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/index.ts';
import { operatorOpen } from '#contract/operator/members.ts';
import { supportAccessReaders, supportAccessReadings } from '#contract/operator/support-access.ts';
import { findCaller, openMember, registerOperator, signInOperator } from '#server/accounts/index.ts';
import { createApp } from '#server/app.ts';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { askOf, patient } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';
import { makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';

/**
 * Every call of the product, by every kind of caller: a call added to the endpoint table needs no line here.
 * The body is not JSON, so that permitted callers are refused for that, and others before it is read.
 */
const callers = ['nobody', 'expired', 'member', 'opened', 'adopted', ...operatorRoles, 'unready'] as const;
type CallerName = (typeof callers)[number];

const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const fastify = closeAfterAll((await createApp(context, patient)).fastify);
await fastify.ready();
const ask = askOf(fastify);
const tokens = new Map<CallerName, string>();

beforeAll(async () => {
  tokens.set('expired', 'a'.repeat(43));
  tokens.set('member', (await signUp(context)).token);
  for (const role of operatorRoles) tokens.set(role, (await makeOperator(context, role)).token);
  tokens.set('opened', await openAccount(context, tokens.get('support') as string));
  tokens.set('adopted', await adoptedToken(context));
  tokens.set('unready', await makeUnready(context));
});

const from = { userAgent: 'test', address: '127.0.0.1' };

/** An operator’s impersonation of another member. */
async function openAccount(context: Context, operatorToken: string, email = 'looked.at@example.com'): Promise<string> {
  const { memberId } = await signUp(context, { email });
  const caller = await findCaller(context, operatorToken);
  assert(caller?.kind === 'operator');
  return (await openMember(context, caller, { memberId, reason: 'a question', ...from })).accessToken;
}

/** A member’s sign-in whose token a browser adopted from a URL. */
async function adoptedToken(context: Context): Promise<string> {
  const { token } = await signUp(context, { email: 'adopted@example.com' });
  await ask('POST', 'auth/adopt', { token });
  return token;
}

/** An admin without a second factor. */
async function makeUnready(context: Context): Promise<string> {
  const account = { email: 'unready@mail.test', password: OPERATOR_PASSWORD };
  await registerOperator(context, { ...account, name: 'Una', role: 'admin' });
  const signedIn = await signInOperator(context, { ...account, ...from });
  assert('accessToken' in signedIn);
  return signedIn.accessToken;
}

/** Codes that refuse a call for its caller, whatever is in it. */
const barriers = ['session_required', 'not_allowed', 'second_factor_missing', 'read_only', 'confirm_identity'];

/** Undefined: this caller is permitted. */
function barrierOf(row: Endpoint, caller: CallerName): string | undefined {
  if (row.access === 'public') return undefined;
  if (caller === 'nobody' || caller === 'expired') return 'session_required';
  if (row.access === 'member') return memberBarrier(row, caller);
  if (caller === 'member' || caller === 'opened' || caller === 'adopted') return 'not_allowed';
  if (caller !== 'unready') return row.access.includes(caller) ? undefined : 'not_allowed';
  if (!row.access.includes('admin')) return 'not_allowed';
  return row.beforeSecondFactor ? undefined : 'second_factor_missing';
}

function memberBarrier(row: Endpoint, caller: CallerName): string | undefined {
  if (caller === 'member') return undefined;
  if (caller === 'adopted') return row.confirmsIdentity ? 'confirm_identity' : undefined;
  if (caller !== 'opened') return 'not_allowed';
  return row.opened === 'allowed' || supportAccessReaders(row) !== undefined ? undefined : 'read_only';
}

async function send(row: Endpoint, caller: CallerName) {
  const takesBody = row.method === 'POST' || row.method === 'PUT';
  // An unknown id, so that a permitted call finds nothing to do.
  const path = row.path.slice(1).replaceAll(/:\w+/g, '999999999999999');
  const { status, body } = await ask(row.method, path, {
    token: tokens.get(caller),
    body: takesBody ? '{"broken' : undefined,
  });
  return { status, code: body?.code as string | undefined };
}

describe('who may make the call', () => {
  test.each(allEndpoints.map(({ name, row }) => [`${row.method} ${row.path}`, name, row] as const))(
    '%s',
    async (_call, _name, row) => {
      for (const caller of callers) {
        const { status, code } = await send(row, caller);
        const barrier = barriers.includes(code ?? '') ? code : undefined;
        expect({ caller, barrier }).toEqual({ caller, barrier: barrierOf(row, caller) });
        expect(status, `${caller}: ${status} ${code}`).toBeLessThan(500);
        if (barrier !== undefined) expect(status).toBe(barrier === 'session_required' ? 401 : 403);
      }
    },
  );
});

describe('support access of an operator in each role, regardless of the role when it was opened', () => {
  const readings = allEndpoints.filter(({ row }) => row.access === 'member' && row.method === 'GET');

  test('the table names every read of members, and nothing else', () => {
    expect(Object.keys(supportAccessReadings).sort()).toEqual(readings.map(({ name }) => name).sort());
  });

  test.each(operatorRoles)('%s reads in an account what they read in the console, and nothing else', async (role) => {
    const { operatorId, token } = await makeOperator(context, 'support');
    tokens.set('opened', await openAccount(context, token, `${role}.looks@example.com`));
    await sql`update identity.operator set role = ${role} where id = ${operatorId}`.execute(context.db);
    const answered: string[] = [];
    const expected: string[] = [];
    for (const { name, row } of readings) {
      const { code } = await send(row, 'opened');
      if (code !== 'not_allowed' && code !== 'read_only') answered.push(name);
      const console = supportAccessReadings[name as keyof typeof supportAccessReadings];
      const access = (console ?? []).map((call) => allEndpoints.find(({ name }) => name === call)?.row.access ?? []);
      if (console !== null && access.every((roles) => roles.includes(role))) expected.push(name);
    }
    expect(answered).toEqual(expected);
    const tickets = ['support.getTicketThread', 'support.getAttachment', 'notify.listNotifications'];
    expect(tickets.filter((name) => answered.includes(name))).toEqual(role === 'finance' ? [] : tickets);
  });

  test('is limited to support and admin', () => {
    expect(operatorOpen.openMember.access).toEqual(['support', 'admin']);
  });
});

test('each caller is a different one', async () => {
  expect(new Set(tokens.values()).size).toBe(callers.length - 1);
});
