import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { dollars, even, periodWorlds, read } from '../periods/period-world.test-setup.ts';
import { readBonusBooks, shareDay } from './bonus-world.test-setup.ts';
import { dryRunFeePlan } from './dry-run-fee-plan.ts';

const worlds = closeAfterAll(periodWorlds());

const up = (memberId: bigint, amount: number) => ({ memberId, micros: dollars(amount), trend: 'up' }) as const;

/** 2 has 3, who has 4 and 5: level 2 is missed by 2, of one active direct. */
async function openShared(): Promise<Context> {
  const context = await worlds.open('2026-03-03');
  await addTeam(context, [1n, 2n, 3n, 3n]);
  await shareDay(context, '2026-03-03', [even(2n, 1)]);
  await shareDay(context, '2026-03-04', [even(2n, 50), up(3n, 100), up(4n, 200), even(5n, 33.333333)]);
  return context;
}

const context = await openShared();

test('under its own plan a session has exactly the same result, including the hash', async () => {
  const { session, actual, proposed, outputs_hash } = await dryRunFeePlan(context, firstFeePlan);
  expect(session).toBe('2026-03-04');
  expect(proposed).toEqual(actual);
  // 0.20 + 0.40 + 0.80 + 0.133333 of fees; a tenth of gains of 9.56 and 19.12.
  expect(actual).toMatchObject({ trade_fees: 1.533333, performance_fees: 2.868, beneficiaries: 2 });
  const [run] = await read(context, sql`select outputs_hash from income.bonus_run where session_day = '2026-03-04'`);
  expect(outputs_hash).toBe(run.outputs_hash);
});

test('other rates and shares are computed from the trades', async () => {
  const terms = {
    ...firstFeePlan,
    trade_fee_bps: 100,
    performance_fee_bps: 2000,
    level_bps: [5000, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    weekly_bps: 5000,
    monthly_bps: 0,
    rewards_bps: 0,
    team_profit_bps: [10_000, 0, 0],
  };
  const { actual, proposed } = await dryRunFeePlan(context, terms);
  expect(actual.trade_fees).toBe(1.533333);
  // 1 % of 383.333333; 99 and 198 become 108.9 and 217.8, a fifth of whose gains of 8.9 and 17.8 is taken.
  expect(proposed).toEqual({
    trade_fees: 3.833333,
    performance_fees: 5.34,
    execution_cost: 0,
    // Half of 1 (2 has 3) and of 2.333333 (3 has 4 and 5).
    referral_bonus: 1.666666,
    level_bonus: 0,
    team_profit: 5.34,
    pool_weekly: 1.916666,
    paid_weekly: 0,
    pool_monthly: 0,
    paid_monthly: 0,
    pool_rewards: 0,
    revenue: 0.250001,
    beneficiaries: 2,
  });
});

test('for the pools it shows the contributed parts that would be paid, by the directs and ranks that the terms require', async () => {
  // Fees of 1.533333 fill the pool with 0.153333: of it 0.039999 of 3 are 2's alone, 0.079999 of 4 and 0.013333 of 5 are split between 2 and 3.
  const terms = {
    ...firstFeePlan,
    weekly_min_directs: 1,
    weekly_cap_bps: 10_000,
    leg_cap_bps: 10_000,
    ranks: firstFeePlan.ranks.map((rank, index) => ({ ...rank, volume: [100, 300, 400, 500, 600][index] ?? 0 })),
  };
  const { actual, proposed } = await dryRunFeePlan(context, terms);
  expect(actual).toMatchObject({ pool_weekly: 0.153333, paid_weekly: 0, pool_monthly: 0.153333, paid_monthly: 0 });
  expect(proposed.paid_weekly).toBe(0.133329);
  expect(proposed.paid_monthly).toBe(0.133329);
  const capped = await dryRunFeePlan(context, { ...terms, weekly_cap_bps: 1000 });
  expect(capped.proposed.paid_weekly).toBe(0.030666);
});

test('nothing is posted and nothing is stored', async () => {
  const before = await readBonusBooks(context);
  const sizes = async () =>
    read(
      context,
      sql`select (select count(*) from ledger.transfer) as transfers, (select max(id) from ledger.transfer) as last,
        (select count(*) from income.level_sum) as sums, (select count(*) from trading.fee_plan) as plans,
        (select count(*) from notify.notification) as messages, (select count(*) from pg_class where relname like '%again%') as tables`,
    );
  const counted = await sizes();
  await dryRunFeePlan(context, { ...firstFeePlan, trade_fee_bps: 1 });
  await dryRunFeePlan(context, { ...firstFeePlan, trade_fee_bps: 1 });
  expect(await readBonusBooks(context)).toEqual(before);
  expect(await sizes()).toEqual(counted);
});

test('a dry run of the same terms gives the same hash, of others another', async () => {
  const terms = { ...firstFeePlan, weekly_bps: 999 };
  const first = await dryRunFeePlan(context, terms);
  expect(await dryRunFeePlan(context, terms)).toEqual(first);
  expect((await dryRunFeePlan(context, firstFeePlan)).outputs_hash).not.toBe(first.outputs_hash);
});

test('what no plan may say is refused, and so is a dry run before the first session', async () => {
  const fresh = await worlds.open('2026-03-03');
  await expect(dryRunFeePlan(fresh, firstFeePlan)).rejects.toMatchObject({ code: 'no_shared_session' });
  await expect(dryRunFeePlan(context, { ...firstFeePlan, weekly_bps: 3501 })).rejects.toMatchObject({
    code: 'fee_plan_over_100',
  });
  const ranks = firstFeePlan.ranks.map((rank) => ({ ...rank, volume: 5000 }));
  await expect(dryRunFeePlan(context, { ...firstFeePlan, ranks })).rejects.toMatchObject({ code: 'fee_plan_ranks' });
});
