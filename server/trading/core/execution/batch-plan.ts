import { Decimal } from 'decimal.js';
import { COIN_DECIMALS, Exact, MICROS } from '../price.ts';

/** Limits and fee of the exchange for one limit order of an asset; decimal text, null for no limit. */
export type OrderTerms = {
  readonly stepSize: string;
  readonly tickSize: string;
  readonly minQuantity: string;
  readonly maxQuantity: string | null;
  readonly minNotional: string;
  readonly maxNotional: string | null;
  /** Fee rate of an order that fills at once, as a fraction: `0.001`. */
  readonly takerFee: string;
  /** Whether purchases pay their fee in the coin: fewer coins arrive than are filled. */
  readonly isFeeInCoin: boolean;
};

/** Best bid and ask of the exchange's order book, and the mark that members see. */
export type Quote = { readonly bid: string; readonly ask: string; readonly mark: string };

/** What the trades of one asset need at one instant. */
export type Wanted = {
  /** Net amount of the positions to open, in micros: amounts less fees. */
  readonly buyMicros: bigint;
  /** Coins of the positions to close. */
  readonly sellCoins: string;
  /** Coins that the exchange holds beyond members' coins; negative for a shortfall. */
  readonly residual: string;
};

export type Markup = {
  /** The published spread, of which each side bears half. */
  readonly spreadBps: number;
  /** Maximum distance of a fill from the mark, as a fraction: `0.003`. */
  readonly maxSlippage: string;
};

export type BatchOrder = { readonly side: 'buy' | 'sell'; readonly quantity: string; readonly limitPrice: string };

export type BatchPlan = {
  /** Coins that the openings buy at the best price, including exchange fee and markup. */
  readonly buyCoins: string;
  /** Null when the rest after crossing is too small for an order and goes to the house's residual. */
  readonly order: BatchOrder | null;
  /** Whether the order covers everything needed, up to one lot; false when the exchange's largest order caps it. */
  readonly isWhole: boolean;
};

/** The largest residual of an asset that the house bears. */
export const MAX_RESIDUAL_MICROS = 100_000_000n;

/**
 * The order of a batch (docs/product.md, section 3, "Execution venue"): openings and closings cross internally, the
 * residual is used up, and the rest becomes one limit order at the mark ± the largest slippage, rounded to the
 * exchange's lot.
 *
 * 100 dollars open at an ask of 50, without fee and markup: 2 coins. 0.5 coins close, no residual, lot 0.01: buy 1.5,
 * limit 50.15 at a mark of 50. With a fee of 0.1 % charged in the coin, 1.501501, of which 1.5 arrive, is
 * rounded down to a lot.
 *
 * @returns undefined when the batch must wait: too small for an order, but too large for the residual
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
  // Filled in full, the coins that arrive equal those needed.
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
 * The order that sells coins at a minimum price, rounded down to the exchange's lot and up to its tick; null below its
 * smallest order. Coins above its largest order stay unsold. 0.1234 at 50 000.03, lot 0.001, tick 0.01: 0.123 at 50
 * 000.03.
 */
export function saleOrder(
  { quantity: wanted, limitPrice: minPrice }: { readonly quantity: string; readonly limitPrice: string },
  terms: OrderTerms,
): BatchOrder | null {
  const limitPrice = new Exact(minPrice).div(terms.tickSize).ceil().times(terms.tickSize);
  const quantity = wholeSteps(Exact.min(wanted, largestOrder(limitPrice, terms)), terms.stepSize);
  return isOrder(quantity, limitPrice, terms)
    ? { side: 'sell', quantity: quantity.toFixed(), limitPrice: limitPrice.toFixed() }
    : null;
}

const isOrder = (quantity: Decimal, limitPrice: Decimal, { minQuantity, minNotional }: OrderTerms): boolean =>
  quantity.gt(0) && quantity.gte(minQuantity) && quantity.times(limitPrice).gte(minNotional);

/** Whether the house can bear this residual. */
export const isBearable = (residual: Decimal, mark: string): boolean =>
  residual.abs().times(mark).times(MICROS).lte(MAX_RESIDUAL_MICROS.toString());

/** The exchange's best price including its fee, for a buyer or a seller. */
export const worstOf = (
  side: 'buy' | 'sell',
  quote: Pick<Quote, 'bid' | 'ask'>,
  { takerFee }: Pick<OrderTerms, 'takerFee'>,
): Decimal =>
  side === 'buy'
    ? new Exact(quote.ask).times(new Exact(takerFee).plus(1))
    : new Exact(quote.bid).times(new Exact(1).minus(takerFee));

const HALF_SPREAD_BASE = 20_000;

/** A price including the exchange's fee plus half the published spread: what a member pays. */
export const buyerPrice = (price: Decimal, spreadBps: number): Decimal =>
  price.times(HALF_SPREAD_BASE + spreadBps).div(HALF_SPREAD_BASE);

/** A price net of the exchange's fee less half the published spread: what a member receives. */
export const sellerPrice = (price: Decimal, spreadBps: number): Decimal =>
  price.times(HALF_SPREAD_BASE - spreadBps).div(HALF_SPREAD_BASE);

const coinsOf = (micros: bigint, price: Decimal): Decimal =>
  new Exact(micros.toString()).div(MICROS).div(price).toDecimalPlaces(COIN_DECIMALS, Decimal.ROUND_DOWN);

/** Rounded towards the mark, so never beyond the largest slippage. */
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
