import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findCaller, openMember } from '#server/accounts/index.ts';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import { closeAccount } from '#server/accounts/members/close-account.ts';
import { updateProfile } from '#server/accounts/members/update-profile.ts';
import { signInMember } from '#server/accounts/sign-in/sign-in-member.ts';
import { accountParts } from '#server/app.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { lockDepositsOf } from '#server/funds/deposits/sql.ts';
import { createDeposit, sendOtp } from '#server/funds/index.ts';
import { reportAddressChange } from '#server/funds/withdrawals/freeze-withdrawals.ts';
import { claimReward } from '#server/income/rewards/claim-reward.ts';
import { getBalances, post, verifyLedger } from '#server/ledger/index.ts';
import { dismissAnnouncement, insertAnnouncement } from '#server/notify/announcements.ts';
import { setMailPreferences } from '#server/notify/email/email-preferences.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { createTicket } from '#server/tickets/index.ts';
import { replyToTicket } from '#server/tickets/reply-to-ticket.ts';
import { placeTrade } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';

const ROUNDS = 12;

const { database, context } = closeAfterAll(await bootRecorded());
const operator = await makeOperator(context, 'support');

const address = '127.0.0.1';
type Member = Awaited<ReturnType<typeof signUp>>;

const close = ({ memberId }: Member) =>
  closeAccount(
    context,
    { kind: 'member', memberId, authSessionId: 0n },
    { password: TEST_PASSWORD, address },
    accountParts(context),
  );

const { id: announcement } = await inTransaction(database.db, (tx) =>
  insertAnnouncement(tx, {
    ...{ title: 'Maintenance', text: 'Tonight.', beginsAt: new Date(0), endsAt: new Date('2100-01-01') },
    ...{ operatorId: operator.operatorId, writtenAt: context.now() },
  }),
);
const listChoices = (memberId: bigint) => listRows(database.db)`
  select topic from notify.mail_preference where member_id = ${memberId}
  union all select 'dismissed' from notify.announcement_dismissal where member_id = ${memberId}`;

const both = (first: Promise<unknown>, second: Promise<unknown>) => Promise.all([codeOf(first), codeOf(second)]);

const stateOf = async ({ memberId }: Member) => {
  const { rows } = await sql<{ is_closed: boolean; sessions: bigint }>`
    select closed_at is not null as is_closed,
      (select count(*) from identity.auth_session s where s.member_id = m.id) as sessions
    from identity.member m where id = ${memberId}`.execute(database.db);
  const balances = await getBalances(database.db, memberId);
  const micros = Object.values(balances).reduce((sum, balance) => sum + balance, 0n);
  return { isClosed: rows[0]?.is_closed === true, sessions: rows[0]?.sessions ?? 0n, micros };
};

test('a trade during a closing: money in a trade is never left behind', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const mira = await signUp(context);
    await giveFunds(context, mira.memberId, 10_000_000n);
    const input = { tradeId: 'btc', amount: 10, wallet_type: 'primary' as const };
    const [placed, closed] = await both(placeTrade(context, mira.memberId, input), close(mira));
    expect(placed).toBe('done');
    expect(['closing_balance', 'closing_trades']).toContain(closed);
    expect(await stateOf(mira)).toMatchObject({ isClosed: false, micros: 10_000_000n });
  }
});

test('a deposit created during a closing: one of them is refused', async () => {
  const mira = await signUp(context);
  const release = await holdOpen(database.db, (tx) => lockDepositsOf(tx, mira.memberId));
  const begun = createDeposit(context, mira.memberId, { amount: 10 }, undefined);
  await waitFor(async () => (await countLockWaits(database.db)) === 1, 'the deposit is looked at');
  const closing = close(mira);
  await Promise.race([closing, waitFor(async () => (await countLockWaits(database.db)) === 2, 'the closing waits')]);
  await release();
  expect(await both(begun, closing)).toEqual(['done', 'closing_deposits']);
});

test('calls admitted before the account was closed start nothing in it', async () => {
  const mira = await signUp(context);
  const { memberId } = mira;
  const caller = { kind: 'member', memberId, authSessionId: 0n } as const;
  const message = { subject: 'Goodbye', category: 'account', message: 'I leave.' } as const;
  const { id } = await createTicket(context, memberId, message);
  await close(mira);
  const calls = [
    () => createTicket(context, memberId, message),
    () => replyToTicket(context, memberId, { ticketId: id, message: 'One more thing.' }),
    () => setOwnLimits(context, { memberId }, { depositWeekMicros: 1_000_000n, address }),
    () => updateProfile(context, caller, { name: 'Mira Lundt', mobileNumber: '+919876543210', address }),
    () =>
      sendOtp(context, memberId, {
        purpose: 'address',
        network: 'TRC20',
        address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      }),
    () => sendOtp(context, memberId, { purpose: 'email', email: 'mira@other.example' }),
    () => setMailPreferences(context, memberId, { trading: true }),
    () => dismissAnnouncement(context, memberId, announcement),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'session_required' });
  const left = await listRows(database.db)`
    select 1 from support.ticket where member_id = ${memberId} and state <> 'closed'
    union all select 1 from identity.own_limit where member_id = ${memberId}
    union all select 1 from identity.otp where member_id = ${memberId}`;
  expect(left).toEqual([]);
  expect(await listChoices(memberId)).toEqual([]);
});

