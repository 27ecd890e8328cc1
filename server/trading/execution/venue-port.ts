import type { OrderTerms } from '../core/execution/batch-plan.ts';

/** An order as the exchange reports it. Coins as decimal text. */
export type VenueOrder = {
  readonly id: string;
  /** The id we assigned, as the exchange returns it. */
  readonly clientOrderId: string;
  readonly filled: string;
  /** Whether no more fills can follow. */
  readonly isFinal: boolean;
  /** The exchange's own name for the state. */
  readonly status: string;
};

/** One fill of an order: coins and dollars as decimal text. */
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
  /** The highest price to buy at, or the lowest to sell at. */
  readonly limitPrice: string;
  /** When sending was claimed. The exchange refuses a request that arrives much later. */
  readonly sentAt: Date;
};

/** Best prices, and the dollars one order could move within a slippage of the mid; decimal text. */
export type VenueBook = {
  readonly bid: string;
  readonly ask: string;
  readonly buyDepth: string;
  readonly sellDepth: string;
};

export type VenueBalances = {
  /** Coins by the exchange's name, including those in orders; zero balances are omitted. */
  readonly total: ReadonlyMap<string, string>;
  /** What orders can use. */
  readonly free: ReadonlyMap<string, string>;
};

export type StatementKind = 'fill' | 'transfer_in' | 'transfer_out' | 'other';

/**
 * One line of the exchange's account statement. Coins and amounts as decimal text, coins by the exchange's name. The
 * fee of a line other than a fill is a separate line, so each amount is one balance change.
 */
export type StatementLine = {
  readonly kind: StatementKind;
  /** The exchange's id; for a fill, unique within its pair. */
  readonly id: string;
  readonly at: Date;
  /** Fills only: the pair traded, such as `BTC/USDT`; otherwise empty. */
  readonly pair: string;
  /** Fills only: our symbol, if one of our assets was traded against dollars. */
  readonly symbol: string | null;
  readonly coin: string;
  /** Fills only. The client order id is present only where the exchange returns it. */
  readonly orderId: string | null;
  readonly clientOrderId: string | null;
  readonly side: 'buy' | 'sell' | null;
  readonly quantity: string | null;
  readonly cost: string | null;
  /** Fills only; negative for a rebate. */
  readonly fee: string;
  readonly feeCoin: string | null;
  /** All other lines: the signed change in the coin's balance. */
  readonly amount: string | null;
  /** Transfers only: the exchange's id of the external payment. */
  readonly transaction: string | null;
  /** The exchange's own name for this kind of line. */
  readonly word: string;
};

/**
 * An exchange as execution sees it. All calls are I/O and never run inside a transaction. All throw `VenueFault` when
 * the exchange fails to do what was requested. Assets are identified by our symbols.
 */
export type Venue = {
  /** The exchange's name for the dollar that our assets trade against: `USDT`, or `USD` at Kraken. */
  readonly dollar: string;
  /** Dollars by which a fill may change the balance more or less than it says. */
  readonly roundedPerFill: string;
  /** The exchange's name for one of our assets: `btc` is `BTC`, `eos` is `A`. */
  readonly coinOf: (symbol: string) => string;
  /** Terms of the assets that trade against dollars now, without those unlisted or halted. */
  readonly listTerms: () => Promise<ReadonlyMap<string, OrderTerms>>;
  /** Assets that are listed but paused, as of the last `listTerms`. */
  readonly listPaused: () => Promise<readonly string[]>;
  /** Discards cached terms after a sign that they changed; the next call reads them again. */
  readonly forgetTerms: () => void;
  /**
   * Undefined when a side of the book is empty or holds a value that is not a number.
   *
   * @param slippage distance from the mid within which depth is counted, as a fraction: `0.003`
   */
  readonly readBook: (symbol: string, slippage: string) => Promise<VenueBook | undefined>;
  /** Finds an order by the id we assigned; undefined when the exchange does not know it. */
  readonly findOrder: (symbol: string, clientOrderId: string) => Promise<VenueOrder | undefined>;
  /**
   * Sends an immediate-or-cancel limit order. An id that was sent before is not sent again (`unknown`).
   *
   * @returns the exchange's id of the accepted order
   */
  readonly sendOrder: (order: OrderRequest) => Promise<string>;
  readonly cancelOrder: (symbol: string, clientOrderId: string) => Promise<void>;
  /** All fills of an order so far, oldest first. */
  readonly listFills: (symbol: string, orderId: string) => Promise<VenueFill[]>;
  readonly listBalances: () => Promise<VenueBalances>;
  /**
   * Everything that happened in the account from `from` until `to`, exclusive, oldest first. Events that the key cannot
   * see are missing (docs/exchanges.md, "Statement").
   *
   * @throws VenueFault unreadable when a line cannot be true
   */
  readonly listStatement: (from: Date, to: Date) => Promise<StatementLine[]>;
  /** Dollars per coin for a coin that is not one of our assets, by the exchange's name. */
  readonly getPrice: (coin: string) => Promise<string>;
};

/**
 * - `refused`: the exchange understood and rejects this order or this asset.
 * - `not_taken`: the request was not processed (rate limit, clock skew); a later one may be.
 * - `unknown`: no answer, or one that does not say whether the request was executed.
 * - `unreadable`: the answer cannot be parsed, such as a quantity that is not a number.
 * - `unreachable`: no connection. Whether the request was executed is unknown here too.
 * - `unauthorised`: the exchange rejects our key.
 */
export type VenueFaultKind = 'refused' | 'not_taken' | 'unknown' | 'unreadable' | 'unreachable' | 'unauthorised';

export class VenueFault extends Error {
  readonly kind: VenueFaultKind;
  /** How long the exchange asked us to wait. */
  readonly retryAfterMs: number | null;

  constructor(kind: VenueFaultKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'VenueFault';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the request may have been executed: its outcome is then queried, never assumed. */
export const isOutcomeUnknown = ({ kind }: VenueFault): boolean =>
  kind === 'unknown' || kind === 'unreachable' || kind === 'unreadable';
