import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { sellerPrice, worstOf } from '../core/execution/batch-plan.ts';
import { isSold, partToSell } from '../core/execution/closing-parts.ts';
import { residualOf } from '../core/execution/holding-state.ts';
import { Exact, toPriceText } from '../core/price.ts';
import { insertClosingMark, joinFollower, type SessionRow, type SessionSnapshot } from '../session/session-sql.ts';
import type { Batch } from './batch-sql.ts';
import { type OpenSale, readSale, type Sale, updateSaleDone } from './closing-sale-sql.ts';
import { getMemberPositions } from './holding-sql.ts';
import { lockIdleHolding, type Market, writePlan } from './plan-batch.ts';

const MINUTE_MS = 60_000;

/**
 * Sells what is still open in an asset during the session's last five minutes, a fifth each minute (docs/product.md,
 * section 3). Selling continues after the close if needed. Once everything is sold, the average of the fills is the
 * closing mark.
 *
 * @param session the current one
 * @param of the session of the positions: an earlier one for positions carried over
 * @returns the batch that sells a part; undefined when nothing is to be sold now
 */
export function sellAtClose(
  context: Context,
  { session, marketAt }: Pick<SessionSnapshot, 'session' | 'marketAt'>,
  of: Pick<SessionRow, 'day' | 'closesAt'>,
  market: Market,
): Promise<Batch | undefined> {
  return inTransaction(context.db, async (tx) => {
    // The session must not end meanwhile: its digest has the marks of what was sold in it.
    if (!(await joinFollower(tx, session))) return undefined;
    const holding = await lockIdleHolding(tx, market.symbol, context.now());
    if (holding === undefined) return undefined;
    const key = { day: of.day, symbol: market.symbol, isCarried: of.day < session.day };
    const sale = await readSale(tx, key, market.spreadBps);
    if (sale.isDone) return undefined;
    if (isSold(sale)) {
      await endSale(context, tx, { key, sale, market, isLate: isLate(of, marketAt), markedAt: marketAt });
      return undefined;
    }
    const { sellCoins, isLast } = partToSell(sale, of.closesAt, marketAt);
    const residual = isLast ? residualOf(holding.held, await getMemberPositions(tx, market.symbol)) : '0';
    const wanted = { buyMicros: 0n, sellCoins, residual };
    if (!isLast && !isOrder(sellCoins, market)) return undefined;
    return writePlan(context, tx, { ...market, day: of.day, kind: 'close', wanted, at: marketAt });
  });
}

/** A part below the smallest order is added to the next one. */
function isOrder(coins: string, { terms, quote }: Market): boolean {
  const value = new Exact(coins).times(quote.bid);
  return new Exact(coins).gte(terms.minQuantity) && new Exact(coins).gte(terms.stepSize) && value.gt(terms.minNotional);
}

const isLate = ({ closesAt }: Pick<SessionRow, 'closesAt'>, marketAt: Date): boolean =>
  marketAt.getTime() > closesAt.getTime() + MINUTE_MS;

type Ending = {
  readonly key: OpenSale;
  readonly sale: Sale;
  readonly market: Market;
  readonly isLate: boolean;
  readonly markedAt: Date;
};

async function endSale(context: Context, tx: Tx, { key, sale, market, ...ending }: Ending): Promise<void> {
  if (!(await updateSaleDone(tx, key, context.now()))) return;
  const mark = sale.net ?? toPriceText(worstOf('sell', market.quote, market.terms));
  await writeMark(tx, key, { mark, spreadBps: sale.spreadBps, ...ending });
}

type Mark = {
  readonly mark: string;
  readonly spreadBps: number;
  readonly isLate: boolean;
  readonly markedAt: Date;
};

/** Stores the closing mark of a sold asset. Positions settle at it, less the markup of their session. */
export async function writeMark(tx: Tx, { day, ...sale }: OpenSale, { spreadBps, ...ending }: Mark): Promise<void> {
  const closePrice = toPriceText(sellerPrice(new Exact(ending.mark), spreadBps));
  await insertClosingMark(tx, day, { ...sale, closePrice, ...ending });
}