test('an announcement being dismissed during the closing leaves nothing in the account', async () => {
  const mira = await signUp(context);
  const { memberId } = mira;
  const release = await holdOpen(database.db, (tx) =>
    sql`
      insert into notify.announcement_dismissal (member_id, announcement_id, dismissed_at)
      values (${memberId}, ${announcement}, ${context.now()})`.execute(tx),
  );
  const dismissed = dismissAnnouncement(context, memberId, announcement);
  await waitFor(async () => (await countLockWaits(database.db)) === 1, 'the same is dismissed on another device');
  const closing = close(mira);
  await Promise.race([closing, waitFor(async () => (await countLockWaits(database.db)) === 2, 'the closing waits')]);
  await release();
  expect(await both(dismissed, closing)).toEqual(['done', 'done']);
  expect(await listChoices(memberId)).toEqual([]);
});

test('This was not me, pressed during the closing, freezes nothing in the account', async () => {
  const { memberId } = await signUp(context);
  const token = makeToken();
  await sql`
    insert into identity.stop_link (token_hash, member_id, about, expires_at)
    values (${hashToken(token)}, ${memberId}, 'new_device', ${new Date(context.now().getTime() + 60_000)})`.execute(
    database.db,
  );
  let pressed: Promise<unknown> = Promise.resolve();
  const press = async () => {
    pressed = reportAddressChange(context, token).catch((error: Error) => error);
    await waitFor(async () => (await countLockWaits(database.db)) > 0, 'the button waits for the closing');
  };
  const { closing, ...parts } = accountParts(context);
  await closeAccount(
    context,
    { kind: 'member', memberId, authSessionId: 0n },
    { password: TEST_PASSWORD, address },
    { ...parts, closing: [press, ...closing] },
  );
  expect(await pressed).toMatchObject({ code: 'wrong_alarm' });
  expect(await listRows(database.db)`select 1 from funds.withdrawal_freeze where member_id = ${memberId}`).toEqual([]);
});

test('a sign-up under a member during their closing: nobody joins a team that is gone', async () => {
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const mira = await signUp(context);
    const [refused, closed] = await both(signUp(context, { sponsorCode: mira.referralCode }), close(mira));
    expect(closed).toBe('done');
    expect(['done', 'invitation_refused']).toContain(refused);
    // A sign-up before it was notified, and the notification was deleted with the account.
    const told = await listRows(database.db)`
      select message from notify.notification where member_id = ${mira.memberId}`;
    expect(told).toEqual([]);
  }
});

test('the last money leaving during a closing: either the closing is refused, or the account is empty', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const mira = await signUp(context);
    await giveFunds(context, mira.memberId, 7n);
    const out = inTransaction(database.db, (tx) =>
      post(tx, [
        {
          key: `test/out/${mira.memberId}`,
          from: { memberId: mira.memberId, class: 'primary' },
          to: { class: 'adjustments' },
          amountMicros: 7n,
          reason: 'correction',
          reference: 'test',
          marketAt: context.now(),
        },
      ]),
    );
    const [, closed] = await both(out, close(mira));
    const state = await stateOf(mira);
    expect(state).toMatchObject({ isClosed: closed === 'done', micros: 0n });
    expect(['done', 'closing_remainder']).toContain(closed);
  }
});

test('a claim during a closing: the queued reward is forfeited', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const mira = await signUp(context);
    await sql`
      insert into income.reward (member_id, rank, month, nominal) values (${mira.memberId}, 1, '2026-01-01', 5)`.execute(
      database.db,
    );
    const [claimed, closed] = await both(claimReward(context, mira.memberId, { rank: 'bronze' }), close(mira));
    const { rows } = await sql<{ state: string }>`
      select state from income.reward where member_id = ${mira.memberId}`.execute(database.db);
    // The pool is empty, so that a claim waits, which does not prevent closing.
    expect([rows[0]?.state, closed]).toEqual(['given_up', 'done']);
    expect(['done', 'reward_not_claimable']).toContain(claimed);
    expect(await stateOf(mira)).toEqual({ isClosed: true, sessions: 0n, micros: 0n });
  }
});

test('a sign-in or an impersonation during a closing leaves nobody signed in', async () => {
  const caller = await findCaller(context, operator.token);
  if (caller?.kind !== 'operator') throw new Error('the operator is signed in');
  for (let round = 0; round < ROUNDS; round += 1) {
    const mira = await signUp(context);
    const given = { memberId: mira.memberId, reason: 'To look', userAgent: 'test', address };
    const signIn = { loginId: mira.referralCode, password: TEST_PASSWORD, userAgent: 'test', address };
    const beside = round % 2 === 0 ? openMember(context, caller, given) : signInMember(context, signIn);
    const [refused, closed] = await both(beside, close(mira));
    expect(closed).toBe('done');
    expect(['done', 'account_closed', 'wrong_login']).toContain(refused);
    expect(await stateOf(mira)).toEqual({ isClosed: true, sessions: 0n, micros: 0n });
  }
});

test('two concurrent closings close once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const mira = await signUp(context);
    const codes = await both(close(mira), close(mira));
    expect(codes.toSorted()).toEqual(['done', 'wrong_password']);
    const rows = await listRows(database.db)`
      select 1 from audit.entry where subject = ${`member:${mira.memberId}`} and action = 'member.close'`;
    expect(rows).toHaveLength(1);
  }
});

test('the ledger is correct after all of it', async () => {
  expect(await verifyLedger(database.db)).toEqual([]);
});
