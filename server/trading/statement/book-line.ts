import type { Tx } from '#server/db/connect.ts';
import { post } from '#server/ledger/index.ts';
import { coinAt, getMarketTime, namesAt } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { isOnlyFar } from '../core/execution/check-fills.ts';
import { applyMoves } from '../core/execution/holding-state.ts';
import { type LoneFill, microsOfAmount, movedByFill } from '../core/execution/moved-by-line.ts';
import { Exact } from '../core/price.ts';
import { hasUnfinished } from '../execution/batch-sql.ts';
import {
  getMemberPositions,
  insertHolding,
  lockHolding,
  updateHolding,
  venueResult,
} from '../execution/holding-sql.ts';
import { type Finding, getMark, type StoredLine } from './finding-sql.ts';

/**
 * Whether a line can be booked: a dollar change outside trades and transfers, a fill of an order not ours, or one of ours
 * that its batch does not believe for its distance from the mark alone.
 */
export function isBookable({ kind, exchange, line, isOurOrder, unread }: Finding): boolean {
  if (kind !== 'unmatched' || line === null) return false;
  if (line.kind === 'other') return line.coin === namesAt(exchange).dollar && microsOfAmount(line.amount ?? '0') !== 0n;
  if (line.kind !== 'fill' || line.symbol === null) return false;
  if (unread === null) return !isOurOrder;
  const { id: tradeId, quantity, cost, fee: feeQuantity, feeCoin, at } = line;
  const fill = { tradeId, quantity: quantity ?? '', cost: cost ?? '', feeQuantity, feeCoin, filledAt: new Date(at) };
  return isOnlyFar(fill, unread, { coin: coinAt(exchange, line.symbol), dollar: namesAt(exchange).dollar });
}

/**
 * Books a line so that the ledger agrees with the exchange. Refuses `statement_not_bookable`, also when more coins left
 * than the ledger has, and `batch_under_way`. A fill of our own order is booked by its batch, in the next round.
 *
 * @returns the transfer's id; null when the house's result is unchanged
 */
export async function bookLine(
  tx: Tx,
  finding: Finding,
  about: { readonly reference: string; readonly note: string },
): Promise<bigint | null> {
  const { line, exchange } = finding;
  if (!isBookable(finding) || line === null) throw new Refused('statement_not_bookable');
  if (finding.unread !== null) return null;
  const result = line.kind === 'other' ? microsOfAmount(line.amount ?? '0') : await bookFill(tx, exchange, line);
  const key = `statement/${finding.id}/result`;
  const [posted] = await post(tx, venueResult(result, { key, marketAt: await getMarketTime(tx), ...about }));
  return posted?.id ?? null;
}

/**
 * Updates the coins and dollars of the asset's holding, and thereby its residual, which later batches use up.
 *
 * @returns the change in the house's result, in micros
 */
async function bookFill(tx: Tx, exchange: string, line: StoredLine): Promise<bigint> {
  const symbol = line.symbol as string;
  await insertHolding(tx, symbol);
  const holding = await lockHolding(tx, symbol);
  if (await hasUnfinished(tx, symbol)) throw new Refused('batch_under_way');
  const names = { coin: coinAt(exchange, symbol), dollar: namesAt(exchange).dollar };
  const moved = movedByFill(line as LoneFill, names);
  if (new Exact(holding.held).plus(moved.coins).isNegative()) throw new Refused('statement_not_bookable');
  const mark = (await getMark(tx, symbol)) ?? new Exact(line.cost ?? 0).div(line.quantity ?? 1).toFixed(12);
  const books = applyMoves(holding, moved, await getMemberPositions(tx, symbol), mark);
  await updateHolding(tx, symbol, books);
  return books.result - holding.result;
}
