import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, sealLedger } from '#server/ledger/index.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { addTeam, settleSession } from '#test/worlds/settled-session.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { getSolvency } from './get-solvency.ts';
import { payDue } from './periods/pay-due.ts';

let database: Database;
let context: Context;

beforeEach(async () => {
  ({ database, context } = await bootWithoutMarket('2026-02-20T00:00:00Z'));
});
afterEach(() => database.close());

const setMarket = (at: string) => sql`update market.clock set at = ${at}::timestamptz`.execute(context.db);

/** Two sessions in two months: a member and the member's sponsor trade 1000 $ each, once up and once down. */
async function playTwoSessions(): Promise<void> {
  const [sponsor = 0n] = await addTeam(context, [1n]);
  const [trader = 0n] = await addTeam(context, [sponsor]);
  for (const [day, trend] of [
    ['2026-02-27', 'up'],
    ['2026-03-02', 'down'],
  ] as const) {
    await settleSession(
      context,
      day,
      [sponsor, trader].map((memberId) => ({ memberId, micros: 1_000_000_000n, trend })),
    );
  }
  await setMarket('2026-03-03T09:00:00Z');
  await payDue(context);
}

/** In API form, with the fields that later domains add. */
const valid = ({ assets, ...books }: Awaited<ReturnType<typeof getSolvency>>) =>
  endpoints.solvency.getSolvency.data.parse({
    ...books,
    assets: { ...assets, reported: null },
    exposure: 0,
    residuals: [],
    gateway_deviation: null,
    gateway_coins: [],
    sealed_at: null,
    root: null,
    own: null,
    heads: null,
  });

test('before anything happened nothing is held, nothing is owed, and nothing is said about members', async () => {
  const solvency = valid(await getSolvency(context));
  expect(solvency).toMatchObject({
    simulated: true,
    assets: { booked: 0, gateway: 0, venue: 0 },
    liabilities: 0,
    surplus: 0,
    lifetime: null,
    months: [],
    sessions: [],
    members: { traded: 0, negative: 0 },
    checked: null,
  });
  expect(solvency.accounts).toHaveLength(18);
});

/*
 * Up: N = 996, P = 1095.60, gain over the amount 95.60, performance fee 9.56. Of two trades: fees 8 and 19.12, gains
 * 2 × 99.60. Down: N = 996, P = 946.20, losses 2 × 49.80. Shares of a session: referral 20 % of the trader's fee of 4,
 * team profit 15 % of 9.56 (active sponsor); pools 25 % of 8; the rest is revenue.
 */
test('each session’s fees and results stand beside the incomes they paid, to the micro', async () => {
  await playTwoSessions();
  const { sessions, months, lifetime } = valid(await getSolvency(context));
  const incomes = (team_profit: number) => [
    { kind: 'referral', amount: 0.8 },
    { kind: 'level', amount: 0 },
    { kind: 'team_profit', amount: team_profit },
    { kind: 'weekly', amount: 0 },
    { kind: 'monthly', amount: 0 },
    { kind: 'reward', amount: 0 },
  ];
  const up = {
    trade_fees: 8,
    performance_fees: 19.12,
    execution_cost: 0,
    gains: 199.2,
    losses: 0,
    incomes: incomes(1.434),
    incomes_total: 2.234,
    pools_change: 2,
    revenue: 22.886,
  };
  const down = {
    trade_fees: 8,
    performance_fees: 0,
    execution_cost: 0,
    gains: 0,
    losses: 99.6,
    incomes: incomes(0),
    incomes_total: 0.8,
    pools_change: 2,
    revenue: 5.2,
  };
  // Nobody qualifies for the week and the month that ended: their fills are revenue on the day on which they are paid.
  const released = { pools_change: -1.6, revenue: 1.6 };
  expect(sessions).toEqual([
    {
      from: '2026-03-03',
      to: '2026-03-03',
      trade_fees: 0,
      performance_fees: 0,
      execution_cost: 0,
      gains: 0,
      losses: 0,
      incomes: incomes(0).map((income) => ({ ...income, amount: 0 })),
      incomes_total: 0,
      ...released,
    },
    { from: '2026-03-02', to: '2026-03-02', ...down },
    { from: '2026-02-27', to: '2026-02-27', ...up },
  ]);
  expect(months).toEqual([
    { from: '2026-03-01', to: '2026-03-31', ...down, pools_change: 0.4, revenue: 6.8 },
    { from: '2026-02-01', to: '2026-02-28', ...up },
  ]);
  expect(lifetime).toMatchObject({
    from: '2026-02-27',
    to: '2026-03-03',
    trade_fees: 16,
    gains: 199.2,
    losses: 99.6,
    incomes_total: 3.034,
    pools_change: 2.4,
    revenue: 29.686,
  });
});

