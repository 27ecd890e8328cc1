import { buyPrice, formatPrice, parsePrice, sellPrice } from './price.ts';

/** The mark and spread behind a fill price. */
export type FillMark = { readonly mark: string; readonly spreadBps: number; readonly source: 'stored' | 'derived' };

/** Each side bears half of the spread, so the base is twice the number of basis points. */
const HALF_SPREAD_BASE = 20_000n;

/**
 * Decomposes a fill price. While the mark is stored, the spread is derived from it; otherwise the mark is derived from
 * the price and the session's spread. Either result is verified with the functions that made the price.
 *
 * Bought at 100.05 with the mark 100 stored: a spread of 10 basis points. Without it, at 10 basis points: mark 100.
 */
export function findFillMark(
  side: 'buy' | 'sell',
  price: string,
  known: { readonly mark: string | undefined; readonly spreadBps: number },
): FillMark {
  const spreadBps = known.mark === undefined ? undefined : findSpread(side, price, known.mark);
  return known.mark !== undefined && spreadBps !== undefined
    ? { mark: plain(known.mark), spreadBps, source: 'stored' }
    : { mark: plain(deriveMark(side, price, known.spreadBps)), spreadBps: known.spreadBps, source: 'derived' };
}

const priceOf = (side: 'buy' | 'sell', mark: string, spreadBps: number): string =>
  side === 'buy' ? buyPrice(mark, spreadBps) : sellPrice(mark, spreadBps);

function findSpread(side: 'buy' | 'sell', price: string, mark: string): number | undefined {
  const [priceUnits, markUnits] = [parsePrice(price), parsePrice(mark)];
  const away = side === 'buy' ? priceUnits - markUnits : markUnits - priceUnits;
  if (away < 0n) return undefined;
  const spreadBps = Number((away * HALF_SPREAD_BASE + markUnits / 2n) / markUnits);
  return spreadBps < Number(HALF_SPREAD_BASE) && parsePrice(priceOf(side, mark, spreadBps)) === priceUnits
    ? spreadBps
    : undefined;
}

function deriveMark(side: 'buy' | 'sell', price: string, spreadBps: number): string {
  const factor = side === 'buy' ? HALF_SPREAD_BASE + BigInt(spreadBps) : HALF_SPREAD_BASE - BigInt(spreadBps);
  return formatPrice((parsePrice(price) * HALF_SPREAD_BASE + factor / 2n) / factor);
}

/** Strips trailing zeros: `plain('100.050000000000') === '100.05'`. */
export const plain = (price: string): string => (price.includes('.') ? price.replace(/\.?0+$/, '') : price);
