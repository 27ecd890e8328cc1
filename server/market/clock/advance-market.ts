import assert from 'node:assert/strict';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { leaseFrom } from '#server/db/lease.ts';
import { inTransaction } from '#server/db/tx.ts';
import { forgetOutliers, listStates, updateDayVolumes, updateStates } from '../assets/asset-sql.ts';
import { insertCandles } from '../candles/candle-sql.ts';
import { insertTicks } from '../candles/tick-sql.ts';
import { isStale } from '../core/candle.ts';
import { playQuotes, type Quote, type QuoteRefusal } from '../core/play-quotes.ts';
import { openFeed, type PriceFeed } from '../feeds/feed.ts';
import type { RecordedFeed } from '../feeds/recorded-feed.ts';
import { type Clock, isHeldByAnother, lockClock, releaseLease, thisProcess, updateClock } from './clock-sql.ts';
import { forgetOld, playStretch, rollUp } from './play-stretch.ts';

export type Advance = {
  /** Real time since the last call, capped at two seconds. */
  readonly elapsedMs: number;
  /** Jump to this market time instead, writing the candles in between. A live feed cannot jump. */
  readonly skipTo?: Date;
  /** Process that moves the clock; this one by default. */
  readonly holder?: string;
};

export type Advanced = {
  readonly marketAt: Date;
  /** False when another process holds the clock and there is nothing to do. */
  readonly advanced: boolean;
};

/** Prevents a jump of the market after a suspended laptop or a long pause. */
const MAX_ELAPSED_MS = 2000;
/** A skip is written in pieces of this much market time, so that no transaction runs for long. */
const SKIP_PIECE_MS = 4 * 3_600_000;
/** Ticks stored before the end of a skip: enough for fresh marks and for averages over the preceding minutes. */
const MIN_TICKS_MS = 15 * 60_000;

/**
 * One step of the market: moves the stored clock by elapsed time × speed, or jumps to `skipTo`, and stores the ticks,
 * marks and candles in between (a jump: one transaction per four market hours). After a crash anywhere it resumes at
 * the stored clock. Only one process moves it. A live feed moves to real time and stores what was quoted.
 *
 * @throws BadConfig when the feed cannot be read
 */
export async function advanceMarket(context: Context, advance: Advance): Promise<Advanced> {
  assert(advance.elapsedMs >= 0, 'time does not run backwards');
  const feed = await openFeed(context.config.market);
  for (;;) {
    const quotes = feed.isLive ? feed.quotes.list() : [];
    const step = await inTransaction(context.db, (tx) => advanceOnce(tx, context, { feed, quotes }, advance));
    if (feed.isLive) feed.quotes.remove(step.hasMoved ? quotes : superseded(quotes));
    for (const tick of step.refused) {
      context.log.warn({ ...tick, at: new Date(tick.atMs) }, 'price refused');
    }
    if (step.isThere) return { marketAt: step.marketAt, advanced: step.advanced };
  }
}

/** All but the newest of each coin: while market time waits, possibly for hours, only that one will be the price of then. */
function superseded(quotes: readonly Quote[]): readonly Quote[] {
  const newest = new Map(quotes.map((quote) => [quote.symbol, quote]));
  return quotes.filter((quote) => newest.get(quote.symbol) !== quote);
}

/** Releases the clock so that another process can take over at once. Called before the process exits. */
export async function releaseMarket(context: Context, holder: string = thisProcess): Promise<void> {
  await releaseLease(context.db, holder);
}

type Step = Advanced & {
  readonly isThere: boolean;
  readonly hasMoved: boolean;
  readonly refused: readonly RefusedQuote[];
};
/** Source of the step's prices; pending quotes for a live feed only. */
type Prices = { readonly feed: PriceFeed; readonly quotes: readonly Quote[] };

