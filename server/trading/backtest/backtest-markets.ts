import type { FeeRates } from '#contract/fee-plan.ts';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { defaultSpreadBps } from '#contract/rules.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { findFeePlans, ratesOf, readTerms } from '#server/fee-plans/index.ts';
import { getFeed, listAssets, listClosedCandles, openRecordedCandles } from '#server/market/index.ts';
import { candleMs, type StrategyCandle } from '../core/strategies.ts';

/** Source of past prices for a backtest: the database's market, or a recorded folder. */
export type BacktestMarket = {
  /** "Simulated market" or "Replay"; null for prices of a live market. */
  readonly label: string | null;
  /** The end of known prices. */
  readonly knownUntil: Date;
  /** Basis points by symbol, for all available assets. */
  readonly spreads: ReadonlyMap<string, number>;
  /** Rates of the fee plan applied to every session of the backtest, regardless of past plans. */
  readonly rates: FeeRates;
  /** Closed 15-minute candles that open in [from, to), oldest first. */
  readonly listCandles: (symbol: string, from: Date, to: Date) => Promise<readonly StrategyCandle[]>;
  /** Closed one-minute candles while retained; empty for a market with longer candles. */
  readonly listMinutes: (symbol: string, from: Date, to: Date) => Promise<readonly StrategyCandle[]>;
};

/** Minute candles are retained for three days, so none exist before this. */
const MINUTES_RETAINED_MS = 4 * 86_400_000;

/** The market in the database, with the current fee plan. */
export async function openStoredMarket(context: Pick<Context, 'db' | 'config' | 'now'>): Promise<BacktestMarket> {
  const { db } = context;
  const [feed, assets, { current }] = await Promise.all([getFeed(context), listAssets(db), findFeePlans(db)]);
  const knownUntil = new Date(feed.at);
  const minutesFrom = new Date(knownUntil.getTime() - MINUTES_RETAINED_MS);
  return {
    label: feed.label,
    knownUntil,
    spreads: new Map(assets.map((asset) => [asset.symbol, asset.spreadBps])),
    rates: ratesOf(current),
    listCandles: (symbol, from, to) => listClosedCandles(db, { symbol, interval: '15m', from, to }),
    listMinutes: (symbol, from, to) =>
      listClosedCandles(db, { symbol, interval: '1m', from: from > minutesFrom ? from : minutesFrom, to }),
  };
}

/**
 * A replay folder on its own, with the default spread and the first fee plan.
 *
 * @throws BadConfig naming REPLAY_DATA, the file and the line
 */
export async function openRecordedMarket(config: Config['market']): Promise<BacktestMarket> {
  const recorded = await openRecordedCandles(config, candleMs / 1000);
  return {
    label: 'Replay',
    knownUntil: recorded.endsAt,
    spreads: new Map(recorded.symbols.map((symbol) => [symbol, defaultSpreadBps])),
    rates: ratesOf(readTerms(firstFeePlan)),
    listCandles: async (symbol, from, to) => recorded.list(symbol, from, to),
    listMinutes: async (symbol, from, to) => recorded.listMinutes(symbol, from, to),
  };
}
