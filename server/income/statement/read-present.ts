import type { Tx } from '#server/db/connect.ts';
import { type FeePlan, findFeePlans, findOpenedDay } from '#server/fee-plans/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { findLastDoneDay } from '../bonus/bonus-run-sql.ts';
import { lastDay, type Period, type PeriodKind, periodOf } from '../core/periods.ts';

/** Basis of the figures of a current week or month. */
export type Present = {
  readonly period: Period;
  /** Activity and volume are as of this session; undefined before the first. */
  readonly distributedDay: string | undefined;
  /** That of the period's last session: if it has not opened yet, of the next one, unless another is created meanwhile. */
  readonly plan: FeePlan;
};

export async function readPresent(tx: Tx, kind: PeriodKind): Promise<Present> {
  const marketAt = await getMarketTime(tx);
  const period = periodOf(kind, marketAt.toISOString().slice(0, 10));
  const distributedDay = await findLastDoneDay(tx);
  const { current, next = current } = await findFeePlans(tx);
  const hasOpened = (await findOpenedDay(tx)) === lastDay(period);
  return { period, distributedDay, plan: hasOpened ? current : next };
}