async function advanceOnce(tx: Tx, context: Context, { feed, quotes }: Prices, advance: Advance): Promise<Step> {
  const clock = await lockClock(tx);
  assert(clock, 'prepareMarket has not run');
  const holder = advance.holder ?? thisProcess;
  const now = context.now();
  if (isHeldByAnother(clock, holder, now)) {
    return { marketAt: clock.at, advanced: false, isThere: true, hasMoved: false, refused: [] };
  }
  // Another process cannot tell a new quote from the one that was refused as absurd.
  if (feed.isLive && clock.holder !== holder) await forgetOutliers(tx);
  const fromMs = clock.at.getTime();
  const { goalMs, toMs } = feed.isLive
    ? realGoal(clock, now, quotes)
    : findGoal(clock, feed, advance, context.config.market.speed);
  const play = () => {
    if (feed.isLive) return playWaitingQuotes(tx, feed.stepSeconds, quotes, { fromMs, toMs });
    const ticksAfterMs = advance.skipTo ? goalMs - ticksBefore(feed) : fromMs;
    return playStretch(tx, feed, { fromMs, toMs, ticksAfterMs });
  };
  const refused = toMs === fromMs ? [] : await play();
  await updateClock(tx, { at: new Date(toMs), holder, heldUntil: leaseFrom(now) });
  return { marketAt: new Date(toMs), advanced: true, isThere: toMs === goalMs, hasMoved: toMs > fromMs, refused };
}

/** Length of market time before an instant for which ticks are stored although nobody processes them. */
export const ticksBefore = (feed: RecordedFeed): number => Math.max(MIN_TICKS_MS, feed.stepSeconds * 4000);

type Goal = { readonly goalMs: number; readonly toMs: number };

/**
 * Real time. Waits if the computer's clock was set back, and, further ahead than a price is valid, for a price of that
 * time: a clock that is wrong for a minute would end sessions for good.
 */
function realGoal({ at, stepSeconds }: Clock, now: Date, quotes: readonly Quote[]): Goal {
  const nowMs = now.getTime();
  const isConfirmed = [at.getTime(), ...quotes.map(({ atMs }) => atMs)].some(
    (knownMs) => !isStale(knownMs, nowMs, stepSeconds) && !isStale(nowMs, knownMs, stepSeconds),
  );
  const goalMs = isConfirmed ? Math.max(at.getTime(), nowMs) : at.getTime();
  return { goalMs, toMs: goalMs };
}

/** Never backwards, and never past the end of a recording. */
function findGoal(clock: Clock, feed: RecordedFeed, advance: Advance, speed: number): Goal {
  const fromMs = clock.at.getTime();
  const wishMs = advance.skipTo?.getTime() ?? fromMs + Math.round(Math.min(advance.elapsedMs, MAX_ELAPSED_MS) * speed);
  const endMs = feed.endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const goalMs = Math.max(fromMs, Math.min(wishMs, endMs));
  return { goalMs, toMs: advance.skipTo ? Math.min(goalMs, fromMs + SKIP_PIECE_MS) : goalMs };
}

type RefusedQuote = {
  readonly symbol: string;
  readonly price: number;
  readonly atMs: number;
  readonly refusal: QuoteRefusal;
};

/** Stores the quotes that arrived in a period of real time, and the candles completed in it. */
async function playWaitingQuotes(
  tx: Tx,
  stepSeconds: number,
  quotes: readonly Quote[],
  stretch: { readonly fromMs: number; readonly toMs: number },
): Promise<RefusedQuote[]> {
  const states = await listStates(tx);
  const played = states.map(({ id, symbol, state }) => {
    const own = quotes.filter((quote) => quote.symbol === symbol);
    return { id, symbol, before: state, ...playQuotes(state, own, { ...stretch, stepSeconds }) };
  });
  const changed = played.filter(({ before, state }) => state.mark !== before.mark || state.forming !== before.forming);
  if (changed.length > 0) {
    await insertTicks(
      tx,
      changed.flatMap(({ id, ticks }) => ticks.map((tick) => ({ ...tick, assetId: id }))),
    );
    await updateStates(tx, changed);
    await insertCandles(
      tx,
      changed.flatMap(({ id, closed }) =>
        closed.map((candle) => ({ ...candle, assetId: id, stepSeconds, volume: null })),
      ),
    );
  }
  const quoted = played.flatMap(({ id, dayVolume }) => (dayVolume === undefined ? [] : [{ id, dayVolume }]));
  if (quoted.length > 0) await updateDayVolumes(tx, quoted);
  await rollUp(tx, stepSeconds, stretch);
  await forgetOld(tx, stepSeconds, stretch);
  return played.flatMap(({ symbol, refused }) => refused.map((quote) => ({ ...quote, symbol })));
}
