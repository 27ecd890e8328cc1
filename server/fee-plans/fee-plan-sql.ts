import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue } from '#server/db/rows.ts';
import type { FeePlan, FeePlanTerms, RankTerms } from './core/fee-plan.ts';

/** Amounts of arrays come as text: the two engines do not read arrays of bigint alike. */
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
  const { rows } = await sql<Row>`select ${columns} from trading.fee_plan p ${which}`.execute(db);
  return rows.map(toPlan);
};

export async function findPlan(db: Db, id: number): Promise<FeePlan | undefined> {
  const [plan] = await select(db, sql`where p.id = ${id}`);
  return plan;
}

/** Newest first; the migration wrote the first one, so there always is one. */
export const listPlansNewestFirst = (db: Db): Promise<FeePlan[]> => select(db, sql`order by p.id desc`);

/** The newest plan and the one of the session that opened last, in one look: of one plan when both are the same. */
export const listInForce = (db: Db): Promise<FeePlan[]> =>
  select(
    db,
    sql`
    where p.id = (select max(id) from trading.fee_plan)
      or p.id = (select s.fee_plan_id from trading.session s where s.fee_plan_id is not null order by s.day desc limit 1)
    order by p.id desc`,
  );

/** The plan of the session that opened last; undefined before the first. */
export const findOpenedPlanId = (db: Db) =>
  findValue(db)<number>`
    select fee_plan_id as id from trading.session where fee_plan_id is not null order by day desc limit 1`;

/** Lets one plan be written at a time, so that ids follow the order they are committed in. Reading waits for nobody. */
export const lockPlans = (tx: Tx) => execute(tx)`select trading.lock_fee_plans()`;

export type NewFeePlan = {
  readonly terms: FeePlanTerms;
  readonly note: string;
  readonly operatorId: bigint;
  readonly createdAt: Date;
};

export async function insertPlan(tx: Tx, { terms, note, operatorId, createdAt }: NewFeePlan): Promise<FeePlan> {
  const amounts = (pick: (rank: RankTerms) => bigint) => terms.ranks.map((rank) => pick(rank).toString());
  const { rows } = await sql<Row>`
    insert into trading.fee_plan as p (trade_fee_bps, performance_fee_bps, withdrawal_fee_bps, withdrawal_fee_min, level_bps,
      weekly_bps, monthly_bps, rewards_bps, team_profit_bps, weekly_min_directs, weekly_cap_bps, leg_cap_bps, rank_volume,
      rank_monthly, rank_reward, note, operator_id, created_at)
    values (${terms.tradeFeeBps}, ${terms.performanceFeeBps}, ${terms.withdrawalFeeBps}, ${terms.withdrawalFeeMin},
      ${terms.levelBps}::int[], ${terms.weeklyBps}, ${terms.monthlyBps}, ${terms.rewardsBps}, ${terms.teamProfitBps}::int[],
      ${terms.weeklyMinDirects}, ${terms.weeklyCapBps}, ${terms.legCapBps}, ${amounts(({ volume }) => volume)}::bigint[],
      ${amounts(({ monthly }) => monthly)}::bigint[], ${amounts(({ reward }) => reward)}::bigint[], ${note}, ${operatorId}, ${createdAt})
    returning ${columns}`.execute(tx);
  return toPlan(rows[0] as Row);
}
