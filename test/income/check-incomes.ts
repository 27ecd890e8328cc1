import { sql } from 'kysely';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { Db } from '#server/db/connect.ts';
import { computeIncomes, type ModelMember, type ModelSession, type ModelTrade } from './model.ts';

/**
 * Recalculates all incomes from the team tree and each member's trades, and compares them with the ledger's payments:
 * an interrupted run must produce the same ledger as an uninterrupted one.
 *
 * @returns the first few differences
 */
export async function checkIncomes(db: Db): Promise<string[]> {
  const expected = await workOut(db);
  const paid = await listPaid(db);
  const keys = [...new Set([...expected.keys(), ...paid.keys()])].sort();
  return keys
    .filter((key) => expected.get(key) !== paid.get(key))
    .slice(0, 5)
    .map((key) => `${key}: paid ${paid.get(key) ?? 'nothing'}, should be ${expected.get(key) ?? 'nothing'}`);
}

async function workOut(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<ModelMember & { on: string | null; weeksFrom: string; monthsFrom: string }>`
    select id, sponsor_id as "sponsorId", closed_on::text as on, weeks_from::text as "weeksFrom", months_from::text as "monthsFrom"
    from identity.member left join income.closed_member on member_id = id order by id`.execute(db);
  const members: ModelMember[] = rows.map(({ id, sponsorId, on, weeksFrom, monthsFrom }) => ({
    id,
    sponsorId,
    closed: on === null ? undefined : { on, weeksFrom, monthsFrom },
  }));
  const { rows: results } = await sql<ModelTrade & { day: string }>`
    select session_day::text as day, member_id as "memberId", volume as amount, trade_fees as fee, performance_fees as "performanceFee"
    from trading.daily_result join trading.session on day = session_day
    where state = 'settled' order by session_day, member_id`.execute(db);
  const { rows: days } = await sql<{ day: string; planId: number }>`
    select day::text, fee_plan_id as "planId" from trading.session where state = 'settled' order by day`.execute(db);
  const { rows: market } = await sql<{ day: string }>`
    select least((select (at at time zone 'UTC')::date from market.clock),
      (select day from trading.session where state <> 'settled'))::text as day`.execute(db);
  const byDay = Map.groupBy(results, ({ day }) => day);
  const costs = await readExecutionCosts(db);
  const plans = await readPlans(db);
  const sessions: ModelSession[] = days.map(({ day, planId }) => ({
    day,
    trades: byDay.get(day) ?? [],
    executionCost: costs.get(day) ?? 0n,
    plan: plans.get(planId) as FeePlanTerms,
  }));
  const { rows: rules } = await sql<{ from: string }>`
    select begins_on::text as from from income.period_rule where rule = 2`.execute(db);
  return computeIncomes({
    members,
    sessions,
    marketDay: market[0]?.day ?? '',
    countedOnceFrom: rules[0]?.from ?? '9999',
  }).transfers;
}

/** The execution cost of each session: the sum over its batches, from the entries of `venue_result` alone. */
async function readExecutionCosts(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ day: string; lost: bigint }>`
    select b.charged_on::text as day, sum(case t.reason when 'venue_fee' then t.amount else -t.amount end)::bigint as lost
    from ledger.transfer t join trading.batch b on t.key = concat('batch/', b.id, '/result')
    where t.reason in ('venue_fee', 'venue_rebate') and b.charged_on is not null group by 1`.execute(db);
  return new Map(rows.flatMap(({ day, lost }) => (lost > 0n ? [[day, lost] as const] : [])));
}

/** By id. */
async function readPlans(db: Db): Promise<ReadonlyMap<number, FeePlanTerms>> {
  type Row = Omit<FeePlanTerms, 'withdrawal_fee_min' | 'ranks'> & { id: number; minimum: bigint } & Record<
      'volumes' | 'months' | 'rewards',
      string[]
    >;
  const { rows } = await sql<Row>`
    select id, trade_fee_bps, performance_fee_bps, withdrawal_fee_bps, withdrawal_fee_min as minimum, level_bps, weekly_bps,
      monthly_bps, rewards_bps, team_profit_bps, weekly_min_directs, weekly_cap_bps, leg_cap_bps,
      rank_volume::text[] as volumes, rank_monthly::text[] as months, rank_reward::text[] as rewards
    from trading.fee_plan`.execute(db);
  const dollars = (micros: string | bigint | undefined) => Number(micros) / 1e6;
  return new Map(
    rows.map(({ id, minimum, volumes, months, rewards, ...terms }) => [
      id,
      {
        ...terms,
        withdrawal_fee_min: dollars(minimum),
        ranks: volumes.map((volume, index) => ({
          volume: dollars(volume),
          monthly: dollars(months[index]),
          reward: dollars(rewards[index]),
        })),
      },
    ]),
  );
}

async function listPaid(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ key: string; amount: bigint }>`
    select key, amount from ledger.transfer where key ~ '^(bonus|weekly|monthly)/'`.execute(db);
  return new Map(rows.map(({ key, amount }) => [key, amount]));
}
