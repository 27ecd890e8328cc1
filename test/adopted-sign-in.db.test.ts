import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '#contract/index.ts';
import { findCaller, openMember } from '#server/accounts/index.ts';
import { createApp } from '#server/app.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { changedTables, fingerprint } from '#test/database/database-fingerprint.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { askOf, patient } from '#test/worlds/app.ts';
import { signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';

/** What a browser that adopted a token from a URL (docs/product.md, section 8) may do before and after confirmation. */
const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const fastify = closeAfterAll((await createApp(context, patient)).fastify);
await fastify.ready();

const askApp = askOf(fastify);
const ask = async (method: Parameters<typeof askApp>[0], path: string, token: string, body?: unknown) => {
  const { status, body: answer } = await askApp(method, path, { token, body });
  return { status, code: answer.code, data: answer.data };
};
const adopt = async (token: string) => (await ask('POST', 'auth/adopt', token)).data.confirmation as string;
const confirm = (token: string, confirmation: string) => ask('POST', 'auth/confirm-identity', token, { confirmation });
/** Whether the sign-in may bring no personal data into the account. */
const isRefused = async (token: string) => (await ask('POST', 'ticket/create', token, {})).code === 'confirm_identity';

const marked = allEndpoints.filter(({ row }) => row.confirmsIdentity);

describe('calls that bring personal data into the account, or change its owner', () => {
  let token: string;
  let confirmation: string;
  beforeAll(async () => {
    token = (await signUp(context)).token;
    confirmation = await adopt(token);
  });
  const codeOf = async ({ method, path }: (typeof marked)[number]['row']) =>
    (await ask(method, path.slice(1).replace(/:\w+/g, '1'), token, method === 'GET' ? undefined : {})).code;

  test('no other member call accepts personal data, codes or money from outside', () => {
    expect(marked.flatMap(({ name, row }) => (row.method === 'GET' ? [name] : []))).toEqual(['withdrawals.sendOtp']);
    const others = allEndpoints.filter(
      ({ row }) => row.access === 'member' && row.method !== 'GET' && !row.confirmsIdentity,
    );
    expect(new Set(others.map(({ name }) => name))).toEqual(
      new Set([
        'identity.adoptSignIn',
        'identity.confirmIdentity',
        'identity.logout',
        // Only ever restricts.
        'identity.setLimits',
        'account.endSession',
        'account.endOtherSessions',
        'account.withdrawEmailRequest',
        // Requests nothing: its response goes into one of the above.
        'passkeys.askPasskey',
        'notify.markNotificationsRead',
        'notify.setMailPreferences',
        'announcements.dismissAnnouncement',
        // Moves money that is already in the account, and keeps it there.
        'trading.placeTrade',
        'trading.cancelTrade',
        'trading.closeTrade',
        'trading.setTradeStops',
        'plans.createPlan',
        'plans.setPlanStops',
        'plans.pausePlan',
        'plans.resumePlan',
        'plans.redeemPlan',
        'backtest.runBacktest',
        'income.claimReward',
        'withdrawals.cancelWithdrawal',
        'support.markTicketRead',
        'support.closeTicket',
      ]),
    );
  });

  test('are refused before any other check, and change nothing', async () => {
    const before = await fingerprint(context.db);
    for (const { row } of marked) expect(await codeOf(row), row.path).toBe('confirm_identity');
    expect(changedTables(before, await fingerprint(context.db))).toEqual([]);
  });

  test.each(marked.map(({ name, row }) => [name, row] as const))(
    '%s is open after confirmation',
    async (_name, row) => {
      if (confirmation !== '') expect((await confirm(token, confirmation)).data).toEqual({ confirm_identity: false });
      confirmation = '';
      expect(await codeOf(row)).not.toBe('confirm_identity');
    },
  );

  test('are documented in OpenAPI', async () => {
    const { paths } = (await fastify.inject({ url: '/api/docs/json' })).json();
    expect(paths['/api/v1/secure/create'].post.description).toContain('`confirm_identity` (403)');
    expect(paths['/api/v1/auth/logout'].post.description).not.toContain('confirm_identity');
  });
});

describe('a token from a URL', () => {
  test('names its owner, and me reports it as unconfirmed; another sign-in of the member is unaffected', async () => {
    const { token, referralCode } = await signUp(context, { name: 'Mallory' });
    expect((await ask('GET', 'auth/me', token)).data.confirm_identity).toBe(false);
    const adopted = await ask('POST', 'auth/adopt', token);
    expect(adopted.data).toMatchObject({
      user: { name: 'Mallory', referral_code: referralCode },
      opened_by: null,
      confirmation: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect((await ask('GET', 'auth/me', token)).data.confirm_identity).toBe(true);
    const own = await ask('POST', 'auth/login', '', { loginId: referralCode, password: TEST_PASSWORD });
    expect(await isRefused(own.data.access_token)).toBe(false);
    expect(await isRefused(token)).toBe(true);
  });

  test('can read, trade and sign out before it is confirmed', async () => {
    const { token } = await signUp(context);
    await adopt(token);
    expect((await ask('GET', 'auth/wallet', token)).status).toBe(200);
    expect((await ask('POST', 'trading/do-trade', token, {})).code).toBe('validation');
    expect((await ask('POST', 'auth/logout', token)).status).toBe(200);
    expect((await ask('GET', 'auth/me', token)).status).toBe(401);
  });

  test('stays unconfirmed with a wrong, foreign or missing confirmation', async () => {
    const { token } = await signUp(context);
    const other = await signUp(context);
    await adopt(token);
    const foreign = await adopt(other.token);
    for (const confirmation of [foreign, token, 'a'.repeat(43)])
      expect(await confirm(token, confirmation)).toMatchObject({ status: 422, code: 'wrong_confirmation' });
    for (const body of [{}, { confirmation: '' }, { confirmation: 7 }, { confirmation: foreign, more: 1 }])
      expect((await ask('POST', 'auth/confirm-identity', token, body)).code).toBe('validation');
    expect(await isRefused(token)).toBe(true);
    expect(await isRefused(other.token)).toBe(true);
  });

  test('is not confirmed by its sender, who adopted it too: each browser confirms for itself', async () => {
    const { token } = await signUp(context);
    const ofVictim = await adopt(token);
    const ofSender = await adopt(token);
    expect((await confirm(token, ofSender)).data).toEqual({ confirm_identity: true });
    expect(await isRefused(token)).toBe(true);
    expect((await confirm(token, ofVictim)).data).toEqual({ confirm_identity: false });
    expect(await isRefused(token)).toBe(false);
  });

  test('is confirmed once for both tabs of a browser, and a repeat changes nothing', async () => {
    const { token, memberId } = await signUp(context);
    const confirmation = await adopt(token);
    const both = await Promise.all([confirm(token, confirmation), confirm(token, confirmation)]);
    expect(both.map(({ data }) => data)).toEqual([{ confirm_identity: false }, { confirm_identity: false }]);
    const rows = await listRows(context.db)<{ action: string }>`
      select action from audit.entry where subject = ${`member:${memberId}`} and action like 'member.%i%' order by id`;
    expect(rows.map(({ action }) => action).slice(-2)).toEqual(['member.adopt_sign_in', 'member.confirm_identity']);
  });

  test('adopted again after its confirmation is unconfirmed again', async () => {
    const { token } = await signUp(context);
    await confirm(token, await adopt(token));
    await adopt(token);
    expect(await isRefused(token)).toBe(true);
  });

  test('that is unknown or has ended is a 401, for both calls', async () => {
    const { token } = await signUp(context);
    const confirmation = await adopt(token);
    await ask('POST', 'auth/logout', token);
    for (const ended of [token, 'x'.repeat(43), '']) {
      expect((await ask('POST', 'auth/adopt', ended)).status).toBe(401);
      expect((await confirm(ended, confirmation)).status).toBe(401);
    }
    const { rows } = await sql`select from identity.adopted_sign_in a
      where not exists (select from identity.auth_session s where s.id = a.auth_session_id)`.execute(context.db);
    expect(rows).toEqual([]);
  });

  test('is unconfirmed at once in a process that had cached the sign-in', async () => {
    const { token } = await signUp(context);
    expect(await findCaller(context, token)).not.toHaveProperty('isUnconfirmed');
    const session = sql`select id from identity.auth_session order by id desc limit 1`;
    // As another process writes it, without an event.
    await sql`insert into identity.adopted_sign_in (auth_session_id, secret_hash, adopted_at)
      values ((${session}), sha256('elsewhere'), ${context.now()})`.execute(context.db);
    expect(await isRefused(token)).toBe(true);
  });

  test('of support access names the operator, writes nothing and needs no confirmation: it is read-only', async () => {
    const { memberId } = await signUp(context);
    const operator = await makeOperator(context, 'support');
    const caller = await findCaller(context, operator.token);
    if (caller?.kind !== 'operator') throw new Error('an operator signed in');
    const from = { userAgent: 'test', address: '127.0.0.1' };
    const { accessToken } = await openMember(context, caller, { memberId, reason: 'a question', ...from });
    const before = await fingerprint(context.db);
    expect((await ask('POST', 'auth/adopt', accessToken)).data).toMatchObject({
      opened_by: { name: 'Op support' },
      confirmation: null,
    });
    expect(changedTables(before, await fingerprint(context.db))).toEqual([]);
    expect((await confirm(accessToken, 'a'.repeat(43))).code).toBe('read_only');
    expect((await ask('POST', 'secure/create', accessToken, {})).code).toBe('read_only');
  });
});
