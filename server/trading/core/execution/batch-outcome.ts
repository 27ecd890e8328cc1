import { Decimal } from 'decimal.js';
import { COIN_DECIMALS, Exact, floorMicros, MICROS, toPriceText } from '../price.ts';
import {
  type BatchPlan,
  buyerPrice,
  isBearable,
  MAX_RESIDUAL_MICROS,
  type OrderTerms,
  type Quote,
  sellerPrice,
  type Wanted,
  worstOf,
} from './batch-plan.ts';

/** How the order of a batch was filled; decimal text without sign, all zero without an order. */
export type Filled = {
  /** Coins filled, and coins received or delivered after a fee charged in the coin. */
  readonly quantity: string;
  readonly coins: string;
  /** Dollars before the fee, and dollars paid or received including it. */
  readonly cost: string;
  readonly dollars: string;
};

export const nothingFilled: Filled = { quantity: '0', coins: '0', cost: '0', dollars: '0' };

/** The price of one side in its parts, as text with 12 decimals: `price` = `fill` ± `fee` ± markup. */
export type SidePrice = {
  /** Average of the exchange's fills and internal crosses, before fees. */
  readonly fill: string;
  /** The same net of the exchange's fee. */
  readonly net: string;
  /** What members pay or receive. */
  readonly price: string;
};

export type BatchOutcome = {
  readonly buy: SidePrice | null;
  readonly sell: SidePrice | null;
  /** Micros of positions that open, in the order of placing; null for all of them. */
  readonly openMicros: bigint | null;
  /** Coins of positions that are sold, in the order of requests; null for all of them. */
  readonly sellCoins: string | null;
};

/**
 * The outcome of a batch once its order is finished: a price for each side, and how much of it is filled
 * (docs/product.md, section 3). What was ordered but not filled opens and closes nothing. Rounding differences go to
 * the residual.
 *
 * Order of 1.5 coins for 2 that open and 0.5 that close, filled at 50.10 with a fee of 0.1 %, mid 50: buyers pay (0.5 ×
 * 50 + 1.5 × 50.1501) ÷ 2 = 50.112575 plus the markup; sellers receive 50 less the markup.
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
  const openMicros = wanted.buyMicros === 0n || order?.side !== 'buy' ? null : fillableMicros();
  const sellCoins = new Exact(wanted.sellCoins).isZero() || order?.side !== 'sell' ? null : fillableCoins();
  return {
    buy: wanted.buyMicros === 0n ? null : toTexts(buy, buyerPrice(buy.net, at.spreadBps)),
    sell: new Exact(wanted.sellCoins).isZero() ? null : toTexts(sell, sellerPrice(sell.net, at.spreadBps)),
    openMicros,
    sellCoins,
  };

  /** Coins available to buyers: from sellers, from fills, and the house's surplus. */
  function fillableMicros(): bigint | null {
    const price = new Exact(toPriceText(buyerPrice(buy.net, at.spreadBps)));
    const needed = new Exact(wanted.buyMicros.toString()).div(MICROS).div(price);
    const available = new Exact(wanted.sellCoins).plus(filled.coins).plus(wanted.residual);
    const filledPart = fillable(
      needed,
      available,
      Exact.max(new Exact(wanted.sellCoins).plus(filled.coins), available),
    );
    return filledPart === null ? null : floorMicros(filledPart.times(price));
  }

  /** Coins that can be sold: to buyers, through fills, and against the house's shortfall. */
  function fillableCoins(): string | null {
    const needed = new Exact(wanted.sellCoins);
    const price = new Exact(toPriceText(buyerPrice(buy.net, at.spreadBps)));
    const bought =
      wanted.buyMicros === 0n ? new Exact(0) : new Exact(wanted.buyMicros.toString()).div(MICROS).div(price);
    const available = bought.plus(filled.coins).minus(wanted.residual);
    const filledPart = fillable(needed, available, Exact.max(bought.plus(filled.coins), available));
    return filledPart === null ? null : filledPart.toDecimalPlaces(COIN_DECIMALS, Decimal.ROUND_DOWN).toFixed();
  }

  /** @returns less than needed; null when everything needed is available, up to rounding */
  function fillable(needed: Decimal, available: Decimal, atLeast: Decimal): Decimal | null {
    if (!isDone) return needed.lte(atLeast) ? null : atLeast;
    if (needed.lte(available) || isBearable(needed.minus(available), at.quote.mark)) return null;
    return available.plus(new Exact(MAX_RESIDUAL_MICROS.toString()).div(MICROS).div(at.quote.mark));
  }
}

type Blend = { readonly fill: Decimal; readonly net: Decimal };

/** Average of internal crosses at the mid and of fills; without either, the exchange's best price with its fee. */
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
