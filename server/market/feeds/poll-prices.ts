import assert from 'node:assert/strict';
import { symbols } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type AssetRow, listAssetRows } from '../assets/asset-sql.ts';
import { insertCandles, listFirstCandles, rollUpCandles } from '../candles/candle-sql.ts';
import { type Clock, findClock, isHeldBy, lockClock, thisProcess } from '../clock/clock-sql.ts';
import { floorToStep, isStale } from '../core/candle.ts';
import { storedSteps } from '../core/intervals.ts';
import type { PastCandle } from '../core/past-candles.ts';
import type { Quote } from '../core/play-quotes.ts';
import { openFeed } from './feed.ts';
import type { LiveFeed, Pause } from './live-feed.ts';
import { SourceAway } from './live-source.ts';

const QUARTER_HOUR_SECONDS = 900;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** An outage: no prices for this many steps. The candles in between are then fetched. */
const GAP_STEPS = 2;
/** The same for a single coin; long, because some are quoted rarely and calls are limited. */
const COIN_GAP_MS = 3_600_000;

/**
 * One round of polling a live source: quotes when due, else the history of one coin with missing candles. Failures back
 * off, those of a coin's history without holding up prices. Does nothing for a recorded feed or in a process without the clock, so that many processes ask once.
 *
 * @param holder who holds the clock; this process, unless said otherwise
 * @throws BadConfig when the feed cannot be opened
 */
export async function pollPrices(context: Context, holder: string = thisProcess): Promise<void> {
  const feed = await openFeed(context.config.market);
  if (!feed.isLive) return;
  const clock = await findClock(context.db);
  const now = context.now();
  if (clock === undefined || !isHeldBy(clock, holder, now)) return;
  if (isOver(feed.polling.quotesPause, now))
    await unlessAway(pollQuotes(context, feed, clock), (error) => waitLonger(context, feed, error));
  else if (isOver(feed.polling.pastPause, now)) await pollPast(context, feed);
}

const isOver = ({ fromMs, untilMs }: Pause, now: Date): boolean => now.getTime() < fromMs || now.getTime() >= untilMs;

const pauseFrom = (fromMs: number, ms: number): Pause => ({ fromMs, untilMs: fromMs + ms });

async function unlessAway(asked: Promise<void>, ifAway: (error: SourceAway) => void): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof SourceAway)) throw error;
    ifAway(error);
  }
}

async function pollQuotes(context: Context, feed: LiveFeed, clock: Clock): Promise<void> {
  const { polling, source } = feed;
  polling.quotesPause = pauseFrom(context.now().getTime(), source.paceMs);
  const quotes = await source.listQuotes(context.now);
  const assets = await listAssetRows(context.db);
  if (quotes.length > 0) await noteGaps(context, feed, clock, { assets, quotes });
  polling.failures = 0;
  feed.quotes.put(quotes);
  const quoted = new Set(quotes.map((quote) => quote.symbol));
  const missing = assets.filter((asset) => asset.active && !quoted.has(asset.symbol)).map((asset) => asset.symbol);
  if (missing.join() !== polling.missing && missing.length > 0) {
    context.log.warn({ feed: feed.kind, missing }, 'assets without a price');
  }
  polling.missing = missing.join();
}

/**
 * Which candles are missing before these prices: in a new process everything since the last stored price, and the
 * history of coins without any; later everything since an outage, and of a coin that was away since its last price.
 */
async function noteGaps(
  context: Context,
  feed: LiveFeed,
  clock: Clock,
  { assets, quotes }: { readonly assets: readonly AssetRow[]; readonly quotes: readonly Quote[] },
): Promise<void> {
  const { polling, stepSeconds, source } = feed;
  const nowMs = context.now().getTime();
  const lastMs = polling.lastCameMs ?? Math.max(...assets.map((asset) => asset.markAt?.getTime() ?? 0));
  const isAway = lastMs > 0 && nowMs - lastMs > GAP_STEPS * stepSeconds * 1000 + source.paceMs;
  const active = assets.filter((asset) => asset.active);
  if (isAway) noteGap(feed, active, floorToStep(lastMs, QUARTER_HOUR_SECONDS));
  for (const { symbol, atMs, price } of quotes) {
    if (!(price > 0) || isStale(atMs, nowMs, stepSeconds)) continue;
    const back = active.find((asset) => asset.symbol === symbol);
    const markMs = back?.markAt?.getTime() ?? nowMs;
    if (back && nowMs - markMs > COIN_GAP_MS) noteGap(feed, [back], floorToStep(markMs, QUARTER_HOUR_SECONDS));
  }
  if (polling.lastCameMs === null) {
    const first = await listFirstCandles(context.db, stepSeconds);
    const isWithoutHistory = ({ symbol }: AssetRow) => (first.get(symbol)?.getTime() ?? nowMs) > nowMs - DAY_MS;
    const historyMs = floorToStep(clock.at.getTime() - source.historyMs, DAY_SECONDS);
    noteGap(feed, active.filter(isWithoutHistory), historyMs);
  }
  polling.lastCameMs = nowMs;
}

function noteGap({ polling }: LiveFeed, assets: readonly AssetRow[], fromMs: number): void {
  for (const { symbol } of assets) {
    const gap = polling.gaps.get(symbol) ?? { fromMs, failures: 0, nextAtMs: 0 };
    polling.gaps.set(symbol, { ...gap, fromMs: Math.min(fromMs, gap.fromMs) });
  }
}

