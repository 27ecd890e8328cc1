import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot, inTransaction } from '#server/db/tx.ts';
import { bootWithoutMarket } from '#test/boot.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { addTeam, settleSession } from '#test/settled-session.ts';
import { bookFault } from '../core/book-check.ts';
import { payDue } from '../periods/pay-due.ts';
import { type BookedRun, findBookFaults, listAllChecks } from './check-books.ts';

const FRIDAY = '2026-02-27';
const MONDAY = '2026-03-02';
const $ = (dollars: number) => BigInt(dollars) * 1_000_000n;

/** A member with three active directs, one of whom has one: a week and a month end between two sessions, and a rank is reached. */
const { database, context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:20:00Z'));
const [leader = 0n] = await addTeam(context, [1n]);
const directs = await addTeam(context, [leader, leader, leader]);
const [below = 0n] = await addTeam(context, directs.slice(0, 1));
const trades = [
  { memberId: leader, micros: $(100), course: 'up' as const },
  ...directs.map((memberId, index) => ({
    memberId,
    micros: $(3000),
    course: index === 0 ? ('up' as const) : ('down' as const),
  })),
  { memberId: below, micros: $(500), course: 'even' as const },
];
await settleSession(context, FRIDAY, trades);
await settleSession(context, MONDAY, trades);
await payDue(context);

const week: BookedRun = { kind: 'weekly', startsOn: '2026-02-23' };
const month: BookedRun = { kind: 'monthly', startsOn: '2026-02-01' };

test('books that nobody touched hold in every check, and each run is among them', async () => {
  const checks = await inSnapshot(context.db, listAllChecks);
  expect(checks.flatMap((check) => bookFault(check) ?? [])).toEqual([]);
  expect([...new Set(checks.map(({ subject }) => subject))]).toEqual([
    'the books',
    `session ${FRIDAY}`,
    `session ${MONDAY}`,
    'month 2026-02-01',
    'week 2026-02-23',
    'all sessions',
  ]);
  // What is compared is there: a check of nothing with nothing would hold as well.
  const figures = checks.filter(({ what }) => !/number|below zero|not shared|escrow|rewards paid/.test(what));
  expect(figures.filter(({ found }) => found === 0n)).toEqual([]);
  for (const run of [{ day: FRIDAY }, { day: MONDAY }, week, month])
    expect(await inSnapshot(context.db, (tx) => findBookFaults(tx, run))).toBeUndefined();
});

class Undo extends Error {}

/** What the check of a run says after somebody who may do everything switched the triggers off; undone at once. */
async function findAfter(statement: string, run: BookedRun): Promise<string> {
  let said = 'nothing';
  const work = inTransaction(database.db, async (tx: Tx) => {
    await sql.raw('set local session_replication_role = replica').execute(tx);
    await sql.raw(statement).execute(tx);
    said = (await findBookFaults(tx, run)) ?? 'nothing';
    throw new Undo();
  });
  await expect(work).rejects.toThrow(Undo);
  return said;
}

/** A transfer as nobody posts it, among those of a transaction that is over: the house’s balances are of such alone. */
const forge = (from: string, to: string, amount: string, reason: string, key: string, reference = 'forged') => `
  insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
  values (${from}, ${to}, ${amount}, case when ${from} >= 32 then 0 end, case when ${to} >= 32 then 0 end,
    (select max(tx) from ledger.transfer), now(), now(), '${reason}', '${key}', '${reference}', '')`;
const drop = (key: string) => `delete from ledger.transfer where key = '${key}'`;
const profitOf = (member: number) => String(member * 32 + 2);

const friday: BookedRun = { day: FRIDAY };

describe('a bonus run does not end with', () => {
  test.for<[string, string, string]>([
    [
      'a trade fee that nobody shared',
      forge('67', '9', '7', 'trade_fee', 'x'),
      'the books: trade fees not shared yet is 7, not 0',
    ],
    [
      'a performance fee that nobody shared',
      forge('7', '10', '7', 'performance_fee', 'x'),
      'the books: performance fees not shared yet is 7, not 0',
    ],
    [
      'money in escrow that is no trade’s',
      forge('65', '67', '5', 'trade_place', 'x'),
      'the books: escrow of all trades is 5, not 0',
    ],
    [
      'a trade that waits without its money',
      "insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at) values (2, 'btc', 'primary', 9, now(), now())",
      'the books: escrow of all trades is 0, not 9',
    ],
    [
      'a pool that paid what no run says',
      forge('14', profitOf(2), '4', 'reward', 'x'),
      'the books: rewards paid is 4, not 0',
    ],
    [
      'a pool below zero',
      forge('14', profitOf(2), '100000000000', 'reward', 'x'),
      'the books: rewards pool below zero is 9',
    ],
    [
      'a bonus paid again under another key',
      forge('9', profitOf(2), '3', 'referral_bonus', 'x'),
      'the books: referral bonus paid is',
    ],
    [
      'a bonus paid to somebody without a line',
      forge('9', profitOf(5), '3', 'level_bonus', `bonus/${FRIDAY}/level/5`),
      `session ${FRIDAY}: number of members paid otherwise than their lines is 1, not 0: first member 5`,
    ],
    [
      'a bonus that was not paid',
      drop(`bonus/${FRIDAY}/referral/2`),
      `session ${FRIDAY}: referral bonus transferred is 400000, not 7600000`,
    ],
    [
      'a share of the pool that was not paid',
      drop(`bonus/${FRIDAY}/weekly-pool`),
      `session ${FRIDAY}: put into the weekly pool is 0, not`,
    ],
    [
      'an edited line',
      `update income.bonus_line set bonus = bonus + 1 where session_day = '${FRIDAY}' and member_id = 2`,
      `session ${FRIDAY}: number of members paid otherwise than their lines is 1, not 0: first member 2`,
    ],
    [
      'a line moved to another member',
      `update income.bonus_line set member_id = 5 where session_day = '${FRIDAY}' and member_id = 2`,
      `session ${FRIDAY}: number of members paid otherwise than their lines is 2, not 0: first member 2`,
    ],
    [
      'an edited block',
      `update income.bonus_block set team_profit = team_profit + 1 where session_day = '${FRIDAY}'`,
      `session ${FRIDAY}: team profit of its blocks is`,
    ],
    [
      'a run that says it shared more',
      `update income.bonus_run set trade_fees = trade_fees + 1, trade_revenue = trade_revenue + 1 where session_day = '${FRIDAY}'`,
      `session ${FRIDAY}: trade fees shared is`,
    ],
    [
      'an edited result of a member',
      `update trading.daily_result set performance_fees = performance_fees + 2 where session_day = '${FRIDAY}' and member_id = 3`,
      `session ${FRIDAY}: performance fees shared is`,
    ],
    [
      'an edited trade',
      `update trading.trade set gross = gross + 1, result = result + 1 where session_day = '${FRIDAY}' and member_id = 4`,
      `session ${FRIDAY}: number of trades that the venue did not settle as P − N is 1, not 0: first trade 3`,
    ],
    [
      'a gain that the venue paid too often',
      forge('7', profitOf(3), '1', 'trade_profit', 'x', 'trade 2'),
      `session ${FRIDAY}: number of trades that the venue did not settle as P − N is 1, not 0: first trade 2`,
    ],
    [
      'a loss that never came to the venue',
      drop('trade/4/loss'),
      `session ${FRIDAY}: number of trades that the venue did not settle as P − N is 1, not 0: first trade 4`,
    ],
    [
      'a gain that was taken back',
      `insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx, market_at, created_at, reason, key, reference, hash)
       select to_account, from_account, amount, 0, null, id, pg_current_xact_id()::text::bigint, now(), now(), 'reversal', 'x', 'other', ''
       from ledger.transfer where key = 'trade/2/gain'`,
      `session ${FRIDAY}: number of trades that the venue did not settle as P − N is 1, not 0: first trade 2`,
    ],
  ])('%s', async ([, statement, message]) => {
    expect(await findAfter(statement, friday)).toContain(message);
  });
});

describe('a week or month does not end with', () => {
  test.for<[string, string, BookedRun, string]>([
    [
      'an income paid twice',
      forge('12', profitOf(2), '3', 'weekly_income', 'weekly/2026-02-23/2/again'),
      week,
      'week 2026-02-23: number of members paid otherwise than their lines is 1, not 0: first member 2',
    ],
    [
      'an income paid again under another key',
      forge('13', profitOf(2), '3', 'monthly_income', 'x'),
      month,
      'the books: monthly income paid is',
    ],
    ['an income that was not paid', drop('weekly/2026-02-23/2'), week, 'week 2026-02-23: transferred is 0, not'],
    [
      'an edited line',
      'update income.monthly_line set paid = paid - 1 where paid > 0',
      month,
      'month 2026-02-01: paid by its lines is',
    ],
    [
      'an edited block',
      "update income.period_block set paid = paid + 1 where kind = 'weekly'",
      week,
      'week 2026-02-23: paid by its blocks is',
    ],
    [
      'a pool that is not what its sessions put in',
      "update income.period_run set pool = pool + 1 where kind = 'weekly'",
      week,
      'week 2026-02-23: pool is',
    ],
  ])('%s', async ([, statement, run, message]) => {
    expect(await findAfter(statement, run)).toContain(message);
  });
});

test('from scratch, a move of the venue for a trade that never was is found as well', async () => {
  const work = inTransaction(database.db, async (tx: Tx) => {
    await sql.raw('set local session_replication_role = replica').execute(tx);
    await sql.raw(forge('7', profitOf(2), '1', 'trade_profit', 'x', 'trade 999')).execute(tx);
    const faults = (await listAllChecks(tx)).flatMap((check) => bookFault(check) ?? []);
    expect(faults).toContainEqual({
      subject: 'all sessions',
      message: 'number of trades that the venue did not settle as P − N is 1, not 0: first trade 999',
    });
    throw new Undo();
  });
  await expect(work).rejects.toThrow(Undo);
});
