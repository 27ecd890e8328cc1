import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { inBatchTransaction, inTransaction, runWorkers } from '#server/db/tx.ts';
import {
  type Asset,
  assetMarks,
  findAsset,
  findAveragePrice,
  findFirstFreshMinuteAverage,
} from '#server/market/index.ts';
import { closingFills } from '../core/fills.ts';
import { sellPrice } from '../core/price.ts';
import type { Instant, Spreads } from '../core/session-events.ts';
import { closingMinute, isNextDue } from '../core/session-window.ts';
import { bookSession } from './book-session.ts';
import { cancelQueued } from './cancel-trades.ts';
import type { Chunk } from './opening-sql.ts';
import {
  insertClosingMark,
  joinFollower,
  listUnmarkedSymbols,
  lockFollower,
  refreshSnapshot,
  type SessionRow,
  type SessionSnapshot,
  updateClosed,
} from './session-sql.ts';
import {
  type Closing,
  closingByRequest,
  closingBySession,
  closingOfCarried,
  findCarriedChunk,
  findClosingChunk,
  findMarkedChunk,
  hasOpenTrades,
  lockClosing,
  lockOpen,
  settleTrades,
} from './settlement-sql.ts';

/**
 * Sells trades at the ticks of an instant when their member, a stop or a strategy requested it before. Exactly once:
 * each chunk is one transaction, and trades it settled are no longer open.
 *
 * @param candleAt when the candle of the instant began, on a coarse feed
 */
export async function closeRequested(
  context: Context,
  snapshot: SessionSnapshot,
  instant: Instant,
  spreads: Spreads,
  candleAt: Date = instant.at,
): Promise<void> {
  const closing = closingByRequest(closingFills(instant.ticks, snapshot.session, spreads), candleAt);
  await runWorkers<Chunk>(
    (last) => findClosingChunk(context.db, last?.upTo ?? 0n, snapshot.chunkSize),
    (chunk) => settleChunk(context, snapshot.session, { chunk, lock: lockClosing, closing, at: instant.at }),
  );
}

/**
 * At the end of a session sells what is still open, asset by asset, at the closing TWAP. A stale asset stays in
 * `settling` until its first fresh full minute. When nothing is open, books the session, and the next one becomes
 * current.
 *
 * @returns the snapshot with the updated session
 */
export async function closeAndSettle(context: Context, at: SessionSnapshot): Promise<SessionSnapshot> {
  let snapshot = at;
  if (snapshot.session.state === 'open') snapshot = await closeSession(context, snapshot);
  if (snapshot.session.state === 'settling') snapshot = await settleSession(context, snapshot);
  if (snapshot.session.state === 'scheduled' && snapshot.hasEnded)
    await cancelUnfilled(context, new Date(snapshot.marketAt.getTime() + 1), snapshot);
  return snapshot;
}

/** A recording that ends during a session closes it at once: no later price will come. */
async function closeSession(context: Context, snapshot: SessionSnapshot): Promise<SessionSnapshot> {
  if (snapshot.marketAt < snapshot.session.closesAt && !snapshot.hasEnded) return snapshot;
  // Trades that met no price in the session, or were decided by a plan in it, do not wait for the next one.
  await cancelUnfilled(context, snapshot.session.opensAt, snapshot, snapshot.session.closesAt);
  await inTransaction(context.db, async (tx) => {
    // Another worker may still be processing open trades, which must finish before the close.
    if (await lockFollower(tx, snapshot.session)) await updateClosed(tx, snapshot.session.day, snapshot.marketAt);
  });
  return refreshSnapshot(context, snapshot);
}

function cancelUnfilled(
  context: Context,
  requestedBefore: Date,
  snapshot: SessionSnapshot,
  planDecidedBefore?: Date,
): Promise<void> {
  return cancelQueued(context, snapshot, { planDecidedBefore, venueDownBefore: requestedBefore });
}

