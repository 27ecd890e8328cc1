import { describe, expect, test } from 'vitest';
import { inSnapshot } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { addTeam, settleSession } from '#test/worlds/settled-session.ts';
import { afterTampering } from '#test/worlds/tamper.ts';
import { findDiscrepancy } from '../core/discrepancy.ts';
import { payDue } from '../periods/pay-due.ts';
import { type CheckedRun, findDiscrepancies, listAllChecks, listNewChecks } from './reconcile.ts';

const FRIDAY = '2026-02-27';
const MONDAY = '2026-03-02';
const $ = (dollars: number) => BigInt(dollars) * 1_000_000n;

/**
 * A member with three active directs, one of whom has one: a week and a month end between two sessions, and a rank is
 * reached.
 */
const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:20:00Z'));
const [leader = 0n] = await addTeam(context, [1n]);
const directs = await addTeam(context, [leader, leader, leader]);
const [below = 0n] = await addTeam(context, directs.slice(0, 1));
const trades = [
  { memberId: leader, micros: $(100), trend: 'up' as const },
  ...directs.map((memberId, index) => ({
    memberId,
    micros: $(3000),
    trend: index === 0 ? ('up' as const) : ('down' as const),
  })),
  { memberId: below, micros: $(500), trend: 'even' as const },
];
await settleSession(context, FRIDAY, trades);
await settleSession(context, MONDAY, trades);
await payDue(context);

const week: CheckedRun = { kind: 'weekly', startsOn: '2026-02-23' };
const month: CheckedRun = { kind: 'monthly', startsOn: '2026-02-01' };

test('an unmodified ledger passes every check, and each run is covered', async () => {
  const checks = await inSnapshot(context.db, listAllChecks);
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toEqual([]);
  expect([...new Set(checks.map(({ subject }) => subject))]).toEqual([
    'ledger',
    `session ${FRIDAY}`,
    `session ${MONDAY}`,
    'month 2026-02-01',
    'week 2026-02-23',
    'rewards',
    'all sessions',
  ]);
  // The compared figures are not 0, as a comparison of 0 with 0 proves nothing. In paper mode nothing is executed.
  const figures = checks.filter(
    ({ what }) => !/number|below zero|undistributed|escrow|plan cash|rewards paid|execution/.test(what),
  );
  expect(figures.filter(({ found }) => found === 0n)).toEqual([]);
  for (const run of [{ day: FRIDAY }, { day: MONDAY }, week, month])
    expect(await inSnapshot(context.db, (tx) => findDiscrepancies(tx, run))).toBeUndefined();
});

/** Discrepancies of a run after the statement. */
const findAfter = (statement: string, run: CheckedRun) =>
  afterTampering(context.db, [statement], (tx) => findDiscrepancies(tx, run));

/** Inserts an invalid transfer as part of a committed transaction, because house balances only include those. */
const forge = (from: string, to: string, amount: string, reason: string, key: string, reference = 'forged') => `
  insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
  values (${from}, ${to}, ${amount}, case when ${from} >= 32 then 0 end, case when ${to} >= 32 then 0 end,
    (select max(tx) from ledger.transfer), now(), now(), '${reason}', '${key}', '${reference}', '')`;
const drop = (key: string) => `delete from ledger.transfer where key = '${key}'`;
const profitOf = (member: number) => String(member * 32 + 2);

const friday: CheckedRun = { day: FRIDAY };

