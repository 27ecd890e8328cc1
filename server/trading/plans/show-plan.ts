import { dollarsOrNull, toDollars, toTotal } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import type { Plan, PlanDecision, PlanSession } from '#contract/trading/plan.ts';
import { type ReasonCode, reasonWords } from '#contract/trading/strategy.ts';
import type { Db } from '#server/db/connect.ts';
import { toPercent } from '../core/stops/stops.ts';
import { readView, showTrade, type View } from '../orders/show-trade.ts';
import { listLiveTradesOfPlans, type TradeRow } from '../orders/trade-sql.ts';
import { type DatedDecision, listEntryDecisions, listLastDecisions, type PlanSetting } from './decision-sql.ts';
import {
  listPlanEvents,
  listPlanSessions,
  listPlanTotals,
  listPlanValuesBefore,
  listSettledDays,
  type PlanEventRow,
  type PlanRow,
  type PlanSessionRow,
  type PlanTotals,
} from './plan-sql.ts';

/** Sessions shown with a plan. */
const SESSIONS_SHOWN = 60;

/** Plans as shown to their member (contract/trading/plan.ts), with a fixed number of queries. */
export async function showPlans(db: Db, rows: readonly PlanRow[]): Promise<Plan[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const days = await listSettledDays(db, SESSIONS_SHOWN);
  const from = days[0]?.day ?? '9999-12-31';
  const [view, totals, traded, before, events, entries, live] = await Promise.all([
    readView(db),
    listPlanTotals(db, ids),
    listPlanSessions(db, ids, from),
    listPlanValuesBefore(db, ids, from),
    listPlanEvents(db, ids),
    listEntryDecisions(db, rows, from),
    listLiveTradesOfPlans(db, ids),
  ]);
  const decisions = await Promise.all(rows.map((row) => listLastDecisions(db, row, 1)));
  return rows.map((row, index) =>
    showPlan(row, {
      view,
      trade: live.find((trade) => trade.plan_id === row.id),
      totals: totals.find((sum) => sum.plan_id === row.id),
      decision: decisions[index]?.[0],
      sessions: showSessions({
        days: days.filter(({ opens_at }) => opens_at > row.created_market_at && isBeforeEnd(row, opens_at)),
        amount: row.amount,
        valueBefore: before.find((value) => value.plan_id === row.id)?.value,
        traded: traded.filter((session) => session.plan_id === row.id),
        events: events.filter((event) => event.plan_id === row.id),
        entries: entries.filter((entry) => isOf(entry, row)),
      }),
    }),
  );
}

const isBeforeEnd = (row: PlanRow, opensAt: Date): boolean =>
  row.redeemed_market_at === null || opensAt < row.redeemed_market_at;

const isOf = (one: PlanSetting, other: PlanSetting): boolean => settingKey(one) === settingKey(other);
const settingKey = ({ symbol, strategy, params }: PlanSetting): string =>
  JSON.stringify([symbol, strategy, params.period, params.atr_multiple]);

type PlanContext = {
  readonly view: View;
  readonly trade: TradeRow | undefined;
  readonly totals: PlanTotals | undefined;
  readonly decision: DatedDecision | undefined;
  readonly sessions: PlanSession[];
};

function showPlan(row: PlanRow, { view, trade, totals, decision, sessions }: PlanContext): Plan {
  const principal = row.cash + (trade?.amount ?? 0n);
  const shown = trade && showTrade(trade, view);
  return {
    id: row.id.toString(),
    symbol: row.symbol,
    strategy: row.strategy,
    params: row.params,
    wallet_type: row.wallet,
    amount: toDollars(row.amount),
    principal: toDollars(principal),
    value: shown?.live ? addDollars(principal, shown.live.result) : toDollars(principal),
    compounding: row.compounding,
    stops: {
      stop_loss: toPercent(row.stop_loss_permille),
      take_profit: toPercent(row.take_profit_permille),
      trailing_stop: toPercent(row.trailing_stop_permille),
    },
    state: row.state,
    state_reason: row.state_reason,
    created_at: row.created_at.toISOString(),
    redeemed_at: row.redeemed_at?.toISOString() ?? null,
    redeemed: dollarsOrNull(row.redeemed_amount),
    result_total: toTotal(totals?.result ?? 0n),
    trades: Number(totals?.trades ?? 0n),
    trade_id: shown?.id ?? null,
    trade_state: shown?.state ?? null,
    last_decision: decision === undefined ? null : showDecision(decision),
    sessions,
  };
}

/** Adds micros to dollars with six decimals, without binary rounding errors. */
const addDollars = (micros: bigint, dollars: number): number =>
  toDollars(micros + BigInt(Math.round(dollars * 1_000_000)));

export const showDecision = (decision: DatedDecision): PlanDecision => ({
  at: decision.at.toISOString(),
  action: decision.action,
  reason: decision.reason,
  words: reasonWords(decision.reason, decision.facts),
});

type PlanPast = {
  /** Settled sessions in which the plan existed, oldest first. */
  readonly days: readonly { readonly day: string; readonly opens_at: Date }[];
  /** The amount invested, and the plan's value before the first of these days, if it had traded by then. */
  readonly amount: bigint;
  readonly valueBefore: bigint | undefined;
  readonly traded: readonly PlanSessionRow[];
  readonly events: readonly PlanEventRow[];
  /** The latest entry decision of the plan's setting per session. */
  readonly entries: readonly DatedDecision[];
};

const pausedReasons: Readonly<Record<string, ReasonCode>> = {
  minimum: 'under_minimum',
  own_limit: 'own_limit',
  asset_off: 'asset_off',
};

/**
 * What each session did to a plan, or why it did nothing: paused, no entry signal, or skipped by the engine
 * (docs/product.md, section 3).
 *
 * 100 invested, +2 kept on Monday, paused on Tuesday: Monday (1 trade, +2, worth 102), Tuesday (no trade, worth 102,
 * "No entry: the plan is paused.").
 */
function showSessions(past: PlanPast): PlanSession[] {
  let value = past.valueBefore ?? past.amount;
  return past.days.map(({ day, opens_at }) => {
    const traded = past.traded.find((session) => session.day === day);
    if (traded === undefined)
      return { day, trades: 0, result: null, value: toDollars(value), words: describeNoTrade(past, day, opens_at) };
    value = traded.value;
    const [trades, result] = [Number(traded.trades), toTotal(traded.result)];
    return { day, trades, result, value: toDollars(value), words: null };
  });
}

const DAY_MS = 24 * 3_600_000;
const changesState = (kind: string): boolean => kind !== 'stops_changed' && kind !== 'skipped';

function describeNoTrade({ events, entries }: PlanPast, day: string, opensAt: Date): string {
  const last = events.filter(({ market_at, kind }) => market_at <= opensAt && changesState(kind)).at(-1);
  if (last?.kind === 'paused') return reasonWords(pausedReasons[last.reason ?? ''] ?? 'paused', {});
  // A decision at the opening is dated a millisecond before it, and a session is shorter than a day.
  const sinceOpening = ({ market_at }: PlanEventRow) => market_at.getTime() - opensAt.getTime();
  if (events.some((event) => event.kind === 'skipped' && sinceOpening(event) >= -1 && sinceOpening(event) < DAY_MS))
    return reasonWords('over_asset_limit', {});
  const entry = entries.find(({ session_day }) => session_day === day);
  if (entry?.action === 'wait') return reasonWords(entry.reason, entry.facts);
  return english.t`No trade was opened in this session. The plan was not charged.`;
}