async function settleSession(context: Context, snapshot: SessionSnapshot): Promise<SessionSnapshot> {
  const { session } = snapshot;
  const isDue = isNextDue(session, snapshot.marketAt);
  // At an exchange the closing mark is the average sale price, known once everything is sold.
  if (context.config.venue === 'ccxt') {
    if (isDue) await carryOverUnsold(context, session);
  } else
    for (const symbol of await listUnmarkedSymbols(context.db, session.day)) await markAsset(context, snapshot, symbol);
  const closing = closingBySession(session.day);
  await runWorkers<Chunk>(
    (last) => findMarkedChunk(context.db, session.day, last?.upTo ?? 0n, snapshot.chunkSize),
    (chunk) => settleChunk(context, session, { chunk, lock: lockOpen, closing }),
  );
  if (await hasOpenTrades(context.db, isDue)) return snapshot;
  await bookSession(context, snapshot);
  return refreshSnapshot(context, snapshot);
}

/** Positions not sold by the next opening are carried over, and the session ends without them. */
async function carryOverUnsold(context: Context, session: SessionRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (await lockFollower(tx, session)) await carryOver(tx, session.day);
  });
}

/** Positions not sold when the next session opens count towards the session in which they close. */
const carryOver = (tx: Tx, day: string) =>
  execute(tx)`
    with carried as (
      update trading.trade t set carried = true
      where t.state = 'open' and not t.carried and not exists (
        select from trading.closing_mark m where m.session_day = ${day}::date and m.symbol = t.symbol)
      returning t.symbol)
    insert into trading.closing_sale (session_day, symbol, spread_bps)
    select distinct ${day}::date, c.symbol, a.spread_bps from carried c join ${assetMarks} as a on a.symbol = c.symbol
    on conflict do nothing`;

/** Settles carried positions that are sold by now, in the session that is open or settling. */
export async function settleCarried(context: Context, snapshot: SessionSnapshot): Promise<void> {
  const { session } = snapshot;
  if (session.rates === null || session.state === 'scheduled') return;
  await runWorkers<Chunk>(
    (last) => findCarriedChunk(context.db, last?.upTo ?? 0n, snapshot.chunkSize),
    (chunk) => settleChunk(context, session, { chunk, lock: lockOpen, closing: closingOfCarried }),
  );
}

type Settling = {
  readonly chunk: Chunk;
  /** Locks the rows, so that another worker with the same chunk finds nothing left. */
  readonly lock: (tx: Tx, chunk: Chunk) => Promise<Chunk>;
  readonly closing: Closing;
  /** Must not have been processed yet. */
  readonly at?: Date;
};

function settleChunk(context: Context, session: SessionRow, { chunk, lock, closing, at }: Settling): Promise<void> {
  assert(session.rates, 'a session with open trades has its fee plan');
  const { performanceBps } = session.rates;
  const funding = context.config.venue === 'paper' ? 'paper' : 'treasury';
  return inBatchTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, session, at))) return;
    await settleTrades(tx, await lock(tx, chunk), { day: session.day, closing, performanceBps, funding });
  });
}

type FoundMark = { readonly mark: string; readonly isLate: boolean; readonly markedAt: Date };

/** Fixes the closing mark of an asset as soon as it is available. */
async function markAsset(context: Context, snapshot: SessionSnapshot, symbol: string): Promise<void> {
  const asset = await findAsset(context.db, symbol);
  assert(asset, `no asset ${symbol}`);
  const found = (await findMark(context, snapshot, symbol)) ?? (snapshot.hasEnded ? lastMark(asset) : undefined);
  if (found === undefined) return;
  const closePrice = sellPrice(found.mark, asset.spreadBps);
  await insertClosingMark(context.db, snapshot.session.day, { symbol, ...found, closePrice });
}

const MINUTE_MS = 60_000;

async function findMark(
  context: Context,
  { session, marketAt }: SessionSnapshot,
  symbol: string,
): Promise<FoundMark | undefined> {
  const last = closingMinute(session, marketAt);
  const mark = await findAveragePrice(context.db, symbol, last.from, last.to);
  if (mark !== null) return { mark, isLate: false, markedAt: last.to };
  const late = await findFirstFreshMinuteAverage(context.db, symbol, session.closesAt);
  return late === null
    ? undefined
    : { mark: late.price, isLate: true, markedAt: new Date(late.from.getTime() + MINUTE_MS) };
}

/** The recording is over and the asset was stale at its end: no better price will come. */
const lastMark = (asset: Asset): FoundMark | undefined =>
  asset.mark === null ? undefined : { mark: asset.mark.price, isLate: true, markedAt: asset.mark.at };
