import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { freezeMember, mountIdentity, mountOperators } from '#server/accounts/index.ts';
import { accountParts } from '#server/app.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mountOperatorPayouts } from '#server/funds/operator-routes.ts';
import { getBalances, getHouseBalance, post, verifyLedger } from '#server/ledger/index.ts';
import { queueEmail, sendDueEmails } from '#server/notify/index.ts';
import { createTicket, mountSupport, replyToTicket } from '#server/tickets/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt, makeOperator } from '#test/worlds/operators.ts';
import { setUpApp } from '#test/worlds/second-factor.ts';

const { database, context, clock } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const app = closeAfterAll(
  await testApp(
    context,
    (http) => mountIdentity(http, context, accountParts(context)),
    mountOperators,
    mountSupport,
    mountOperatorPayouts,
  ),
);
beforeEach(() => clock.advance(3600));

type Member = Awaited<ReturnType<typeof signUp>>;
const close = ({ token }: Member, body: Record<string, unknown> = { password: TEST_PASSWORD }) =>
  app.ask('POST', 'profile/close', { token, body });
const refused = (status: number, code: string, field?: string) => ({
  status,
  body: { code, ...(field !== undefined && { validation_results: [{ field }] }) },
});
const read = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> => (await query.execute(database.db)).rows;
const isClosed = async ({ memberId }: Member) =>
  (await read(sql<{ at: Date | null }>`select closed_at as at from identity.member where id = ${memberId}`))[0]?.at !==
  null;

describe('refused while', () => {
  test('the password is wrong, and counted', async () => {
    const mira = await signUp(context);
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await close(mira, { password: 'not this one' })).toMatchObject(refused(422, 'wrong_password'));
    }
    expect(await close(mira)).toMatchObject(refused(429, 'too_many_requests'));
    expect(await isClosed(mira)).toBe(false);
  });

  test('the second factor is on and its code is wrong, missing, or used', async () => {
    const mira = await signUp(context);
    const secret = await setUpApp(app, mira.token, context);
    // A missing code is requested, and does not count as a try.
    for (let asked = 0; asked < 10; asked += 1) {
      clock.advance(100);
      expect(await close(mira)).toMatchObject(refused(422, 'second_factor_required'));
    }
    const wrong = codeAt(secret, new Date(0));
    expect(await close(mira, { password: TEST_PASSWORD, second_factor: wrong })).toMatchObject(
      refused(422, 'wrong_second_factor', 'second_factor'),
    );
    clock.advance(30);
    await giveFunds(context, mira.memberId, 10_000_000n);
    const body = { password: TEST_PASSWORD, otp: codeAt(secret, clock.now()) };
    expect(await close(mira, body)).toMatchObject(refused(409, 'closing_balance'));
    expect(await close(mira, body)).toMatchObject(refused(422, 'wrong_second_factor'));
  });

  test('it is frozen', async () => {
    const mira = await signUp(context);
    const freeze = {
      memberId: mira.memberId,
      actor: { kind: 'system', id: null },
      why: 'test',
      now: clock.now(),
    } as const;
    await inTransaction(database.db, (tx) => freezeMember(tx, freeze));
    expect(await close(mira)).toMatchObject(refused(403, 'account_frozen'));
  });

  test('one micro is left in any account', async () => {
    const mira = await signUp(context);
    await giveFunds(context, mira.memberId, 1n);
    expect(await close(mira)).toMatchObject(refused(409, 'closing_remainder'));
    const about = { amountMicros: 1n, reference: 'test', marketAt: clock.now() } as const;
    const wallet = { memberId: mira.memberId, class: 'primary' } as const;
    const hold = { memberId: mira.memberId, class: 'withdrawal_hold' } as const;
    const key = `test/hold/${mira.memberId}`;
    await inTransaction(database.db, (tx) =>
      post(tx, [{ ...about, key, from: wallet, to: hold, reason: 'withdrawal_hold' }]),
    );
    expect(await close(mira)).toMatchObject(refused(409, 'closing_balance'));
    expect(await isClosed(mira)).toBe(false);
  });

  test('more is left than is forfeited, less, or enough to withdraw', async () => {
    const mira = await signUp(context);
    await fill(mira, { primary: 9_999_999n, profit: 1n });
    for (const forfeit of [undefined, 0, 9.999999, 10.000001]) {
      expect(await close(mira, { password: TEST_PASSWORD, forfeit })).toMatchObject(refused(409, 'closing_remainder'));
    }
    await giveFunds(context, mira.memberId, 1n, `test/last/${mira.memberId}`);
    expect(await close(mira, { password: TEST_PASSWORD, forfeit: 10.000001 })).toMatchObject(
      refused(409, 'closing_balance'),
    );
    expect(await getBalances(context.db, mira.memberId)).toMatchObject({ primary: 10_000_000n, profit: 1n });
    expect(await isClosed(mira)).toBe(false);
  });

  test.each([
    ['closing_trades', 'a trade is queued', queuedTrade],
    ['closing_plans', 'there is a plan', activePlan],
    ['closing_withdrawals', 'a withdrawal is on its way', sentWithdrawal],
    ['closing_deposits', 'a deposit is in review', reviewedDeposit],
    ['closing_incomes', 'incomes are being paid', runningPeriod],
  ] as const)('%s: %s', async (code, _, make) => {
    const mira = await signUp(context);
    await make(mira.memberId).execute(database.db);
    const { status, body } = await close(mira);
    expect({ status, code: body.code }).toEqual({ status: 409, code });
    // A week may be held for days.
    if (code === 'closing_incomes') expect(body.message).toContain('held by an alarm');
    expect(await isClosed(mira)).toBe(false);
    await sql`delete from income.period_run`.execute(database.db);
  });
});

