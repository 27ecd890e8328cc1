import { buyPrice, sellPrice } from './price.ts';
import type { SessionWindow } from './session-window.ts';

/** A stored market price: `price` is decimal text, `at` market time. */
export type Tick = { readonly symbol: string; readonly price: string; readonly at: Date };

/**
 * The requests one tick fills: those of its asset made at `from` or later and before `at`. The intervals of an asset do
 * not overlap, so each request matches exactly one, and a million requests are filled by one join.
 */
export type Fill = { readonly symbol: string; readonly from: Date; readonly at: Date; readonly price: string };

const BEGINNING = new Date(0);

/**
 * Which tick fills which opening requests: the first tick of the asset strictly after the request while the session is
 * open (docs/product.md, section 3). Requests from before the opening are filled by the first tick at or after it; a
 * tick at the exact close fills nothing.
 *
 * Ticks of btc at 12:29:45, 12:30:00 and 12:30:15 make two fills: requests before 12:30:00 at the second, requests from
 * 12:30:00 on and before 12:30:15 at the third.
 *
 * @param ticks later than all processed ones, in time order
 */
export function openingFills(
  ticks: readonly Tick[],
  window: SessionWindow,
  spreads: ReadonlyMap<string, number>,
): Fill[] {
  return fills(ticks, window, (tick) => buyPrice(tick.price, spreadOf(spreads, tick)));
}

/** The same for *close now*: sold at the first tick strictly after the request, within the session. */
export function closingFills(
  ticks: readonly Tick[],
  window: SessionWindow,
  spreads: ReadonlyMap<string, number>,
): Fill[] {
  return fills(ticks, window, (tick) => sellPrice(tick.price, spreadOf(spreads, tick)));
}

function fills(ticks: readonly Tick[], window: SessionWindow, priceOf: (tick: Tick) => string): Fill[] {
  const lastOf = new Map<string, Date>();
  return ticks
    .filter((tick) => tick.at >= window.opensAt && tick.at < window.closesAt)
    .map((tick) => {
      const from = lastOf.get(tick.symbol) ?? BEGINNING;
      lastOf.set(tick.symbol, tick.at);
      return { symbol: tick.symbol, from, at: tick.at, price: priceOf(tick) };
    });
}

function spreadOf(spreads: ReadonlyMap<string, number>, tick: Tick): number {
  const spreadBps = spreads.get(tick.symbol);
  if (spreadBps === undefined) throw new RangeError(`no spread for ${tick.symbol}`);
  return spreadBps;
}
