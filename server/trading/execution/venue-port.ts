import type { OrderLimits } from '../core/execution/hedge-plan.ts';

/** What the exchange knows of an order. Coins as decimal text. */
export type VenueOrder = {
  readonly id: string;
  readonly filled: string;
  /** Nothing more will be filled. */
  readonly isFinal: boolean;
  /** The exchange's own word for its state. */
  readonly status: string;
};

/** A part of an order that was filled: coins and dollars as decimal text. */
export type VenueFill = {
  readonly tradeId: string;
  readonly quantity: string;
  readonly cost: string;
  readonly feeQuantity: string;
  readonly feeCoin: string | null;
  readonly filledAt: Date;
};

export type OrderRequest = {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** When sending was claimed: an exchange that gets the request much later refuses it. */
  readonly sentAt: Date;
};

/**
 * An exchange as hedging needs it. All calls are I/O and never happen inside a transaction; all throw `VenueFault` when
 * the exchange does not do what it was asked. Assets are named by our symbols.
 */
export type Venue = {
  /** Limits of the assets it trades against dollars now. */
  readonly listLimits: () => Promise<ReadonlyMap<string, OrderLimits>>;
  /** By the id we gave it; undefined when the exchange knows no such order. */
  readonly findOrder: (symbol: string, clientOrderId: string) => Promise<VenueOrder | undefined>;
  /** A market order. @returns its id at the exchange, which accepted it; what came of it is asked with `findOrder` */
  readonly sendOrder: (order: OrderRequest) => Promise<string>;
  readonly cancelOrder: (symbol: string, clientOrderId: string) => Promise<void>;
  /** All fills of an order so far, oldest first. */
  readonly listFills: (symbol: string, orderId: string) => Promise<VenueFill[]>;
  /** Coins by their name at the exchange (`BTC`, `USDT`), in orders or not; none that are zero. */
  readonly listBalances: () => Promise<ReadonlyMap<string, string>>;
  /** Dollars for a coin that is no asset of ours, by its name at the exchange. */
  readonly getPrice: (coin: string) => Promise<string>;
};

/**
 * - `refused`: it understood and will not, for this order or this asset.
 * - `not_taken`: this request did not get to the order (asked too often, clock apart); later it may.
 * - `unknown`: no answer, or one that leaves open whether it was done.
 * - `unreachable`: nobody is there. Whether it was done is open here, too.
 * - `unauthorised`: it does not accept our key.
 */
export type VenueFaultKind = 'refused' | 'not_taken' | 'unknown' | 'unreachable' | 'unauthorised';

export class VenueFault extends Error {
  readonly kind: VenueFaultKind;
  /** How long it asked to be left alone. */
  readonly retryAfterMs: number | null;

  constructor(kind: VenueFaultKind, words: string, retryAfterMs: number | null = null) {
    super(words);
    this.name = 'VenueFault';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request may not have got to the exchange's books: what was asked for is asked about, never assumed. */
export const isOpen = (fault: VenueFault): boolean => fault.kind === 'unknown' || fault.kind === 'unreachable';

/** The exchange's name of an asset of ours. */
export const coinOf = (symbol: string): string => symbol.toUpperCase();
