import { dollarsOrNull, toDollars, toTotal } from '#contract/money.ts';
import type { SessionAsset, SessionDetail } from '#contract/operator/sessions.ts';
import type { Context } from '#server/context.ts';
import { findSessionRun, listSessionPeriods, type SessionPeriod, type SessionRun } from '#server/income/index.ts';
import { orRefuse } from '#server/refused.ts';
import {
  findSessionFigures,
  listHaltsBetween,
  listSessionAssets,
  type SessionAssetFigures,
  type SessionFigures,
  type SessionPrice,
  showHalts,
  sumQueued,
} from '#server/trading/index.ts';
import { listLastFindingsAbout } from '../integrity/run-sql.ts';
import { showSession } from './list-sessions.ts';

/**
 * One session with everything that explains its figures. Trade results by asset take one pass over the trades, needed
 * once for a settled session; everything else is read by key.
 *
 * Refuses `not_found`.
 */
export async function getSessionDetail({ db }: Context, day: string): Promise<SessionDetail> {
  const session = orRefuse(await findSessionFigures(db, day), 'not_found');
  const isSettled = session.state === 'settled';
  const [assets, queued, halts, run, periods, findings] = await Promise.all([
    listSessionAssets(db, { day, isSettled }),
    isSettled ? null : sumQueued(db),
    listHaltsBetween(db, session.opensAt, session.closesAt),
    findSessionRun(db, day),
    listSessionPeriods(db, day),
    listLastFindingsAbout(db, `session ${day}`),
  ]);
  return {
    ...showSession(session, run?.state),
    fee_plan: showFeePlan(session),
    assets: assets.map(showAsset),
    queued: queued && { trades: Number(queued.trades), staked: toDollars(queued.staked) },
    blocks: Number(session.blocks),
    halts: await showHalts(db, halts),
    bonus: run === undefined ? null : showRun(run),
    periods: periods.map(showPeriod),
    findings,
  };
}

const showFeePlan = ({ feePlanId, tradeBps, performanceBps }: SessionFigures): SessionDetail['fee_plan'] =>
  feePlanId === null || tradeBps === null || performanceBps === null
    ? null
    : { id: feePlanId, trade_fee_bps: tradeBps, performance_fee_bps: performanceBps };

const showPrice = ({ mark, spreadBps, price, at }: SessionPrice) => ({
  mark,
  spread_bps: spreadBps,
  price,
  at: at.toISOString(),
});

const showAsset = (asset: SessionAssetFigures): SessionAsset => ({
  symbol: asset.symbol,
  opening: { ...showPrice(asset.opening), source: asset.isFilled ? 'filled' : asset.opening.source },
  closing: asset.closing && { ...showPrice(asset.closing), late: asset.closing.isLate },
  trades: Number(asset.trades),
  staked: toTotal(asset.staked),
  trade_fees: toTotal(asset.tradeFees),
  open: { trades: Number(asset.openTrades), staked: toDollars(asset.openStaked) },
  gross: toTotal(asset.gross),
  performance_fees: toTotal(asset.performanceFees),
  result: toTotal(asset.result),
});

const showRun = ({ shares, execution, ...run }: SessionRun): NonNullable<SessionDetail['bonus']> => ({
  state: run.state,
  fee_plan: run.feePlanId,
  blocks: Number(run.blocks),
  ran_at: run.ranAt?.toISOString() ?? null,
  finished_at: run.finishedAt?.toISOString() ?? null,
  execution: execution && {
    cost: toDollars(execution.executionCost),
    uncovered: toDollars(execution.executionCost - execution.tradeCost - execution.performanceCost),
  },
  shares: shares && {
    referral_bonus: toDollars(shares.referralBonus),
    level_bonus: toDollars(shares.levelBonus),
    team_profit: toDollars(shares.teamProfit),
    pool_weekly: toDollars(shares.poolWeekly),
    pool_monthly: toDollars(shares.poolMonthly),
    pool_rewards: toDollars(shares.poolRewards),
    revenue: toDollars(shares.tradeRevenue + shares.performanceRevenue),
  },
  inputs_hash: run.inputsHash,
  outputs_hash: run.outputsHash,
});

const showPeriod = (period: SessionPeriod): SessionDetail['periods'][number] => ({
  kind: period.kind,
  starts_on: period.startsOn,
  ends_on: period.endsOn,
  state: period.state,
  pool: toDollars(period.pool),
  paid: dollarsOrNull(period.paid),
  released: dollarsOrNull(period.released),
  inputs_hash: period.inputsHash,
  outputs_hash: period.outputsHash,
});
