import { strict as assert } from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { feePlans, FeePlan as ShownPlan } from '#contract/fee-plan.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, getRow, getValue, listRows } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type FeePlan, type FeePlanTerms, type RankTerms, showTerms } from './core/fee-plan.ts';

/** The plan that applies now, and the one from the next session on; `next` is undefined when they are the same. */
export type FeePlansInForce = { readonly current: FeePlan; readonly next: FeePlan | undefined };

/**
 * The plan of the latest session, open or not, and the newest plan, which the next session uses (docs/product.md,
 * section 6). Before the first session the newest is both.
 */
export async function findFeePlans(db: Db): Promise<FeePlansInForce> {
  const [newest, opened] = await listInForce(db);
  assert(newest, 'the first fee plan comes with the schema');
  return opened === undefined ? { current: newest, next: undefined } : { current: opened, next: newest };
}

/** The newest plan, locked: no other transaction can create a newer one until this one ends. */
export async function lockNewestFeePlan(tx: Tx): Promise<FeePlan> {
  await lockPlans(tx);
  const { current, next } = await findFeePlans(tx);
  return next ?? current;
}

/** A plan by the id stored with a session, run or period. */
export async function getFeePlan(db: Db, id: number): Promise<FeePlan> {
  const [plan] = await select(db, sql`where p.id = ${id}`);
  assert(plan, `fee plan ${id} exists, for something refers to it`);
  return plan;
}

/** All plans, newest first. */
export function listFeePlans(db: Db): Promise<{ items: ShownPlan[] }> {
  return inSnapshot(db, async (tx) => {
    const plans = await select(tx, sql`order by p.id desc`);
    const [newest] = plans;
    assert(newest, 'the first fee plan comes with the schema');
    const ids = { newestId: newest.id, currentId: (await findOpenedPlanId(tx)) ?? newest.id };
    return { items: plans.map((plan) => showFeePlan(plan, ids)) };
  });
}

/** The public fee schedule (docs/product.md, section 6); `next` is null when no change is scheduled. */
export async function getFees(db: Db): Promise<DataOf<typeof feePlans.getFees>> {
  const { current, next } = await findFeePlans(db);
  const ids = { currentId: current.id, newestId: (next ?? current).id };
  return { current: showFeePlan(current, ids), next: next === undefined ? null : showFeePlan(next, ids) };
}

/** The plans that are not past: the newest, and that of the latest session. */
type PlanIds = { readonly newestId: number; readonly currentId: number };

/** A plan in API form (contract/fee-plan.ts). A plan replaced before any session used it is past. */
export const showFeePlan = (plan: FeePlan, { newestId, currentId }: PlanIds): ShownPlan => ({
  id: plan.id.toString(),
  terms: showTerms(plan),
  note: plan.note,
  created_at: plan.createdAt.toISOString(),
  state: plan.id === currentId ? 'current' : plan.id === newestId ? 'next' : 'past',
});

/** Array amounts are read as text: the two engines parse arrays of bigint differently. */
type Row = Omit<FeePlan, 'ranks'> & {
  readonly rankVolume: readonly string[];
  readonly rankMonthly: readonly string[];
  readonly rankReward: readonly string[];
};

const columns = sql`
  p.id, p.trade_fee_bps as "tradeFeeBps", p.performance_fee_bps as "performanceFeeBps", p.withdrawal_fee_bps as "withdrawalFeeBps",
  p.withdrawal_fee_min as "withdrawalFeeMin", p.level_bps as "levelBps", p.weekly_bps as "weeklyBps", p.monthly_bps as "monthlyBps",
  p.rewards_bps as "rewardsBps", p.team_profit_bps as "teamProfitBps", p.weekly_min_directs as "weeklyMinDirects",
  p.weekly_cap_bps as "weeklyCapBps", p.leg_cap_bps as "legCapBps", p.rank_volume::text[] as "rankVolume",
  p.rank_monthly::text[] as "rankMonthly", p.rank_reward::text[] as "rankReward", p.note, p.created_at as "createdAt"`;

const toPlan = ({ rankVolume, rankMonthly, rankReward, ...row }: Row): FeePlan => ({
  ...row,
  ranks: rankVolume.map((volume, index) => ({
    volume: BigInt(volume),
    monthly: BigInt(rankMonthly[index] as string),
    reward: BigInt(rankReward[index] as string),
  })),
});

const select = async (db: Db, which: RawBuilder<unknown>): Promise<FeePlan[]> => {
  const rows = await listRows(db)<Row>`select ${columns} from trading.fee_plan p ${which}`;
  return rows.map(toPlan);
};

/** The newest plan and that of the latest session, in one query; a single row when they are the same. */
const listInForce = (db: Db): Promise<FeePlan[]> =>
  select(
    db,
    sql`
    where p.id = (select max(id) from trading.fee_plan)
      or p.id = (select s.fee_plan_id from trading.session s where s.fee_plan_id is not null order by s.day desc limit 1)
    order by p.id desc`,
  );

/** Plan id of the latest session; undefined before the first. */
export const findOpenedPlanId = (db: Db) =>
  findValue(db)<number>`
    select fee_plan_id as id from trading.session where fee_plan_id is not null order by day desc limit 1`;

/** The day of the latest session; null before the first. */
export const findOpenedDay = (db: Db) =>
  getValue(db)<string | null>`select max(day)::text as day from trading.session where fee_plan_id is not null`;

/** Serializes the creation of plans, so that ids follow commit order. Readers are not blocked. */
export const lockPlans = (tx: Tx) => execute(tx)`select trading.lock_fee_plans()`;

type NewFeePlan = {
  readonly terms: FeePlanTerms;
  readonly note: string;
  readonly operatorId: bigint;
  readonly createdAt: Date;
};

export async function insertPlan(tx: Tx, { terms, note, operatorId, createdAt }: NewFeePlan): Promise<FeePlan> {
  const amounts = (pick: (rank: RankTerms) => bigint) => terms.ranks.map((rank) => pick(rank).toString());
  const row = await getRow(tx)<Row>`
    insert into trading.fee_plan as p (trade_fee_bps, performance_fee_bps, withdrawal_fee_bps, withdrawal_fee_min, level_bps,
      weekly_bps, monthly_bps, rewards_bps, team_profit_bps, weekly_min_directs, weekly_cap_bps, leg_cap_bps, rank_volume,
      rank_monthly, rank_reward, note, operator_id, created_at)
    values (${terms.tradeFeeBps}, ${terms.performanceFeeBps}, ${terms.withdrawalFeeBps}, ${terms.withdrawalFeeMin},
      ${terms.levelBps}::int[], ${terms.weeklyBps}, ${terms.monthlyBps}, ${terms.rewardsBps}, ${terms.teamProfitBps}::int[],
      ${terms.weeklyMinDirects}, ${terms.weeklyCapBps}, ${terms.legCapBps}, ${amounts(({ volume }) => volume)}::bigint[],
      ${amounts(({ monthly }) => monthly)}::bigint[], ${amounts(({ reward }) => reward)}::bigint[], ${note}, ${operatorId}, ${createdAt})
    returning ${columns}`;
  return toPlan(row);
}