describe('a bonus run does not end with', () => {
  test.for<[string, string, string]>([
    [
      'a trade fee that nobody shared',
      forge('67', '9', '7', 'trade_fee', 'x'),
      'ledger: undistributed trade fees is 7, expected 0',
    ],
    [
      'a performance fee that nobody shared',
      forge('7', '10', '7', 'performance_fee', 'x'),
      'ledger: undistributed performance fees is 7, expected 0',
    ],
    [
      'money in escrow that is no trade’s',
      forge('65', '67', '5', 'trade_place', 'x'),
      'ledger: trade escrow is 5, expected 0',
    ],
    [
      'a trade that waits without its money',
      "insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at) values (2, 'btc', 'primary', 9, now(), now())",
      'ledger: trade escrow is 0, expected 9',
    ],
    [
      'a pool that paid what no run says',
      forge('14', profitOf(2), '4', 'reward', 'x'),
      'ledger: rewards paid is 4, expected 0',
    ],
    [
      'a pool below zero',
      forge('14', profitOf(2), '100000000000', 'reward', 'x'),
      'ledger: rewards pool below zero is 9',
    ],
    [
      'a bonus paid again under another key',
      forge('9', profitOf(2), '3', 'referral_bonus', 'x'),
      'ledger: referral bonus paid is',
    ],
    [
      'a bonus paid to somebody without a line',
      forge('9', profitOf(5), '3', 'level_bonus', `bonus/${FRIDAY}/level/5`),
      `session ${FRIDAY}: number of members whose payments differ from their income lines is 1, expected 0; first: member 5`,
    ],
    [
      'a bonus that was not paid',
      drop(`bonus/${FRIDAY}/referral/2`),
      `session ${FRIDAY}: referral bonus transferred is 400000, expected 7600000`,
    ],
    [
      'a share of the pool that was not paid',
      drop(`bonus/${FRIDAY}/weekly-pool`),
      `session ${FRIDAY}: allocated to the weekly pool is 0, expected`,
    ],
    [
      'an edited line',
      `update income.bonus_line set bonus = bonus + 1 where session_day = '${FRIDAY}' and member_id = 2`,
      `session ${FRIDAY}: number of members whose payments differ from their income lines is 1, expected 0; first: member 2`,
    ],
    [
      'a line moved to another member',
      `update income.bonus_line set member_id = 5 where session_day = '${FRIDAY}' and member_id = 2`,
      `session ${FRIDAY}: number of members whose payments differ from their income lines is 2, expected 0; first: member 2`,
    ],
    [
      'an edited block',
      `update income.bonus_block set team_profit = team_profit + 1 where session_day = '${FRIDAY}'`,
      `session ${FRIDAY}: team profit by batch is`,
    ],
    [
      'a run that says it shared more',
      `update income.bonus_run set trade_fees = trade_fees + 1, trade_revenue = trade_revenue + 1 where session_day = '${FRIDAY}'`,
      `session ${FRIDAY}: trade fees distributed is`,
    ],
    [
      'an edited result of a member',
      `update trading.daily_result set performance_fees = performance_fees + 2 where session_day = '${FRIDAY}' and member_id = 3`,
      `session ${FRIDAY}: performance fees distributed is`,
    ],
    [
      'an edited trade',
      `update trading.trade set gross = gross + 1, result = result + 1 where session_day = '${FRIDAY}' and member_id = 4`,
      `session ${FRIDAY}: number of trades whose venue transfers are not P − N is 1, expected 0; first: trade 3`,
    ],
    [
      'a gain that the venue paid too often',
      forge('7', profitOf(3), '1', 'trade_profit', 'x', 'trade 2'),
      `session ${FRIDAY}: number of trades whose venue transfers are not P − N is 1, expected 0; first: trade 2`,
    ],
    [
      'a loss that never came to the venue',
      drop('trade/4/loss'),
      `session ${FRIDAY}: number of trades whose venue transfers are not P − N is 1, expected 0; first: trade 4`,
    ],
    [
      'a gain that was taken back',
      `insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx, market_at, created_at, reason, key, reference, hash)
       select to_account, from_account, amount, 0, null, id, pg_current_xact_id()::text::bigint, now(), now(), 'reversal', 'x', 'other', ''
       from ledger.transfer where key = 'trade/2/gain'`,
      `session ${FRIDAY}: number of trades whose venue transfers are not P − N is 1, expected 0; first: trade 2`,
    ],
  ])('%s', async ([, statement, message]) => {
    expect(await findAfter(statement, friday)).toContain(message);
  });
});

