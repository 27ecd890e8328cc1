import type { OrderTerms } from '../core/execution/batch-plan.ts';

/** What the exchange knows of an order. Coins as decimal text. */
export type VenueOrder = {
  readonly id: string;
  /** The id we gave it, as the exchange tells it. */
  readonly clientOrderId: string;
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
  /** Nothing is bought dearer or sold cheaper. */
  readonly limitPrice: string;
  /** When sending was claimed: an exchange that gets the request much later refuses it. */
  readonly sentAt: Date;
};

/** Best prices, and the dollars that one order could move within a slippage of the mid; decimal text. */
export type VenueBook = {
  readonly bid: string;
  readonly ask: string;
  readonly buyDepth: string;
  readonly sellDepth: string;
};

export type VenueBalances = {
  /** Coins by their name at the exchange, in orders or not; none that are zero. */
  readonly total: ReadonlyMap<string, string>;
  /** What orders can use. */
  readonly free: ReadonlyMap<string, string>;
};

export type StatementKind = 'fill' | 'transfer_in' | 'transfer_out' | 'other';

/**
 * One line of what the exchange says happened in our account. Coins and amounts as decimal text, coins by their names there.
 * The fee of a line that is no fill is a line of its own, so that each amount is what a balance moved by.
 */
export type StatementLine = {
  readonly kind: StatementKind;
  /** The exchange's; of a fill unique within its pair. */
  readonly id: string;
  readonly at: Date;
  /** Of a fill: what was traded against what, `BTC/USDT`; empty for all others. */
  readonly pair: string;
  /** Of a fill in an asset of ours against dollars. */
  readonly symbol: string | null;
  readonly coin: string;
  /** Of a fill. The client order id only where the exchange repeats it. */
  readonly orderId: string | null;
  readonly clientOrderId: string | null;
  readonly side: 'buy' | 'sell' | null;
  readonly quantity: string | null;
  readonly cost: string | null;
  /** Of a fill; below zero for a rebate. */
  readonly fee: string;
  readonly feeCoin: string | null;
  /** Of all others: what the balance of the coin moved by, signed. */
  readonly amount: string | null;
  /** Of a transfer: the payment outside, as the exchange names it. */
  readonly transaction: string | null;
  /** The exchange's own word for it. */
  readonly word: string;
};

/**
 * An exchange as execution needs it. All calls are I/O and never happen inside a transaction; all throw `VenueFault` when
 * the exchange does not do what it was asked. Assets are named by our symbols.
 */
export type Venue = {
  /** Its name of the dollar that our assets are traded in: `USDT`, at Kraken `USD`. */
  readonly dollar: string;
  /** Its name of an asset of ours: `btc` is `BTC`, `eos` is `A`. */
  readonly coinOf: (symbol: string) => string;
  /** Terms of the assets it trades against dollars now; one that it does not list or has halted is not among them. */
  readonly listTerms: () => Promise<ReadonlyMap<string, OrderTerms>>;
  /** Assets that it lists and does not trade at the moment, as of `listTerms`. */
  readonly listPaused: () => Promise<readonly string[]>;
  /** Terms are read anew when they are asked for next: something shows that they changed. */
  readonly forgetTerms: () => void;
  /**
   * Undefined where nobody buys, nobody sells, or what it says is no number.
   *
   * @param slippage how far from the mid depth is counted, as a part: `0.003`
   */
  readonly readBook: (symbol: string, slippage: string) => Promise<VenueBook | undefined>;
  /** By the id we gave it; undefined when the exchange knows no such order. */
  readonly findOrder: (symbol: string, clientOrderId: string) => Promise<VenueOrder | undefined>;
  /**
   * A limit order that fills at once as far as it can, the rest is gone. An id that was sent before is not sent again (`unknown`).
   *
   * @returns its id at the exchange, which accepted it
   */
  readonly sendOrder: (order: OrderRequest) => Promise<string>;
  readonly cancelOrder: (symbol: string, clientOrderId: string) => Promise<void>;
  /** All fills of an order so far, oldest first. */
  readonly listFills: (symbol: string, orderId: string) => Promise<VenueFill[]>;
  readonly listBalances: () => Promise<VenueBalances>;
  /**
   * Everything that happened in the account from an instant until another, which is not included, oldest first. What the key
   * cannot see is not in it (docs/exchanges.md, "Statement").
   *
   * @throws VenueFault unreadable when a line of it cannot be true
   */
  readonly listStatement: (from: Date, to: Date) => Promise<StatementLine[]>;
  /** Dollars for a coin that is no asset of ours, by its name at the exchange. */
  readonly getPrice: (coin: string) => Promise<string>;
};

/**
 * - `refused`: it understood and will not, for this order or this asset.
 * - `not_taken`: this request did not get to the order (asked too often, clock apart); later it may.
 * - `unknown`: no answer, or one that leaves open whether it was done.
 * - `unreadable`: it answered what cannot be read, such as a quantity that is no number.
 * - `unreachable`: nobody is there. Whether it was done is open here, too.
 * - `unauthorised`: it does not accept our key.
 */
export type VenueFaultKind = 'refused' | 'not_taken' | 'unknown' | 'unreadable' | 'unreachable' | 'unauthorised';

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
export const isOpen = ({ kind }: VenueFault): boolean =>
  kind === 'unknown' || kind === 'unreachable' || kind === 'unreadable';
