import { sellPrice } from '../fill-price.ts';
import { settle } from '../settlement.ts';

/** An open trade and the mark of its asset now; prices as decimal text, money in micros. */
export type OpenPosition = {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly openPrice: string;
  readonly mark: string;
  readonly spreadBps: number;
  readonly performanceBps: number;
};

/** `percent` of the mark now, `result` of a sale at the level, `difference` of that from the result of a sale now. */
export type StopDistance = { readonly percent: number; readonly result: bigint; readonly difference: bigint };

/**
 * How far the mark is from a level at which a stop is crossed, and what lies between, if the trade were sold at exactly that
 * mark. It will be sold at the first tick after the crossing (docs/product.md, section 3), so this is a measure and no
 * promise.
 *
 * 250 dollars, fee 1, bought at 100.05, mark 100, spread 10, stop at 98.049: −1.951 %; sold at 98.049 × 0.9995 it comes to
 * −6.102010, now to −1.248876: 4.853134 less.
 */
export function stopDistance(position: OpenPosition, level: string): StopDistance {
  const result = resultAt(position, level);
  const mark = Number(position.mark);
  return {
    percent: ((Number(level) - mark) / mark) * 100,
    result,
    difference: result - resultAt(position, position.mark),
  };
}

const resultAt = ({ spreadBps, mark: _now, ...trade }: OpenPosition, mark: string): bigint =>
  settle({ ...trade, closePrice: sellPrice(mark, spreadBps) }).result;
