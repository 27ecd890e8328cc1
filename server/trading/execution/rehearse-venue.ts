import type { Context } from '#server/context.ts';
import type { OrderTerms } from '../core/execution/batch-plan.ts';
import { Exact } from '../core/price.ts';
import { newClientOrderId } from './plan-batch.ts';
import { type Venue, VenueFault, type VenueFill } from './venue-port.ts';

export type Rehearsal = {
  readonly lines: readonly string[];
  /** Whether every step succeeded. */
  readonly isWhole: boolean;
};

/** Margin above the smallest order, for price moves and fees charged in coins. */
const MARGIN = '1.2';
const FILLS_LAG_MS = 500;
const MAX_POLLS = 20;

/**
 * Exercises everything execution needs from an exchange: terms, an order book, balances, and that it does not know an
 * order that was never sent. Unless it is a dry run, buys the smallest order of an asset and sells it back; nothing is
 * booked.
 *
 * @throws VenueFault when a call fails
 */
export async function rehearseVenue(
  { config, now }: Pick<Context, 'config' | 'now'>,
  venue: Venue,
  { symbol, isDry }: { readonly symbol: string; readonly isDry: boolean },
): Promise<Rehearsal> {
  const terms = await venue.listTerms();
  const own = terms.get(symbol);
  const { free } = await venue.listBalances();
  const lines = [`Tradable: ${[...terms.keys()].join(', ')}`, `Free: ${free.get(venue.dollar) ?? '0'} ${venue.dollar}`];
  if (own === undefined) return { lines: [...lines, `${symbol} is not tradable here`], isWhole: false };
  const { bid, ask, buyDepth } = await readBook();
  const missing = await venue.findOrder(symbol, newClientOrderId());
  lines.push(
    `${symbol}: lot ${own.stepSize}, tick ${own.tickSize}, at least ${own.minQuantity} and ${own.minNotional} ${venue.dollar}, fee ${own.takerFee}`,
    `${symbol}: bid ${bid}, ask ${ask}, ${buyDepth} ${venue.dollar} within the largest slippage`,
    missing === undefined
      ? 'An order that nobody sent is not found'
      : `It found order ${missing.id}, which nobody sent`,
  );
  if (isDry || missing !== undefined) return { lines, isWhole: missing === undefined };
  const quantity = smallestOf(own, ask);
  const bought = await tradeOnce(venue, now, { symbol, side: 'buy', quantity, limitPrice: limitOf('buy', ask, own) });
  lines.push(`Bought ${describe(bought, venue)}`);
  const held = coinsOf(bought, venue.coinOf(symbol));
  const sold = held.div(own.stepSize).floor().times(own.stepSize);
  if (sold.lte(0)) return { lines: [...lines, 'Nothing was filled'], isWhole: false };
  const limitPrice = limitOf('sell', (await readBook()).bid, own);
  const fills = await tradeOnce(venue, now, { symbol, side: 'sell', quantity: sold.toFixed(), limitPrice });
  lines.push(`Sold ${describe(fills, venue)}`);
  const isWhole = sum(fills, ({ quantity: part }) => part).eq(sold);
  return { lines: isWhole ? lines : [...lines, 'Not all of it was sold back'], isWhole };

  async function readBook() {
    const book = await venue.readBook(symbol, config.maxSlippage);
    if (book === undefined) throw new VenueFault('unknown', `an order book of ${symbol} without prices`);
    return book;
  }
}

/** Maximum distance of a fill from the best price. */
const MAX_DISTANCE = '0.005';

function limitOf(side: 'buy' | 'sell', price: string, { tickSize }: OrderTerms): string {
  const limit = new Exact(price).times(
    side === 'buy' ? new Exact(1).plus(MAX_DISTANCE) : new Exact(1).minus(MAX_DISTANCE),
  );
  const ticks = limit.div(tickSize);
  return (side === 'buy' ? ticks.floor() : ticks.ceil()).times(tickSize).toFixed();
}

function smallestOf({ minQuantity, minNotional, stepSize }: OrderTerms, price: string): string {
  const least = Exact.max(minQuantity, new Exact(minNotional).div(price), stepSize).times(MARGIN);
  return least.div(stepSize).ceil().times(stepSize).toFixed();
}

async function tradeOnce(
  venue: Venue,
  now: () => Date,
  order: {
    readonly symbol: string;
    readonly side: 'buy' | 'sell';
    readonly quantity: string;
    readonly limitPrice: string;
  },
): Promise<readonly VenueFill[]> {
  const clientOrderId = newClientOrderId();
  const id = await venue.sendOrder({ ...order, clientOrderId, sentAt: now() });
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const found = await venue.findOrder(order.symbol, clientOrderId);
    const fills = found?.isFinal ? await venue.listFills(order.symbol, id) : [];
    if (found?.isFinal && sum(fills, ({ quantity }) => quantity).eq(found.filled)) return fills;
    await new Promise((resolve) => setTimeout(resolve, FILLS_LAG_MS));
  }
  throw new VenueFault('unknown', `order ${clientOrderId} has no end: look for it at the exchange`);
}

const sum = (fills: readonly VenueFill[], part: (fill: VenueFill) => string) =>
  fills.reduce((total, fill) => total.plus(part(fill)), new Exact(0));

const coinsOf = (fills: readonly VenueFill[], coin: string) =>
  sum(fills, ({ quantity, feeCoin, feeQuantity }) =>
    feeCoin === coin ? new Exact(quantity).minus(feeQuantity).toFixed() : quantity,
  );

const describe = (fills: readonly VenueFill[], { dollar }: Venue): string =>
  `${sum(fills, ({ quantity }) => quantity).toFixed()} for ${sum(fills, ({ cost }) => cost).toFixed()} ${dollar}, fee ${
    fills
      .map(({ feeQuantity, feeCoin }) => `${new Exact(feeQuantity).toFixed()} ${feeCoin ?? ''}`.trim())
      .join(' + ') || '0'
  }`;
