import { strict as assert } from 'node:assert';
import { shareOf } from '#contract/money.ts';
import { formatPrice, PRICE_DECIMALS, parsePrice } from './price.ts';

/** The settlement of one trade, in micros. Every field but `gross` and `result` is a transfer or a sum of transfers. */
export type Settlement = {
  /** P: the sale value of the position. */
  readonly proceeds: bigint;
  /** trade_escrow → source wallet: min(P, N). */
  readonly returned: bigint;
  /** trade_escrow → venue: N − P when the position lost. */
  readonly loss: bigint;
  /** venue → source wallet: the gain up to the trade fee. */
  readonly gain: bigint;
  /** venue → profit: the gain over the amount, less the performance fee. */
  readonly profit: bigint;
  /** venue → performance_fees: g. */
  readonly performanceFee: bigint;
  /** P − N. */
  readonly gross: bigint;
  /** P − A − g: the trade's change in the member's wallets. */
  readonly result: bigint;
};

const BPS = 10_000n;

/**
 * The trade fee f of an amount A, rounded down (docs/product.md, section 6):
 * `tradeFee(250_000_000n, 40) === 1_000_000n`.
 */
export function tradeFee(amount: bigint, tradeBps: number): bigint {
  return shareOf(amount, BigInt(tradeBps), BPS);
}

/**
 * Settles one trade by docs/product.md, section 2, "Money flows". With A the amount, f the trade fee and N = A − f:
 * P = N × close ÷ open, rounded down, and the performance fee g = 10 % of max(0, P − A), rounded down.
 *
 * 250 dollars, fee 1, bought at 100 and sold at 110: N = 249, P = 273.9, g = 2.39; 249 return from escrow, 1 comes
 * from the venue to make the amount whole, 21.51 go to profit; result = 273.9 − 250 − 2.39 = 21.51.
 */
export function settle(trade: {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly openPrice: string;
  readonly closePrice: string;
  readonly performanceBps: number;
}): Settlement {
  const { amount, fee } = trade;
  assert(amount > 0n && fee >= 0n && fee < amount, 'a fee is a part of the amount');
  const net = amount - fee;
  const proceeds = (net * parsePrice(trade.closePrice)) / parsePrice(trade.openPrice);
  const over = positive(proceeds - amount);
  const performanceFee = shareOf(over, BigInt(trade.performanceBps), BPS);
  return {
    proceeds,
    returned: proceeds < net ? proceeds : net,
    loss: positive(net - proceeds),
    gain: positive((proceeds < amount ? proceeds : amount) - net),
    profit: over - performanceFee,
    performanceFee,
    gross: proceeds - net,
    result: proceeds - amount - performanceFee,
  };
}

const positive = (micros: bigint): bigint => (micros > 0n ? micros : 0n);

/** Money has 6 decimals, prices and quantities 12. */
const MICRO_DECIMALS = 6;
const SCALE = 10n ** BigInt(2 * PRICE_DECIMALS - MICRO_DECIMALS);

/**
 * Coins bought for N dollars, truncated after 12 decimals. For display only: proceeds are N × close ÷ open, so that
 * only money is rounded (docs/product.md, section 2). `coinsBought(249_000_000n, '100.05') === '2.488755622188'`
 */
export const coinsBought = (netMicros: bigint, openPrice: string): string =>
  formatPrice((netMicros * SCALE) / parsePrice(openPrice));
