import { defaultSpreadBps, marketPairs, symbols } from '#contract/rules.ts';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { upsertAssets } from '../assets/asset-sql.ts';
import { analyzeMarket, insertCandles, type NewCandle } from '../candles/candle-sql.ts';
import { aggregateCandles, floorToStep } from '../core/candle.ts';
import { isKeptForGood, storedSteps } from '../core/intervals.ts';
import { openFeed, type PriceFeed } from '../feeds/feed.ts';
import type { LiveFeed } from '../feeds/live-feed.ts';
import { SourceAway } from '../feeds/live-source.ts';
import type { RecordedFeed } from '../feeds/recorded-feed.ts';
import { ticksBefore } from './advance-market.ts';
import { type Clock, findClock, insertClock, lockPreparation, updateFeedEnd } from './clock-sql.ts';
import { listRefused, playAssets } from './play-stretch.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Candles shorter than 15 minutes are written for this long before the start. */
const FINE_HISTORY_MS = 2 * DAY_MS;
const ROWS_PER_BATCH = 10_000;

/**
 * Prepares the market at every start: the assets and, in a new database, the history before the start, the first marks
 * and the clock. Concurrent starts are serialized.
 *
 * @throws BadConfig when the feed cannot be read, or differs from the one this database was created with
 */
export async function prepareMarket(context: Context): Promise<void> {
  const feed = await openFeed(context.config.market);
  if (feed.isLive) await prepareLive(context, feed);
  else await prepareRecorded(context, feed);
}

/**
 * A live market starts now and without prices: the poller delivers first current ones, then history. Only a new
 * database asks the source which pairs it lists, so that later starts need no network.
 */
async function prepareLive(context: Context, feed: LiveFeed): Promise<void> {
  const listed = (await findClock(context.db)) ? symbols : await listSymbols(feed);
  await inTransaction(context.db, async (tx) => {
    await lockPreparation(tx);
    const clock = await findClock(tx);
    if (clock) refuseOtherFeed(clock, feed);
    await upsertAssets(tx, listAssets(listed));
    if (clock === undefined) await insertClock(tx, { ...beginning(feed), at: context.now(), endsAt: null });
  });
}

async function listSymbols(feed: LiveFeed): Promise<readonly string[]> {
  try {
    return await feed.source.listSymbols();
  } catch (error) {
    if (!(error instanceof SourceAway)) throw error;
    throw new BadConfig(`MARKET_FEED: a new database needs the pairs that are listed. ${error.message}`);
  }
}

const beginning = ({ kind, seed, stepSeconds }: PriceFeed) => ({ feed: kind, seed, stepSeconds });

async function prepareRecorded(context: Context, feed: RecordedFeed): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockPreparation(tx);
    const clock = await findClock(tx);
    if (clock) refuseOtherFeed(clock, feed);
    await upsertAssets(tx, listAssets(feed.symbols));
    if (clock) await updateFeedEnd(tx, feed.endsAt);
    else await begin(tx, context, feed);
  });
}

/** Candles of two feeds must not mix in one chart, nor may trades settle at prices of a market they were not in. */
function refuseOtherFeed(clock: Clock, feed: PriceFeed): void {
  const hint = 'Use it again, or another database (DATA_DIR, DATABASE_URL).';
  if (clock.feed !== feed.kind) throw new BadConfig(`MARKET_FEED: this database was begun with ${clock.feed}. ${hint}`);
  const setting = feed.isLive ? 'CCXT_EXCHANGE' : 'MARKET_SEED';
  if (clock.seed !== feed.seed) throw new BadConfig(`${setting}: this database was begun with ${clock.seed}. ${hint}`);
  if (clock.stepSeconds === feed.stepSeconds) return;
  throw new BadConfig(`REPLAY_DATA: this database was begun with candles of ${clock.stepSeconds} s. ${hint}`);
}

/** A pair without prices in the feed starts switched off, because a trade on it could never open. */
const listAssets = (listed: readonly string[]) =>
  marketPairs.map((pair, index) => {
    const symbol = symbols[index] as string;
    return {
      id: index + 1,
      symbol,
      name: pair.displayName,
      apiname: pair.apiname,
      logo: `/icons/${symbol}.svg`,
      active: listed.includes(symbol),
      spreadBps: defaultSpreadBps,
    };
  });

async function begin(tx: Tx, context: Context, feed: RecordedFeed): Promise<void> {
  const at = feed.chooseStart(context.now());
  const toMs = at.getTime();
  await writeHistory(tx, feed, toMs);
  const fromMs = toMs - ticksBefore(feed);
  const played = await playAssets(tx, feed, { fromMs, toMs, ticksAfterMs: fromMs });
  for (const tick of listRefused(played)) context.log.warn({ ...tick, at: new Date(tick.atMs) }, 'price refused');
  await insertClock(tx, { ...beginning(feed), at, endsAt: feed.endsAt });
}

/**
 * Completed candles of every stored step before the start. Processed day by day for all coins together, as the
 * simulated market generates them, so that three months of minutes are never in memory at once.
 */
async function writeHistory(tx: Tx, feed: RecordedFeed, toMs: number): Promise<void> {
  let waiting: NewCandle[] = [];
  for (let dayMs = floorToStep(feed.historyFrom(toMs), DAY_SECONDS); dayMs < toMs; dayMs += DAY_MS) {
    waiting.push(...feed.symbols.flatMap((symbol) => listDay(feed, symbol, dayMs, toMs)));
    if (waiting.length < ROWS_PER_BATCH) continue;
    await insertCandles(tx, waiting);
    waiting = [];
  }
  await insertCandles(tx, waiting);
  await analyzeMarket(tx);
}

function listDay(feed: RecordedFeed, symbol: string, dayMs: number, toMs: number): NewCandle[] {
  const assetId = symbols.indexOf(symbol) + 1;
  const candles = feed.listCandles(symbol, dayMs, dayMs + DAY_MS);
  return storedSteps(feed.stepSeconds).flatMap((stepSeconds) => {
    const fromMs = isKeptForGood(stepSeconds) ? dayMs : toMs - FINE_HISTORY_MS;
    const overMs = floorToStep(toMs, stepSeconds);
    const over = candles.filter((candle) => candle.atMs >= fromMs && candle.atMs < overMs);
    return aggregateCandles(over, stepSeconds).map((candle) => ({ ...candle, assetId, stepSeconds }));
  });
}
