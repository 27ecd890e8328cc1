import type { Tx } from '#server/db/connect.ts';
import { type FeePlan, findFeePlans } from '#server/fee-plans/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { findLastDoneDay } from '../bonus/bonus-run-sql.ts';

/** Basis of the figures of a current week or month. */
export type Present = {
  /** The market day. */
  readonly today: string;
  /** Activity and volume are as of this session; undefined before the first. */
  readonly distributedDay: string | undefined;
  /** The plan of the next session. */
  readonly plan: FeePlan;
};

export async function readPresent(tx: Tx): Promise<Present> {
  const marketAt = await getMarketTime(tx);
  const distributedDay = await findLastDoneDay(tx);
  const { current, next = current } = await findFeePlans(tx);
  return { today: marketAt.toISOString().slice(0, 10), distributedDay, plan: next };
}
