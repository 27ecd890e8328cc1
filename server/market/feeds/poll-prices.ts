import type { Context } from '#server/context.ts';
import { type AssetRow, listAssetRows } from '../assets/asset-sql.ts';
import { listFirstCandles } from '../candles/candle-sql.ts';
import { storePast } from '../candles/store-past.ts';
import { type Clock, findClock } from '../clock/clock-sql.ts';
import { isHeldBy, thisProcess } from '../clock/holder.ts';
import { floorToStep } from '../core/candle.ts';
import { pollPauseMs } from '../core/poll-pause.ts';
import { openFeed } from './feed.ts';
import type { LiveFeed } from './live-feed.ts';
import { SourceAway } from './live-source.ts';

const QUARTER_HOUR_SECONDS = 900;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Prices were away when none came for this many steps; then the candles in between are asked for. */
const GAP_STEPS = 2;

/**
 * One round of asking a live source: for its prices when they are due, or else for the past of one coin of which
 * candles are missing. What it quotes waits for the next step of the engine. A source that is away is left alone for
 * growing pauses. Does nothing for a recorded feed, and nothing in a process that does not hold the clock, so that many
 * processes ask once. To be called about once a second; keeps the pace by itself.
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
  try {
    if (now.getTime() >= feed.polling.nextQuotesAtMs) await pollQuotes(context, feed, clock);
    else if (now.getTime() >= feed.polling.nextPastAtMs) await pollPast(context, feed);
  } catch (error) {
    if (!(error instanceof SourceAway)) throw error;
    waitLonger(context, feed, error);
  }
}

async function pollQuotes(context: Context, feed: LiveFeed, clock: Clock): Promise<void> {
  const { polling, source } = feed;
  polling.nextQuotesAtMs = context.now().getTime() + source.paceMs;
  const quotes = await source.listQuotes(context.now);
  const assets = await listAssetRows(context.db);
  if (quotes.length > 0) await noteGaps(context, feed, clock, assets);
  polling.failures = 0;
  feed.quotes.put(quotes);
  const quoted = new Set(quotes.map((quote) => quote.symbol));
  const missing = assets.filter((asset) => asset.active && !quoted.has(asset.symbol)).map((asset) => asset.symbol);
  if (missing.join() !== polling.missing && missing.length > 0) {
    context.log.warn({ feed: feed.kind, missing }, 'coins without a price');
  }
  polling.missing = missing.join();
}

/**
 * Prices came: what is missing before them? In a process that has just begun everything since the last ones it finds
 * stored, and the history of coins that have none; later everything since the last ones when they were away meanwhile.
 */
async function noteGaps(context: Context, feed: LiveFeed, clock: Clock, assets: readonly AssetRow[]): Promise<void> {
  const { polling, stepSeconds, source } = feed;
  const nowMs = context.now().getTime();
  const lastMs = polling.lastCameMs ?? Math.max(...assets.map((asset) => asset.markAt?.getTime() ?? 0));
  const isAway = lastMs > 0 && nowMs - lastMs > GAP_STEPS * stepSeconds * 1000 + source.paceMs;
  const active = assets.filter((asset) => asset.active);
  if (isAway) noteGap(feed, active, floorToStep(lastMs, QUARTER_HOUR_SECONDS));
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
    polling.gaps.set(symbol, Math.min(fromMs, polling.gaps.get(symbol) ?? fromMs));
  }
}

/** The past of one coin a call, so that prices never wait for history. */
async function pollPast(context: Context, feed: LiveFeed): Promise<void> {
  const { polling, source } = feed;
  const [gap] = polling.gaps;
  if (gap === undefined) return;
  const [symbol, fromMs] = gap;
  const nowMs = context.now().getTime();
  polling.nextPastAtMs = nowMs + source.pastPaceMs;
  const candles = await source.listPast(symbol, fromMs, nowMs);
  await storePast(context.db, symbol, candles);
  polling.gaps.delete(symbol);
  polling.failures = 0;
  const { log } = context;
  log.info({ feed: feed.kind, symbol, from: new Date(fromMs), candles: candles.length }, 'candles of the past read');
}

function waitLonger(
  context: Context,
  { kind, polling, source }: LiveFeed,
  { message, retryAfterMs }: SourceAway,
): void {
  polling.failures += 1;
  const pauseMs = pollPauseMs({ paceMs: source.paceMs, failures: polling.failures, wishMs: retryAfterMs });
  const nextMs = context.now().getTime() + pauseMs;
  polling.nextQuotesAtMs = nextMs;
  polling.nextPastAtMs = nextMs;
  context.log.warn({ feed: kind, reason: message, failures: polling.failures, pauseMs }, 'prices did not come');
}
