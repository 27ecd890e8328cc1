import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inBatchTransaction, inTransaction, runWorkers } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { applyMoves } from '../core/execution/holding-state.ts';
import { openedAmount } from '../core/execution/opened-amount.ts';
import { minimumMicros } from '../core/placing.ts';
import { Exact } from '../core/price.ts';
import { isNextDue } from '../core/session-window.ts';
import { type Chunk, lockRows, openBatch } from '../session/opening-sql.ts';
import { getTradeBps, joinFollower, type SessionRow } from '../session/session-sql.ts';
import { closingByBatch, settleTrades } from '../session/settlement-sql.ts';
import {
  type Batch,
  type Edge,
  findBatchChunk,
  findOpeningEdge,
  lockBatch,
  releaseOpenings,
  trimClosings,
  updateBooked,
  updateFilledInPart,
  updateOpeningTrimmed,
} from './batch-sql.ts';
import { addToSale } from './closing-sale-sql.ts';
import { getMemberPositions, lockHolding, updateHolding, venueResult } from './holding-sql.ts';

/** Trades processed per transaction. */
const CHUNK_SIZE = 5000;

/**
 * Opens and settles the trades of a filled batch at its prices, and books what the exchange moved. Can resume after a
 * crash anywhere: each chunk is one transaction, and trades that it opened or settled no longer belong to the batch.
 * Trades count in the current session: between two sessions, or when it changes meanwhile or is overdue, the rest waits.
 * The trade fee is that of the session in which the batch was planned: the order was for amounts less that fee.
 *
 * @param session the current one
 */
export async function bookBatch(
  context: Context,
  session: SessionRow,
  batch: Batch,
  chunkSize = CHUNK_SIZE,
): Promise<void> {
  // A closing sale has no trades of its own: they settle at its average price.
  if (batch.kind === 'orders' && !(await bookTrades(context, session, batch, chunkSize))) return;
  await inTransaction(context.db, (tx) => bookMoved(context, tx, batch));
}

/** @returns whether all are booked */
async function bookTrades(context: Context, session: SessionRow, batch: Batch, chunkSize: number): Promise<boolean> {
  const { day, rates } = session;
  if (rates === null || isNextDue(session, await getMarketTime(context.db))) return false;
  const { performanceBps } = rates;
  const tradeBps = await getTradeBps(context.db, batch.day);
  if (batch.openMicros !== null) await trimOpenings(context, batch, tradeBps);
  if (batch.settleCoins !== null) await inTransaction(context.db, (tx) => trimOnce(tx, batch));
  const chunks = { session, batch, chunkSize };
  const areOpened = await forEachChunk(context, chunks, 'queued', (tx, chunk) =>
    openBatch(tx, chunk, { day, batchId: batch.id, tradeBps }),
  );
  const closing = closingByBatch(batch.id);
  const settling = { day, performanceBps, funding: 'treasury', closing, batchId: batch.id } as const;
  const areSettled = await forEachChunk(context, chunks, 'open', async (tx, chunk) =>
    settleTrades(tx, await lockRows(tx, chunk, sql`t.state = 'open'`), settling),
  );
  return areOpened && areSettled;
}

type Chunks = { readonly session: SessionRow; readonly batch: Batch; readonly chunkSize: number };

/** @returns whether the session was the current one all the time */
async function forEachChunk(
  context: Context,
  { session, batch: { id }, chunkSize }: Chunks,
  state: 'queued' | 'open',
  work: (tx: Tx, chunk: Chunk) => Promise<void>,
): Promise<boolean> {
  let isCurrent = true;
  await runWorkers<Chunk>(
    (last) => findBatchChunk(context.db, id, state, last?.upTo ?? 0n, chunkSize),
    (chunk) =>
      inBatchTransaction(context.db, async (tx) => {
        if (await joinFollower(tx, session)) await work(tx, chunk);
        else isCurrent = false;
      }),
  );
  return isCurrent;
}

/**
 * After a partial fill, the trade at the edge opens in part if it reaches its minimum; the rest return to the queue.
 */
function trimOpenings(context: Context, { id, symbol }: Batch, tradeBps: number): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    await lockHolding(tx, symbol);
    const { openMicros } = await lockBatch(tx, id);
    if (openMicros === null) return;
    const edge = await findOpeningEdge(tx, id, openMicros, tradeBps);
    if (edge !== undefined) await openPart(tx, id, edge, openedAmount(openMicros - edge.before, tradeBps));
    await updateOpeningTrimmed(tx, id);
  });
}

async function openPart(tx: Tx, batchId: bigint, edge: Edge, amount: bigint): Promise<void> {
  const isEnough = amount >= minimumMicros(edge.wallet);
  await releaseOpenings(tx, batchId, isEnough ? edge.id + 1n : edge.id);
  if (!isEnough) return;
  await updateFilledInPart(tx, edge.id, amount);
  await post(tx, [
    {
      key: `trade/${edge.id}/not-filled`,
      from: { memberId: edge.memberId, class: 'trade_escrow' },
      to: { memberId: edge.memberId, class: edge.source },
      amountMicros: edge.amount - amount,
      reason: 'trade_cancel',
      reference: `trade ${edge.id}`,
      marketAt: await getMarketTime(tx),
      note: 'not_filled',
    },
  ]);
}

async function trimOnce(tx: Tx, { id, symbol }: Batch): Promise<void> {
  await lockHolding(tx, symbol);
  const { settleCoins, sell } = await lockBatch(tx, id);
  if (settleCoins !== null && sell !== null) await trimClosings(tx, id, settleCoins, sell);
}

/** Books what the exchange moved, after the batch's trades are booked: the remainder belongs to the house. */
export async function bookMoved(context: Context, tx: Tx, { id, symbol }: Pick<Batch, 'id' | 'symbol'>): Promise<void> {
  const holding = await lockHolding(tx, symbol);
  const batch = await lockBatch(tx, id);
  if (batch.state !== 'filled') return;
  if (batch.kind === 'close') await addToSale(tx, batch);
  const sign = batch.plan.order?.side === 'sell' ? -1 : 1;
  const opposite = sign === 1 ? -1 : 1;
  const moved = { coins: signed(sign, batch.filled.coins), dollars: signed(opposite, batch.filled.dollars) };
  const next = applyMoves(holding, moved, await getMemberPositions(tx, symbol), midOf(batch));
  await updateHolding(tx, symbol, next);
  await updateBooked(tx, id, context.now());
  const about = { key: `batch/${id}/result`, reference: `batch ${id}`, marketAt: await getMarketTime(tx) };
  await post(tx, venueResult(next.result - holding.result, about));
}

const signed = (sign: 1 | -1, text: string): string => (sign === 1 || Number(text) === 0 ? text : `-${text}`);

const midOf = ({ quote }: Batch): string => new Exact(quote.bid).plus(quote.ask).div(2).toFixed();
