import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type Asset, findAsset, findAveragePrice, findFirstFreshMinuteAverage } from '#server/market/index.ts';
import { sellPrice } from '../core/fill-price.ts';
import { closingFills } from '../core/fills.ts';
import type { Instant, Spreads } from '../core/session-events.ts';
import { closingMinute } from '../core/session-window.ts';
import { bookSession } from './book-session.ts';
import { type Moment, readAgain } from './market-moment.ts';
import { cancelQueued } from './open-due-trades.ts';
import type { Chunk } from './opening-sql.ts';
import {
  insertClosingMark,
  joinFollower,
  listUnmarkedSymbols,
  lockFollower,
  type SessionRow,
  updateClosed,
} from './session-sql.ts';
import {
  type Closing,
  closingByRequest,
  closingBySession,
  findClosingChunk,
  findMarkedChunk,
  hasOpenTrades,
  lockClosing,
  lockOpen,
  settleTrades,
} from './settlement-sql.ts';
import { workInLanes } from './workers.ts';

/**
 * Sells at the ticks of an instant what was asked to be closed before it: by the member, by a stop, by a strategy.
 * Exactly-once: each chunk is one transaction, and what it settled is no longer open.
 *
 * @param candleAt when the candle of the instant began, on a coarse feed
 */
export async function closeRequested(
  context: Context,
  moment: Moment,
  instant: Instant,
  spreads: Spreads,
  candleAt: Date = instant.at,
): Promise<void> {
  const closing = closingByRequest(closingFills(instant.ticks, moment.session, spreads), candleAt);
  await workInLanes<Chunk>(
    (last) => findClosingChunk(context.db, last?.upTo ?? 0n, moment.chunkSize),
    (chunk) => settleChunk(context, moment.session, { chunk, lock: lockClosing, closing, at: instant.at }),
  );
}

/**
 * At the end of a session sells everything that is still open, asset by asset, at the average of its last minute. An asset
 * that was stale then waits in `settling` for its first fresh full minute. When nothing is open any more, the session is
 * booked and settled, and the next one is current.
 *
 * @returns the moment, with the session as it is now
 */
export async function closeAndSettle(context: Context, at: Moment): Promise<Moment> {
  let moment = at;
  if (moment.session.state === 'open') moment = await closeSession(context, moment);
  if (moment.session.state === 'settling') moment = await settleSession(context, moment);
  if (moment.session.state === 'scheduled' && moment.hasEnded)
    await giveBackQueued(context, new Date(moment.marketAt.getTime() + 1), moment);
  return moment;
}

/** A recording that ends inside a session closes it there: no later price will ever come. */
async function closeSession(context: Context, moment: Moment): Promise<Moment> {
  if (moment.marketAt < moment.session.closesAt && !moment.hasEnded) return moment;
  // What was queued before the opening and met no price in the whole session does not wait for another one, nor does
  // anything a plan decided in this one.
  await giveBackQueued(context, moment.session.opensAt, moment, moment.session.closesAt);
  await inTransaction(context.db, async (tx) => {
    // Another worker's lane may still be at work on what is open: what it does belongs before the close.
    if (await lockFollower(tx, moment.session)) await updateClosed(tx, moment.session.day, moment.marketAt);
  });
  return readAgain(context, moment);
}

function giveBackQueued(
  context: Context,
  requestedBefore: Date,
  moment: Moment,
  planDecidedBefore?: Date,
): Promise<void> {
  return cancelQueued(context, moment, { planDecidedBefore, venueDownBefore: requestedBefore });
}

async function settleSession(context: Context, moment: Moment): Promise<Moment> {
  const { session } = moment;
  for (const symbol of await listUnmarkedSymbols(context.db, session.day)) await markAsset(context, moment, symbol);
  const closing = closingBySession(session.day);
  await workInLanes<Chunk>(
    (last) => findMarkedChunk(context.db, session.day, last?.upTo ?? 0n, moment.chunkSize),
    (chunk) => settleChunk(context, session, { chunk, lock: lockOpen, closing }),
  );
  if (await hasOpenTrades(context.db)) return moment;
  await bookSession(context, moment);
  return readAgain(context, moment);
}

type Settling = {
  readonly chunk: Chunk;
  /** Takes the rows, so that a lane of another worker, which found the same chunk, finds nothing in it any more. */
  readonly lock: (tx: Tx, chunk: Chunk) => Promise<Chunk>;
  readonly closing: Closing;
  /** The instant whose turn it must still be. */
  readonly at?: Date;
};

function settleChunk(context: Context, session: SessionRow, { chunk, lock, closing, at }: Settling): Promise<void> {
  assert(session.rates, 'a session with open trades has its fee plan');
  const { performanceBps } = session.rates;
  const funding = context.config.venue === 'paper' ? 'paper' : 'treasury';
  return inTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, session, at))) return;
    await settleTrades(tx, await lock(tx, chunk), { day: session.day, closing, performanceBps, funding });
  });
}

type Found = { readonly mark: string; readonly isLate: boolean; readonly markedAt: Date };

/** Fixes the closing mark of an asset as soon as there is one. */
async function markAsset(context: Context, moment: Moment, symbol: string): Promise<void> {
  const asset = await findAsset(context.db, symbol);
  assert(asset, `no asset ${symbol}`);
  const found = (await findMark(context, moment, symbol)) ?? (moment.hasEnded ? lastMark(asset) : undefined);
  if (found === undefined) return;
  const closePrice = sellPrice(found.mark, asset.spreadBps);
  await insertClosingMark(context.db, moment.session.day, { symbol, ...found, closePrice });
}

const MINUTE_MS = 60_000;

async function findMark(context: Context, { session, marketAt }: Moment, symbol: string): Promise<Found | undefined> {
  const last = closingMinute(session, marketAt);
  const mark = await findAveragePrice(context.db, symbol, last.from, last.to);
  if (mark !== null) return { mark, isLate: false, markedAt: last.to };
  const late = await findFirstFreshMinuteAverage(context.db, symbol, session.closesAt);
  return late === null
    ? undefined
    : { mark: late.price, isLate: true, markedAt: new Date(late.from.getTime() + MINUTE_MS) };
}

/** The recording is over and the asset was stale at its end: its last price is all there will ever be. */
const lastMark = (asset: Asset): Found | undefined =>
  asset.mark === null ? undefined : { mark: asset.mark.price, isLate: true, markedAt: asset.mark.at };
