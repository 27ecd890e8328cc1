import type { Decimal } from 'decimal.js';
import { Exact, floorMicros, MICROS, toPriceText } from '../price.ts';
import {
  type BatchPlan,
  buyerPrice,
  isBearable,
  MOST_RESIDUAL_MICROS,
  type OrderTerms,
  type Quote,
  sellerPrice,
  type Wanted,
  worstOf,
} from './batch-plan.ts';

/** What the exchange did for the order of a batch; decimal text without sign, all zero without an order. */
export type Filled = {
  /** Coins as the exchange filled them, and what arrived or went after a fee taken in the coin. */
  readonly quantity: string;
  readonly coins: string;
  /** Dollars before the fee, and what was paid or received with it. */
  readonly cost: string;
  readonly dollars: string;
};

export const nothingFilled: Filled = { quantity: '0', coins: '0', cost: '0', dollars: '0' };

/** One side's price in its parts, as text of 12 decimals: `price` = `fill` ± `fee` ± markup. */
export type SidePrice = {
  /** The exchange's fills and what crossed inside, before fees. */
  readonly fill: string;
  /** The same net of the exchange's fee. */
  readonly net: string;
  /** What members pay or get. */
  readonly price: string;
};

export type BatchOutcome = {
  readonly buy: SidePrice | null;
  readonly sell: SidePrice | null;
  /** Micros of positions that open, in the order of placing; null: all of them. */
  readonly openMicros: bigint | null;
  /** Coins of positions that are sold, in the order of the requests; null: all of them. */
  readonly sellCoins: string | null;
};

/**
 * What a batch comes to once its order is done: a price for each side, and how far it reaches (docs/product.md, section 3). What was
 * ordered and not filled opens and closes nothing; what rounding leaves is the residual.
 *
 * Ordered 1.5 coins for 2 that open and 0.5 that close, filled at 50.10 with a fee of 0.1 %, mid 50: buyers pay
 * (0.5 × 50 + 1.5 × 50.1501) ÷ 2 = 50.112575 and the markup, who sells gets 50 less the markup.
 */
export function decideBatch(
  wanted: Wanted,
  { buyCoins, order, isWhole }: BatchPlan,
  filled: Filled,
  at: { readonly quote: Quote; readonly terms: Pick<OrderTerms, 'takerFee'>; readonly spreadBps: number },
): BatchOutcome {
  const crossed = Exact.min(buyCoins, wanted.sellCoins);
  const priceOf = (side: 'buy' | 'sell') => blend(side, crossed, order?.side === side ? filled : nothingFilled, at);
  const [buy, sell] = [priceOf('buy'), priceOf('sell')];
  const isDone = order === null || (isWhole && new Exact(filled.quantity).eq(order.quantity));
  const openMicros = wanted.buyMicros === 0n || order?.side !== 'buy' ? null : reachOfBuyers();
  const sellCoins = new Exact(wanted.sellCoins).isZero() || order?.side !== 'sell' ? null : reachOfSellers();
  return {
    buy: wanted.buyMicros === 0n ? null : toTexts(buy, buyerPrice(buy.net, at.spreadBps)),
    sell: new Exact(wanted.sellCoins).isZero() ? null : toTexts(sell, sellerPrice(sell.net, at.spreadBps)),
    openMicros,
    sellCoins,
  };

  /** Coins that are there for who buys: those of who sells, those filled, and what the house has over. */
  function reachOfBuyers(): bigint | null {
    const price = new Exact(toPriceText(buyerPrice(buy.net, at.spreadBps)));
    const needed = new Exact(wanted.buyMicros.toString()).div(MICROS).div(price);
    const there = new Exact(wanted.sellCoins).plus(filled.coins).plus(wanted.residual);
    const reach = reachOf(needed, there, Exact.max(new Exact(wanted.sellCoins).plus(filled.coins), there));
    return reach === null ? null : smaller(floorMicros(reach.times(price)), wanted.buyMicros);
  }

  /** Coins that can be sold: to who buys, those filled, and what the house lacks. */
  function reachOfSellers(): string | null {
    const needed = new Exact(wanted.sellCoins);
    const price = new Exact(toPriceText(buyerPrice(buy.net, at.spreadBps)));
    const bought =
      wanted.buyMicros === 0n ? new Exact(0) : new Exact(wanted.buyMicros.toString()).div(MICROS).div(price);
    const there = bought.plus(filled.coins).minus(wanted.residual);
    const reach = reachOf(needed, there, Exact.max(bought.plus(filled.coins), there));
    return reach === null ? null : Exact.min(reach, needed).toFixed();
  }

  /** @returns null when all that is needed is reached, by what rounding leaves at most */
  function reachOf(needed: Decimal, there: Decimal, atLeast: Decimal): Decimal | null {
    if (!isDone) return needed.lte(atLeast) ? null : atLeast;
    if (needed.lte(there) || isBearable(needed.minus(there), at.quote.mark)) return null;
    return there.plus(new Exact(MOST_RESIDUAL_MICROS.toString()).div(MICROS).div(at.quote.mark));
  }
}

type Blend = { readonly fill: Decimal; readonly net: Decimal };

/** What crossed at the mid of best bid and ask, and what the exchange filled; without either, its best price with its fee. */
function blend(
  side: 'buy' | 'sell',
  crossed: Decimal,
  { quantity, coins, cost, dollars }: Filled,
  { quote, terms }: { readonly quote: Quote; readonly terms: Pick<OrderTerms, 'takerFee'> },
): Blend {
  const mid = new Exact(quote.bid).plus(quote.ask).div(2);
  if (crossed.plus(quantity).isZero())
    return { fill: new Exact(side === 'buy' ? quote.ask : quote.bid), net: worstOf(side, quote, terms) };
  return {
    fill: crossed.times(mid).plus(cost).div(crossed.plus(quantity)),
    net: crossed.times(mid).plus(dollars).div(crossed.plus(coins)),
  };
}

const toTexts = ({ fill, net }: Blend, price: Decimal): SidePrice => ({
  fill: toPriceText(fill),
  net: toPriceText(net),
  price: toPriceText(price),
});

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
