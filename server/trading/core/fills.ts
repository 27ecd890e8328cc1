import { buyPrice, sellPrice } from './price.ts';
import type { SessionWindow } from './session-window.ts';

/** A stored market price: `price` is decimal text, `at` market time. */
export type Tick = { readonly symbol: string; readonly price: string; readonly at: Date };

/** One tick fills all waiting requests of its asset made before `at`: a million requests are filled by one join. */
export type Fill = Tick;

/**
 * The prices at which ticks fill opening requests. Instants are processed in time order, so a request is filled by the
 * first tick of its asset strictly after it while the session is open (docs/product.md, section 3): one from before the
 * opening by the first tick at or after it. A tick at the exact close fills nothing.
 *
 * @param ticks of one instant, at most one of each asset
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
  return ticks
    .filter((tick) => tick.at >= window.opensAt && tick.at < window.closesAt)
    .map((tick) => ({ symbol: tick.symbol, at: tick.at, price: priceOf(tick) }));
}

function spreadOf(spreads: ReadonlyMap<string, number>, tick: Tick): number {
  const spreadBps = spreads.get(tick.symbol);
  if (spreadBps === undefined) throw new RangeError(`no spread for ${tick.symbol}`);
  return spreadBps;
}
