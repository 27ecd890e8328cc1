import { Decimal } from 'decimal.js';
import { Exact, MICROS } from '../price.ts';

/** What the exchange takes in one limit order of an asset, and what it charges; decimal text, null for no limit. */
export type OrderTerms = {
  readonly stepSize: string;
  readonly tickSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string | null;
  readonly minNotional: string;
  readonly maxNotional: string | null;
  /** What it takes of an order that fills at once, as a part: `0.001`. */
  readonly takerFee: string;
  /** It takes the fee of a purchase in the coin: fewer arrive than it fills. */
  readonly isFeeInCoin: boolean;
};

/** Best prices of the exchange's order book, and the mark that members see. */
export type Quote = { readonly bid: string; readonly ask: string; readonly mark: string };

/** What one asset needs at one instant. */
export type Wanted = {
  /** Micros of the positions that open: amounts less fees. */
  readonly buyMicros: bigint;
  /** Coins of the positions that close. */
  readonly sellCoins: string;
  /** Coins that the exchange holds beyond those of members; negative: fewer. */
  readonly residual: string;
};

export type Markup = {
  /** The published spread; each side bears half of it. */
  readonly spreadBps: number;
  /** How far from the mark an order may fill, as a part: `0.003`. */
  readonly maxSlippage: string;
};

export type BatchOrder = { readonly side: 'buy' | 'sell'; readonly quantity: string; readonly limitPrice: string };

export type BatchPlan = {
  /** Coins that the openings come to at the best price, exchange fee and markup included. */
  readonly buyCoins: string;
  /** Null where what is left after crossing is too little for an order: the house's residual takes it. */
  readonly order: BatchOrder | null;
  /** The order covers what is needed, up to a lot; false where the exchange's largest order cuts it. */
  readonly isWhole: boolean;
};

/** A residual of an asset that the house bears at most. */
export const MOST_RESIDUAL_MICROS = 100_000_000n;

/**
 * The order of a batch (docs/product.md, section 3, "Execution venue"): what opens and closes crosses inside, the residual is taken
 * into account, and the rest is one limit order at the mark ± the largest slippage, rounded to the exchange's lot.
 *
 * 100 dollars open at an ask of 50, without fee and markup: 2 coins. 0.5 coins close, no residual, lot 0.01: buy 1.5, limit 50.15 at a
 * mark of 50. With a fee of 0.1 % taken in the coin 1.501501 less the part of a lot, of which 1.5 arrive.
 *
 * @returns undefined when it waits for the next batch: too little for an order, and too much for the residual
 */
export function planBatch(
  wanted: Wanted,
  quote: Quote,
  terms: OrderTerms,
  { spreadBps, maxSlippage }: Markup,
): BatchPlan | undefined {
  const buyCoins = coinsOf(wanted.buyMicros, buyerPrice(worstOf('buy', quote, terms), spreadBps));
  const net = buyCoins.minus(wanted.sellCoins).minus(wanted.residual);
  const side = net.isNegative() ? 'sell' : 'buy';
  const limitPrice = limitOf(side, quote.mark, maxSlippage, terms.tickSize);
  // Filled in full, what arrives is what is needed.
  const needed = side === 'buy' && terms.isFeeInCoin ? net.div(new Exact(1).minus(terms.takerFee)) : net.abs();
  const quantity = wholeSteps(Exact.min(needed, largestOrder(limitPrice, terms)), terms.stepSize);
  if (isOrder(quantity, limitPrice, terms))
    return {
      buyCoins: buyCoins.toFixed(),
      order: { side, quantity: quantity.toFixed(), limitPrice: limitPrice.toFixed() },
      isWhole: needed.minus(quantity).lt(terms.stepSize),
    };
  return isBearable(net.neg(), quote.mark) ? { buyCoins: buyCoins.toFixed(), order: null, isWhole: true } : undefined;
}

/**
 * The order that sells coins for at least a price, rounded to the exchange's lot, and to its tick upwards; null when that is less than
 * its smallest. What is over its largest stays unsold: 0.1234 at 50 000.03, lot 0.001, tick 0.01: 0.123 at 50 000.03.
 */
export function saleOrder(
  { quantity: wanted, limitPrice: least }: { readonly quantity: string; readonly limitPrice: string },
  terms: OrderTerms,
): BatchOrder | null {
  const limitPrice = new Exact(least).div(terms.tickSize).ceil().times(terms.tickSize);
  const quantity = wholeSteps(Exact.min(wanted, largestOrder(limitPrice, terms)), terms.stepSize);
  return isOrder(quantity, limitPrice, terms)
    ? { side: 'sell', quantity: quantity.toFixed(), limitPrice: limitPrice.toFixed() }
    : null;
}

const isOrder = (quantity: Decimal, limitPrice: Decimal, { minQuantity, minNotional }: OrderTerms): boolean =>
  quantity.gt(0) && quantity.gte(minQuantity) && quantity.times(limitPrice).gte(minNotional);

/** Whether the house may be left with it. */
export const isBearable = (residual: Decimal, mark: string): boolean =>
  residual.abs().times(mark).times(MICROS).lte(MOST_RESIDUAL_MICROS.toString());

/** What the exchange's best price comes to with its fee, for who buys or sells. */
export const worstOf = (
  side: 'buy' | 'sell',
  quote: Pick<Quote, 'bid' | 'ask'>,
  { takerFee }: Pick<OrderTerms, 'takerFee'>,
): Decimal =>
  side === 'buy'
    ? new Exact(quote.ask).times(new Exact(takerFee).plus(1))
    : new Exact(quote.bid).times(new Exact(1).minus(takerFee));

const HALF_SPREAD_BASE = 20_000;

/** A price net of the exchange's fee with half the published spread on it: what a member pays. */
export const buyerPrice = (price: Decimal, spreadBps: number): Decimal =>
  price.times(HALF_SPREAD_BASE + spreadBps).div(HALF_SPREAD_BASE);

/** The same less half the spread: what a member gets. */
export const sellerPrice = (price: Decimal, spreadBps: number): Decimal =>
  price.times(HALF_SPREAD_BASE - spreadBps).div(HALF_SPREAD_BASE);

const coinsOf = (micros: bigint, price: Decimal): Decimal =>
  new Exact(micros.toString()).div(MICROS).div(price).toDecimalPlaces(12, Decimal.ROUND_DOWN);

/** Never beyond the largest slippage: rounded towards the mark. */
function limitOf(side: 'buy' | 'sell', mark: string, maxSlippage: string, tickSize: string): Decimal {
  const limit = new Exact(mark).times(
    side === 'buy' ? new Exact(1).plus(maxSlippage) : new Exact(1).minus(maxSlippage),
  );
  const ticks = limit.div(tickSize);
  return (side === 'buy' ? ticks.floor() : ticks.ceil()).times(tickSize);
}

function largestOrder(price: Decimal, { maxQuantity, maxNotional }: OrderTerms): Decimal {
  const byQuantity = new Exact(maxQuantity ?? Number.POSITIVE_INFINITY);
  return maxNotional === null ? byQuantity : Exact.min(byQuantity, new Exact(maxNotional).div(price));
}

const wholeSteps = (quantity: Decimal, stepSize: string): Decimal => quantity.div(stepSize).floor().times(stepSize);