/** Money in both wallets. */
async function fill({ memberId }: Member, { primary, profit }: { primary: bigint; profit: bigint }) {
  await giveFunds(context, memberId, primary);
  const about = { amountMicros: profit, reference: 'test', marketAt: clock.now() } as const;
  const to = { memberId, class: 'profit' } as const;
  await inTransaction(database.db, (tx) =>
    post(tx, [{ ...about, key: `test/profit/${memberId}`, from: { class: 'venue' }, to, reason: 'trade_profit' }]),
  );
}

function queuedTrade(memberId: bigint) {
  return sql`
    insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
    values (${memberId}, 'btc', 'primary', 5000000, now(), now())`;
}
function activePlan(memberId: bigint) {
  return sql`
    insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, created_at, created_market_at)
    values (${memberId}, 'btc', 'session_hold', '{}', 'primary', 5000000, false, now(), now())`;
}
function sentWithdrawal(memberId: bigint) {
  return sql`
    insert into funds.withdrawal (member_id, reference, wallet, amount_micros, fee_micros, fee_plan_id, network, address, state,
      requested_on, payout_way, handler_id, created_at, updated_at)
    values (${memberId}, 'WD-TEST22', 'primary', 10000000, 0, 1, 'TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'sent',
      '2026-03-04', 'hand', 1, now(), now())`;
}
function reviewedDeposit(memberId: bigint) {
  return sql`
    insert into funds.deposit (member_id, reference, amount_micros, state, gateway, expires_at, created_at, updated_at)
    values (${memberId}, 'DP-TEST22', 10000000, 'review', 'sandbox', now(), now(), now())`;
}
function runningPeriod(_: bigint) {
  return sql`
    insert into income.period_run (kind, starts_on, ends_on, fee_plan_id, pool, carried, total, qualified, ran_at)
    values ('weekly', '2026-03-02', '2026-03-09', 1, 0, 0, 0, 0, now())`;
}

