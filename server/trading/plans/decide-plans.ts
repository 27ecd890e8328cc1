import { type ReasonCode, strategyCandleMinutes } from '#contract/trading/strategy.ts';
import { listFrozenMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { listCandles } from '#server/market/index.ts';
import { isHaltedAt } from '../core/session-events.ts';
import {
  decideEntry,
  decideExit,
  lookbackCandles,
  type StrategyCandle,
  type StrategySetting,
  settingOf,
} from '../core/strategies.ts';
import { listLimitedSymbols } from '../limits/limit-sql.ts';
import { listLimitedMembers } from '../orders/place-trade.ts';
import type { SessionSnapshot } from '../session/session-sql.ts';
import {
  insertDecisions,
  listDecisionsAt,
  listSettings,
  type PlanSetting,
  type StoredDecision,
  updateDecided,
} from './decision-sql.ts';
import { exitPlans, placePlanTrades } from './place-plan-trades.ts';

/** Strategies do not enter while trading is halted. */
const haltedDecision = { action: 'wait', reason: 'halted', facts: {} } as const;

const STEP_MS = strategyCandleMinutes * 60_000;

/**
 * Runs the strategies at the end of a 15-minute candle, once per asset and setting, however many plans share it.
 * Decisions are stored before they are executed, so a crash changes none. Trades are dated just before the boundary:
 * the first tick from there on fills them.
 */
export async function decidePlans(
  context: Context,
  snapshot: SessionSnapshot,
  at: Date,
  inactiveSymbols: readonly string[],
): Promise<void> {
  const { db } = context;
  const settings = await listSettings(db);
  if (settings.length > 0) {
    await insertDecisions(db, snapshot.session.day, at, await decideAll(context, snapshot, at, settings));
    const decisions = await listDecisionsAt(db, settings, at);
    await exitPlans(context, snapshot, at, decisions);
    await placePlanTrades(context, snapshot, at, {
      entering: decisions.filter((decision) => decision.action === 'enter'),
      inactiveSymbols,
      frozenMemberIds: await listFrozenMembers(db),
      limitedMemberIds: await listLimitedMembers(context, snapshot.session.day),
      limitedSymbols: await listLimitedSymbols(context),
    });
  }
  await updateDecided(db, at);
}

async function decideAll(
  context: Context,
  { session, halts }: SessionSnapshot,
  at: Date,
  settings: readonly PlanSetting[],
): Promise<StoredDecision[]> {
  const isHalted = isHaltedAt(halts, at);
  const when = { atMs: at.getTime(), opensAtMs: session.opensAt.getTime(), closesAtMs: session.closesAt.getTime() };
  const bySymbol = Map.groupBy(settings, (setting) => setting.symbol);
  const decided: StoredDecision[] = [];
  for (const [symbol, own] of bySymbol) {
    const strategies = own.map(({ strategy, params }) => settingOf(strategy, params));
    const candles = await listClosedCandles(context, symbol, at, strategies);
    for (const setting of strategies) {
      const entry = decideEntry(setting, candles, when);
      decided.push({
        symbol,
        ...setting,
        side: 'entry',
        ...(isHalted && entry.action === 'enter' ? haltedDecision : entry),
      });
      decided.push({ symbol, ...setting, side: 'exit', ...decideExit(setting, candles, when) });
    }
  }
  return decided.filter(({ reason }) => isInformative(reason));
}

/** The candles of an asset closed at a boundary, as many as the most demanding strategy needs. */
async function listClosedCandles(
  { db }: Context,
  symbol: string,
  at: Date,
  settings: readonly StrategySetting[],
): Promise<StrategyCandle[]> {
  const count = Math.max(...settings.map(lookbackCandles));
  if (count === 0) return [];
  const from = new Date(at.getTime() - count * STEP_MS);
  const candles = await listCandles(db, { symbol, interval: `${strategyCandleMinutes}m`, from, to: at });
  return candles.map(({ time, open, high, low, close }) => ({ atMs: Date.parse(time), open, high, low, close }));
}

/** Decisions that depend on the time alone are not informative, and would bury the others. */
const timeOnlyReasons: ReadonlySet<ReasonCode> = new Set(['after_opening', 'too_late', 'holds_to_close']);

const isInformative = (reason: ReasonCode): boolean => !timeOnlyReasons.has(reason);