describe('a week or month does not end with', () => {
  test.for<[string, string, CheckedRun, string]>([
    [
      'an income paid twice',
      forge('12', profitOf(2), '3', 'weekly_income', 'weekly/2026-02-23/2/again'),
      week,
      'week 2026-02-23: number of members whose payments differ from their income lines is 1, expected 0; first: member 2',
    ],
    [
      'an income paid again under another key',
      forge('13', profitOf(2), '3', 'monthly_income', 'x'),
      month,
      'ledger: monthly income paid is',
    ],
    ['an income that was not paid', drop('weekly/2026-02-23/2'), week, 'week 2026-02-23: transferred is 0, expected'],
    [
      'an edited line',
      'update income.monthly_line set paid = paid - 1 where paid > 0',
      month,
      'month 2026-02-01: paid by income line is',
    ],
    [
      'an edited block',
      "update income.period_block set paid = paid + 1 where kind = 'weekly'",
      week,
      'week 2026-02-23: paid by batch is',
    ],
    [
      'a pool that is not what its sessions put in',
      "update income.period_run set pool = pool + 1, released = released + 1 where kind = 'weekly'",
      week,
      'week 2026-02-23: pool is',
    ],
    [
      'a rest of the pool that was not released',
      drop('weekly/2026-02-23/release'),
      week,
      'week 2026-02-23: released is 0, expected',
    ],
    [
      'a rest of the pool released twice',
      forge('13', '11', '2', 'pool_release', 'x'),
      month,
      'ledger: released from pools is',
    ],
    [
      'parts that come to more than all fees put in',
      "update income.contribution set contributed = array(select part * 9 from unnest(contributed) as part) where kind = 'weekly'",
      week,
      'week 2026-02-23: contributed is',
    ],
    [
      'a payment of more than was contributed',
      "update income.contribution set contributed = array_fill(1, array[cardinality(contributed)]) where kind = 'monthly'",
      month,
      'month 2026-02-01: paid of contributed is',
    ],
    [
      'a payment of what another contributed',
      "update income.contribution set contributors = array_replace(contributors, 2::bigint, 5::bigint) where kind = 'weekly'",
      week,
      'week 2026-02-23: number of members who got more than they contributed is 1, expected 0; first: member 2',
    ],
    [
      'a reward of more than was contributed to its pool',
      'update income.reward set nominal = nominal * 100',
      month,
      'month 2026-02-01: number of members who got more than they contributed is 1, expected 0; first: member 2',
    ],
  ])('%s', async ([, statement, run, message]) => {
    expect(await findAfter(statement, run)).toContain(message);
  });
});

test('from scratch, a reward that was paid to somebody else is found', async () => {
  const checks = await afterTampering(
    context.db,
    [
      "update income.reward set state = 'paid', claim_no = 1, claimed_at = now(), paid_at = now() where member_id = 2",
      forge('14', profitOf(5), '(select nominal from income.reward)', 'reward', 'reward/5/bronze'),
    ],
    listAllChecks,
  );
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toEqual([
    {
      subject: 'rewards',
      message: 'number of members whose payments differ from their rewards is 2, expected 0; first: member 2',
    },
  ]);
});

test('from scratch, a move of the venue for a trade that never was is found as well', async () => {
  const forged = forge('7', profitOf(2), '1', 'trade_profit', 'x', 'trade 999');
  const checks = await afterTampering(context.db, [forged], listAllChecks);
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toContainEqual({
    subject: 'all sessions',
    message: 'number of trades whose venue transfers are not P − N is 1, expected 0; first: trade 999',
  });
});

test.for<[string, string, string]>([
  ['money in plans that is no plan’s', forge('65', '68', '5', 'plan_invest', 'x'), 'plan cash is 5, expected 0'],
  [
    'a plan without its money',
    `insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, created_at, created_market_at)
     values (2, 'btc', 'session_hold', '{}', 'primary', 9, true, now(), now())`,
    'plan cash is 0, expected 9',
  ],
])('%s is found hourly', async ([, statement, message]) => {
  const checks = await afterTampering(context.db, [statement], listNewChecks);
  expect(checks.flatMap((check) => findDiscrepancy(check) ?? [])).toEqual([{ subject: 'ledger', message }]);
});
