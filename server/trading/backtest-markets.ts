import { defaultSpreadBps } from '#contract/rules.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { getFeed, listAssets, listClosedCandles, openRecordedCandles } from '#server/market/index.ts';
import { candleMs, type StrategyCandle } from './core/strategies/index.ts';

/** Where a backtest gets past prices from: the database's market, or a recorded folder. */
export type BacktestMarket = {
  /** "Simulated market" or "Replay"; null when prices were those of a live market. */
  readonly label: string | null;
  /** Prices are known up to here. */
  readonly knownUntil: Date;
  /** Basis points by symbol: the assets there are. */
  readonly spreads: ReadonlyMap<string, number>;
  /** Closed 15-minute candles that open in [from, to), oldest first. */
  readonly listCandles: (symbol: string, from: Date, to: Date) => Promise<readonly StrategyCandle[]>;
};

/** The market as the database has it. */
export async function openStoredMarket({ db, config }: Pick<Context, 'db' | 'config'>): Promise<BacktestMarket> {
  const [feed, assets] = await Promise.all([getFeed(db, config), listAssets(db)]);
  return {
    label: feed.label,
    knownUntil: new Date(feed.at),
    spreads: new Map(assets.map((asset) => [asset.symbol, asset.spreadBps])),
    listCandles: (symbol, from, to) => listClosedCandles(db, { symbol, interval: '15m', from, to }),
  };
}

/**
 * A replay folder by itself, with the default spread.
 * @throws BadConfig naming REPLAY_DATA, the file and the line
 */
export async function openRecordedMarket(config: Config['market']): Promise<BacktestMarket> {
  const recorded = await openRecordedCandles(config, candleMs / 1000);
  return {
    label: 'Replay',
    knownUntil: recorded.endsAt,
    spreads: new Map(recorded.symbols.map((symbol) => [symbol, defaultSpreadBps])),
    listCandles: async (symbol, from, to) => recorded.list(symbol, from, to),
  };
}
