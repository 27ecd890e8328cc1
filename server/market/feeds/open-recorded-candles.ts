import { BadConfig } from '#server/config.ts';
import { aggregateCandles, type FeedCandle } from '../core/candle.ts';
import { nothingPlayed, playCandles } from '../core/play-candles.ts';
import type { MarketConfig } from './feed.ts';
import { openReplayFeed } from './replay-feed.ts';

const MINUTE_SECONDS = 60;

/** A replay folder read as history, without a market that plays it. */
export type RecordedCandles = {
  readonly symbols: readonly string[];
  readonly endsAt: Date;
  /** Candles of a coin that open in [from, to), oldest first, in the step that was asked for. */
  readonly list: (symbol: string, from: Date, to: Date) => FeedCandle[];
  /** The same of one minute each; none where the recording is coarser. */
  readonly listMinutes: (symbol: string, from: Date, to: Date) => FeedCandle[];
};

/**
 * The candles of a replay folder as the market would have stored them: played price by price, so that those the price
 * guard refuses are missing here too, and put together into longer ones.
 * @throws BadConfig naming REPLAY_DATA, the file and the line; or when its candles are longer than `stepSeconds`
 */
export async function openRecordedCandles(config: MarketConfig, stepSeconds: number): Promise<RecordedCandles> {
  const feed = await openReplayFeed(config);
  if (stepSeconds % feed.stepSeconds !== 0)
    throw new BadConfig(
      `REPLAY_DATA: candles of ${feed.stepSeconds} seconds do not make up candles of ${stepSeconds} seconds`,
    );
  const endsAt = feed.endsAt ?? new Date(0);
  const listPlayed = (symbol: string, from: Date, to: Date, step: number) => {
    const stretch = { stepSeconds: feed.stepSeconds, fromMs: from.getTime() - 1, toMs: to.getTime() };
    const recorded = feed.listCandles(symbol, from.getTime(), to.getTime());
    const { closed } = playCandles(nothingPlayed, recorded, stretch);
    return feed.stepSeconds === step ? [...closed] : aggregateCandles(closed, step);
  };
  return {
    symbols: feed.symbols,
    endsAt,
    list: (symbol, from, to) => listPlayed(symbol, from, to, stepSeconds),
    listMinutes: (symbol, from, to) =>
      MINUTE_SECONDS % feed.stepSeconds === 0 ? listPlayed(symbol, from, to, MINUTE_SECONDS) : [],
  };
}