describe('a closed account', () => {
  test('keeps nothing that identifies a person, and everything that the ledger rests on', async () => {
    const sponsor = await signUp(context, { name: 'Sigrid Vale' });
    const mira = await signUp(context, { sponsorCode: sponsor.referralCode, email: 'mira.lund@example.com' });
    const withApp = await setUpApp(app, mira.token, context);
    const question = { subject: 'Where is it?', category: 'other', message: 'I cannot find it.' } as const;
    await createTicket(context, mira.memberId, question);
    await app.ask('PUT', 'auth/limits', { token: mira.token, body: { loss_day: 100 } });
    await sendDueEmails(context, undefined);
    clock.advance(30);
    const reply = await close(mira, { password: TEST_PASSWORD, otp: codeAt(withApp, clock.now()) });
    expect(reply).toMatchObject({ status: 200, body: { message: 'Your account is closed.' } });

    const { memberId } = mira;
    const [member] = await read(sql<Record<string, unknown>>`
      select referral_code, sponsor_id, name, email, mobile_number, password_hash, closed_at from identity.member
      where id = ${memberId}`);
    expect(member).toEqual({
      referral_code: mira.referralCode,
      sponsor_id: sponsor.memberId,
      name: 'Closed account',
      email: null,
      mobile_number: null,
      password_hash: null,
      closed_at: clock.now(),
    });
    const [left] = await read(sql<Record<string, bigint>>`
      select (select count(*) from identity.auth_session where member_id = ${memberId}) as sessions,
        (select count(*) from identity.known_device where member_id = ${memberId}) as devices,
        (select count(*) from identity.totp where member_id = ${memberId}) as apps,
        (select count(*) from identity.recovery_code where member_id = ${memberId}) as codes,
        (select count(*) from identity.own_limit where member_id = ${memberId}) as limits,
        (select count(*) from notify.notification where member_id = ${memberId}) as notifications,
        (select count(*) from notify.recipient where member_id = ${memberId}) as recipients,
        (select count(*) from team.search_word where member_id = ${memberId} and word in ('mira', 'lund')) as words`);
    expect(new Set(Object.values(left ?? {}))).toEqual(new Set([0n]));
    const [kept] = await read(sql<Record<string, unknown>>`
      select (select state from support.ticket where member_id = ${memberId}) as ticket,
        (select count(*) from ledger.account where member_id = ${memberId}) as accounts,
        (select count(*) from team.node where member_id = ${memberId} and sponsor_id = ${sponsor.memberId}) as places,
        (select count(*) from audit.entry where subject = ${`member:${memberId}`} and action = 'member.close') as entries`);
    expect(kept).toEqual({ ticket: 'closed', accounts: 5n, places: 1n, entries: 1n });
  });

  test('is not named in what its sponsor was told, unlike others who joined, of the same name too', async () => {
    const sponsor = await signUp(context, { name: 'Sigrid Vale' });
    const invited = { name: 'Mira Lund', sponsorCode: sponsor.referralCode };
    const mira = await signUp(context, invited);
    await signUp(context, invited);
    await app.ask('PUT', 'auth/profile', {
      token: mira.token,
      body: { name: 'Mira Berg', mobile_number: '+919876543210' },
    });
    await close(mira);
    const told = await read(sql<{ message: string }>`
      select message from notify.notification where member_id = ${sponsor.memberId} order by id`);
    expect(told.map(({ message }) => message)).toEqual([
      'Closed account joined your team.',
      'Mira Lund joined your team.',
    ]);
  });

  test('gets one last email, whose address is deleted once it is sent', async () => {
    const mira = await signUp(context, { email: 'gone@example.com' });
    await close(mira);
    const mails = () =>
      read(sql<Record<string, unknown>>`
        select to_name, to_address, subject, state from notify.mail where member_id = ${mira.memberId} order by id`);
    const last = { subject: 'Your Tradewind account is closed' };
    expect(await mails()).toEqual([
      { ...last, to_name: expect.stringMatching(/./), to_address: 'gone@example.com', state: 'waiting' },
    ]);
    const whatToDo = sql`select text like '%If this was not you, write to %' as said from notify.mail where member_id = ${mira.memberId}`;
    expect(await read(whatToDo)).toEqual([{ said: true }]);
    await sendDueEmails(context, undefined);
    expect(await mails()).toEqual([{ ...last, to_name: '', to_address: '', state: 'logged' }]);
  });

  test('keeps emails queued for an operator of the same address', async () => {
    const mira = await signUp(context, { email: 'shared@example.com' });
    const to = { name: 'Olga', address: 'Shared@example.com' };
    await inTransaction(database.db, (tx) => queueEmail(tx, { to, subject: 'Solvency alarm', text: 'Look now.\n' }));
    await inTransaction(database.db, (tx) =>
      queueEmail(tx, { to, kind: 'reset', subject: 'Codes', text: 'Of two.\n' }),
    );
    await close(mira);
    const left = await read(sql<Record<string, unknown>>`
      select subject, text, state from notify.mail where member_id is null and lower(to_address) = 'shared@example.com'`);
    expect(left).toEqual([{ subject: 'Solvency alarm', text: 'Look now.\n', state: 'waiting' }]);
  });

  test('accepts no ticket or message that was in flight while it was closed', async () => {
    const { memberId, ...mira } = await signUp(context);
    const question = { subject: 'Late', category: 'other', message: 'A large file comes with it.' } as const;
    const { id: ticketId } = await createTicket(context, memberId, question);
    await close({ memberId, ...mira });
    const gone = { code: 'session_required' };
    await expect(createTicket(context, memberId, question)).rejects.toMatchObject(gone);
    await expect(replyToTicket(context, memberId, { ticketId, message: 'More' })).rejects.toMatchObject(gone);
    const open = await read(sql`select 1 from support.ticket where member_id = ${memberId} and state <> 'closed'`);
    expect(open).toEqual([]);
  });

  test('cannot be signed in to, reset, used as a sponsor, or impersonated', async () => {
    const mira = await signUp(context);
    const operator = await makeOperator(context, 'support');
    await close(mira);
    expect((await app.ask('GET', 'auth/me', { token: mira.token })).status).toBe(401);
    const login = { loginId: mira.referralCode, password: TEST_PASSWORD };
    expect(await app.ask('POST', 'auth/login', { body: login })).toMatchObject(refused(422, 'wrong_login'));
    expect(await app.ask('GET', `auth/get-refer?referralCode=${mira.referralCode}`)).toMatchObject(
      refused(404, 'unknown_invitation'),
    );
    await expect(signUp(context, { sponsorCode: mira.referralCode })).rejects.toMatchObject({
      code: 'invitation_refused',
    });
    const body = { reason: 'To look', otp: await operator.code() };
    expect(
      await app.ask('POST', `operator/members/${mira.memberId}/open`, { token: operator.token, body }),
    ).toMatchObject(refused(409, 'account_closed'));
  });

  test('is no longer frozen, stopped or unverified, and not notified; the company is not either', async () => {
    const mira = await signUp(context);
    const { token } = await makeOperator(context, 'support');
    await close(mira);
    const [company] = await read(sql<{ id: bigint }>`select id from identity.member where is_company`);
    for (const [path, body] of [
      ['frozen', { frozen: true }],
      ['withdrawals-frozen', { frozen: true }],
      ['verified', { verified: false }],
      ['limits', { pause_days: 1 }],
    ] as const) {
      const put = (id: bigint | undefined) =>
        app.ask('PUT', `operator/members/${id}/${path}`, { token, body: { ...body, why: 'To be sure' } });
      expect(await put(mira.memberId)).toMatchObject(refused(409, 'account_closed'));
      expect(await put(company?.id)).toMatchObject(refused(404, 'not_found'));
    }
    const told = await read(sql`
      select kind from notify.notification where member_id in (${mira.memberId}, ${company?.id})
      union all select cause from funds.withdrawal_freeze where member_id in (${mira.memberId}, ${company?.id})`);
    expect(told).toEqual([]);
  });

  test('is closed once; a second call has no session', async () => {
    const mira = await signUp(context);
    expect((await close(mira)).status).toBe(200);
    expect(await close(mira)).toMatchObject(refused(401, 'session_required'));
  });

  test('forfeits unpaid rewards, and records from when it earns nothing', async () => {
    const mira = await signUp(context);
    await sql`
      insert into income.reward (member_id, rank, month, nominal, state, claim_no, claimed_at, paid_at) values
        (${mira.memberId}, 1, '2026-01-01', 5, 'paid', 1, now(), now()),
        (${mira.memberId}, 2, '2026-01-01', 5, 'waiting', 2, now(), null),
        (${mira.memberId}, 3, '2026-01-01', 5, 'claimable', null, null, null)`.execute(database.db);
    await close(mira);
    expect(
      await read(sql`select rank::int, state from income.reward where member_id = ${mira.memberId} order by rank`),
    ).toEqual([
      { rank: 1, state: 'paid' },
      { rank: 2, state: 'given_up' },
      { rank: 3, state: 'given_up' },
    ]);
    expect(
      await read(
        sql`select closed_on::text, weeks_from::text, months_from::text from income.closed_member where member_id = ${mira.memberId}`,
      ),
    ).toEqual([{ closed_on: '-infinity', weeks_from: '-infinity', months_from: '-infinity' }]);
  });

  test('leaves the ledger correct', async () => {
    expect(await verifyLedger(database.db)).toEqual([]);
  });
});

test('less than can be withdrawn is forfeited to the adjustments account, wallet by wallet', async () => {
  const mira = await signUp(context);
  await fill(mira, { primary: 9_999_999n, profit: 1n });
  const before = await getHouseBalance(context.db, 'adjustments');
  expect(await close(mira, { password: TEST_PASSWORD, forfeit: 10 })).toMatchObject({ status: 200 });
  expect(await isClosed(mira)).toBe(true);
  expect(Object.values(await getBalances(context.db, mira.memberId))).toEqual([0n, 0n, 0n, 0n, 0n]);
  expect((await getHouseBalance(context.db, 'adjustments')) - before).toBe(10_000_000n);
  expect(await verifyLedger(context.db)).toEqual([]);
});