/** One coin's history per call, so that prices never wait for history, nor coins for one whose history fails. */
async function pollPast(context: Context, feed: LiveFeed): Promise<void> {
  const { polling, source, kind } = feed;
  const nowMs = context.now().getTime();
  const [symbol, gap] = [...polling.gaps].find(([, { nextAtMs }]) => nowMs >= nextAtMs) ?? [];
  if (symbol === undefined || gap === undefined) return;
  polling.pastPause = pauseFrom(nowMs, source.pastPaceMs);
  // Also after an error that is not the source's: the others come first.
  polling.gaps.set(symbol, { ...gap, nextAtMs: nowMs + BACK_OFF_CAP_MS });
  const read = async () => {
    const candles = await source.listPast(symbol, gap.fromMs, nowMs);
    await storePast(context.db, symbol, candles);
    polling.gaps.delete(symbol);
    const from = new Date(gap.fromMs);
    context.log.info({ feed: kind, symbol, from, candles: candles.length }, 'historical candles read');
  };
  await unlessAway(read(), ({ message, retryAfterMs: wishMs }) => {
    const failures = gap.failures + 1;
    const pauseMs = pollPauseMs({ paceMs: MAX_PAST_PAUSE_MS, failures, wishMs });
    polling.gaps.set(symbol, { ...gap, failures, nextAtMs: nowMs + pauseMs });
    polling.pastPause = pauseFrom(nowMs, pollPauseMs({ paceMs: source.paceMs, failures, wishMs }));
    if (wishMs !== null && polling.quotesPause.untilMs < polling.pastPause.untilMs)
      polling.quotesPause = polling.pastPause;
    context.log.warn({ feed: kind, symbol, reason: message, failures, pauseMs }, 'historical candles not read');
  });
}

function waitLonger(
  context: Context,
  { kind, polling, source }: LiveFeed,
  { message, retryAfterMs }: SourceAway,
): void {
  polling.failures += 1;
  const pauseMs = pollPauseMs({ paceMs: source.paceMs, failures: polling.failures, wishMs: retryAfterMs });
  const pause = pauseFrom(context.now().getTime(), pauseMs);
  polling.quotesPause = pause;
  polling.pastPause = pause;
  context.log.warn({ feed: kind, reason: message, failures: polling.failures, pauseMs }, 'price request failed');
}

const FIRST_PAUSE_MS = 5000;
const BACK_OFF_CAP_MS = 60_000;
/** Upper bound on a requested pause. */
const RETRY_AFTER_CAP_MS = 3_600_000;
/** Maximum pause for a coin whose history fails, so that a delisted coin costs few calls of a monthly quota. */
const MAX_PAST_PAUSE_MS = DAY_MS;

/**
 * How long to wait before the next call: the pace of the source; after failures 5 s, 10 s, 20 s and so on up to the
 * pace or a minute, whichever is longer, but never less than the source itself asked for.
 *
 * Worked, at a pace of 300 s: after the third failure in a row 20 s; with `retry-after: 53`, 53 s; after the tenth 300 s.
 */
export function pollPauseMs(source: {
  readonly paceMs: number;
  readonly failures: number;
  readonly wishMs: number | null;
}): number {
  if (source.failures === 0) return source.paceMs;
  const growing = FIRST_PAUSE_MS * 2 ** (source.failures - 1);
  const pause = Math.min(growing, Math.max(source.paceMs, BACK_OFF_CAP_MS));
  return Math.max(pause, Math.min(source.wishMs ?? 0, RETRY_AFTER_CAP_MS));
}

/**
 * Stores historical candles. Candles of the feed's own step never replace those built from ticks, at which trades were
 * filled. Longer ones are rebuilt, or taken from the source where it has them.
 */
async function storePast(db: Db, symbol: string, candles: readonly PastCandle[]): Promise<void> {
  if (candles.length === 0) return;
  await inTransaction(db, (tx) => storeAll(tx, symbols.indexOf(symbol) + 1, candles));
}

async function storeAll(tx: Tx, assetId: number, candles: readonly PastCandle[]): Promise<void> {
  // The clock's lock keeps the engine from closing a candle concurrently.
  const clock = await lockClock(tx);
  assert(clock, 'prepareMarket has not run');
  const nowMs = clock.at.getTime();
  const steps = storedSteps(clock.stepSeconds).reverse();
  let shorter: { readonly step: number; readonly fromMs: number } | undefined;
  for (const step of steps) {
    const overMs = floorToStep(nowMs, step);
    const own = candles.filter((candle) => candle.stepSeconds === step && candle.atMs + step * 1000 <= overMs);
    const firstMs = Math.min(own[0]?.atMs ?? nowMs, shorter?.fromMs ?? nowMs);
    if (shorter !== undefined) {
      const stretch = { fromMs: floorToStep(shorter.fromMs, step), toMs: overMs, assetId };
      if (stretch.fromMs < stretch.toMs) await rollUpCandles(tx, { from: shorter.step, to: step }, stretch);
    }
    const isOwnStep = step === clock.stepSeconds;
    await insertCandles(
      tx,
      own.map((candle) => ({ ...candle, assetId })),
      isOwnStep ? 'keep' : 'replace',
    );
    shorter = { step, fromMs: firstMs };
  }
}