test('the months of two years add up to the total', async () => {
  const [memberId = 0n] = await addTeam(context, [1n]);
  for (const day of ['2024-02-29', '2025-01-31', '2025-12-31', '2026-03-02'])
    await settleSession(context, day, [{ memberId, micros: 1_000_000_000n, trend: 'up' }]);
  await setMarket('2026-03-03T09:00:00Z');
  await payDue(context);
  const { months, lifetime } = valid(await getSolvency(context));
  expect(months.map(({ from }) => from)).toContain('2024-02-01');
  expect(months.reduce((sum, month) => sum + month.trade_fees, 0)).toBe(lifetime?.trade_fees);
});

test('assets are what is owed and what is left, sealed or not, and the last check is named', async () => {
  await playTwoSessions();
  const before = valid(await getSolvency(context));
  // Deposits of 4000, gains 199.20, losses 99.60; the paper venue gave all back.
  expect(before.assets).toEqual({ booked: 4099.6, gateway: 4099.6, venue: 0, reported: null });
  expect(before.surplus).toBe(29.686);
  expect(before.liabilities).toBe(4069.914);
  const amounts = Object.fromEntries(before.accounts.map(({ name, amount }) => [name, amount]));
  expect(amounts).toMatchObject({
    pool_weekly: 0.8,
    pool_monthly: 0.8,
    pool_rewards: 0.8,
    trade_fees: 0,
    trade_escrow: 0,
  });
  expect(before.checked).toEqual({ session: '2026-03-02', at: context.now().toISOString() });
  await sealLedger(context);
  expect(valid(await getSolvency(context))).toEqual(before);
});

test('what is owed beside members’ accounts is named: fees that are not shared yet and payments that are not credited', async () => {
  const [memberId = 0n] = await addTeam(context, [1n]);
  await settleSession(context, '2026-03-02', [{ memberId, micros: 1_000_000_000n }]);
  await inTransaction(context.db, (tx) =>
    post(tx, [
      {
        key: 'late',
        from: { class: 'gateway' },
        to: { class: 'unallocated' },
        amountMicros: 5_000_000n,
        reason: 'deposit_unallocated',
        reference: 'deposit 1',
        marketAt: context.now(),
      },
    ]),
  );
  await setMarket('2026-03-03T09:00:00Z');
  const { accounts, liabilities, surplus, sessions } = valid(await getSolvency(context));
  const owed = accounts.filter(({ group, amount }) => group === 'owed' && amount !== 0);
  expect(owed).toEqual([
    { name: 'unallocated', group: 'owed', amount: 5 },
    { name: 'trade_fees', group: 'owed', amount: 4 },
  ]);
  expect({ liabilities, surplus }).toEqual({ liabilities: 1005, surplus: 0 });
  expect(sessions).toMatchObject([{ trade_fees: 4, incomes_total: 0, pools_change: 0, revenue: 0 }]);
});

test('a ledger that does not balance is not shown as if it did', async () => {
  await playTwoSessions();
  await sealLedger(context);
  await tamper(
    database,
    "update ledger.flow_total set amount = amount + 1 where day is null and reason = 'referral_bonus'",
  );
  await expect(getSolvency(context)).rejects.toThrow('assets are not liabilities and surplus');
});
