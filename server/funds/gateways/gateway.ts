import type { PayWay } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Config } from '#server/config.ts';
import type { InvoiceView } from '../core/follow-invoice.ts';

export type GatewayName = Config['payments'][number];

export type Invoice = InvoiceView & {
  readonly id: string;
  /** The deposit's id as stored by the gateway; an invoice of another order is never applied. */
  readonly orderId: string;
  /** Transaction hash of the first valid payment, or else its id at the gateway; null before one. */
  readonly paymentId: string | null;
  readonly expiresAt: Date;
  /** Ways to pay from our own page, each with the amount due. */
  readonly payWays: readonly PayWay[];
  /** At a gateway with `coins`: `units` and `micros` of confirmed payments, `seen` of all payments; decimal text. */
  readonly coins?: { readonly units: string; readonly micros: bigint; readonly seen: string };
};

/** Input of `createInvoice`. */
export type InvoiceOrder = {
  readonly depositId: bigint;
  /** Shown to the payer: DP-7M2QX4. */
  readonly reference: string;
  readonly amountMicros: bigint;
  readonly lifetimeMinutes: number;
  /** One of `Gateway.payWith`; null at a gateway that offers no choice. */
  readonly payWith: PayoutNetwork | null;
  /** Return path of the payer; `{status}` is success, pending, failed or cancelled. */
  readonly returnPath: string;
};

/** `payUrl` is the gateway's page; null when the invoice is paid from our own. */
export type IssuedInvoice = { readonly invoice: Invoice; readonly payUrl: string | null };

/** What the deposit's row records of its invoice, for a gateway that does not store it. */
export type KnownInvoice = {
  readonly payWith: PayoutNetwork | null;
  /** In dollars. */
  readonly amountMicros: bigint;
  readonly expiresAt: Date;
  /** An unconfirmed payment was seen before the expiry. */
  readonly isPending: boolean;
  /** Booked so far. */
  readonly bookedMicros: bigint;
  /** The part of it that operators have refunded. */
  readonly refundedMicros: bigint;
};

/** An event only names an invoice to check; amounts and states are fetched, never read from it. */
export type GatewayEvent = { readonly type: string; readonly invoiceId: string };

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Input of `createPayout`. */
export type PayoutOrder = {
  /** Our reference, WD-7M2QX4; stored with the payout at the gateway, so that it can be found again. */
  readonly reference: string;
  readonly network: PayoutNetwork;
  readonly address: string;
  /** In dollars. */
  readonly amountMicros: bigint;
  /** The same in coins, as decimal text: `0.0198` Bitcoin. Null before it was ordered, and where a coin is a dollar. */
  readonly units: string | null;
};

export type Payout = {
  readonly id: string;
  /**
   * `completed` is final. `cancelled` ended at the gateway, and was never sent unless it has a transaction.
   * `unconfirmed` is held by the gateway until `confirmPayout`, and is never sent without it. `uncertain` is not as
   * ordered (another address, coin or amount).
   */
  readonly state: 'unconfirmed' | 'waiting' | 'completed' | 'cancelled' | 'uncertain';
  /** Transaction hash; null while there is none. */
  readonly transaction: string | null;
  /** Coins sent, as decimal text: `0.0198` Bitcoin. Null until fixed, and where a coin is a dollar. */
  readonly units: string | null;
  /** Network fee charged in addition to the amount; null when the gateway does not report it with the payout. */
  readonly networkFeeMicros: bigint | null;
};

/**
 * The outcome of a call is unknown: it timed out, the connection broke, or the gateway replied with a server error.
 * Repeating it blindly could pay twice.
 */
export class OutcomeUnknown extends Error {}

/**
 * A payment gateway, modelled on the Greenfield API of BTCPay Server: invoices, signed events and payouts. All calls
 * are I/O and never happen inside a transaction. When the gateway cannot be reached they throw
 * `Refused('gateway_unavailable')`; only `createPayout` distinguishes an unknown outcome.
 */
export type Gateway = {
  readonly name: GatewayName;
  /** Networks its invoices can be paid on; empty when there is no choice. No two gateways accept the same. */
  readonly payWith: readonly PayoutNetwork[];
  /** How long after an invoice's expiry the gateway still detects payments, and we poll for them. */
  readonly watchedHours: number;
  /**
   * Not idempotent. A gateway that can search returns the invoice of an earlier attempt, but concurrent attempts may
   * create two; the one not attached to the deposit is never shown and expires.
   */
  readonly createInvoice: (order: InvoiceOrder) => Promise<IssuedInvoice>;
  /** `known` must be read before the call; missing means nothing seen and nothing booked. */
  readonly findInvoice: (invoiceId: string, known?: KnownInvoice) => Promise<Invoice | undefined>;
  /**
   * Verifies the signature over the raw bytes. `ignored` is a valid event of another store, or not about an invoice.
   * Refuses `bad_signature`, `unreadable_body`.
   */
  readonly readEvent: (rawBody: Buffer, headers: WebhookHeaders) => Promise<GatewayEvent | 'ignored'>;
  /** Whether it pays out on this network; others are paid by hand. */
  readonly canPay: (network: PayoutNetwork) => boolean;
  /**
   * Not idempotent at any gateway: call `findPayout` first. Refuses `gateway_unavailable` only when it is certain that
   * nothing was created.
   * @throws OutcomeUnknown otherwise
   */
  readonly createPayout: (order: PayoutOrder) => Promise<Payout>;
  /** The payout with the order's reference, created at or after `since`; may be a cancelled one. */
  readonly findPayout: (order: PayoutOrder, since?: Date) => Promise<Payout | undefined>;
  readonly getPayout: (payoutId: string, order: PayoutOrder) => Promise<Payout | undefined>;
  /**
   * Confirms a payout that is `unconfirmed`, and so as ordered. Idempotent; `getPayout` shows the effect.
   * Refuses `gateway_unavailable`. Absent where payouts need no confirmation.
   */
  readonly confirmPayout?: (payoutId: string, order: PayoutOrder) => Promise<void>;
  /**
   * Current network fee of a payout, in micros; undefined for a network it does not pay on. Refuses
   * `gateway_unavailable`. Absent where the gateway offers no estimate.
   */
  readonly estimateNetworkFee?: (network: PayoutNetwork) => Promise<bigint | undefined>;
  /**
   * Total balance in micros; undefined when it would be incomplete, or the gateway holds no real money. Refuses
   * `gateway_unavailable`.
   */
  readonly reportBalance: () => Promise<bigint | undefined>;
  /** Present when it holds coins, whose value in dollars changes. */
  readonly coins?: CoinsAtGateway;
  /**
   * All final movements in a period, and possibly earlier ones; needs the payout key. Absent where it holds no real
   * money. Refuses `gateway_unavailable`.
   */
  readonly listEntries?: (from: Date, to: Date) => Promise<GatewayEntry[]>;
};

/** A movement of our balance at a gateway. */
export type GatewayEntry = {
  readonly kind: 'payment' | 'payout' | 'network_fee' | 'other';
  /** Unique within its kind. */
  readonly id: string;
  /** `payment/` + invoice id, `payout/` + payout id, or `transaction/` + hash. */
  readonly about: string;
  readonly at: Date;
  readonly asset: string;
  /** Signed change of the balance, as decimal text. */
  readonly units: string;
};

/** Amounts are decimal text. All refuse `gateway_unavailable`. */
export type CoinsAtGateway = {
  readonly asset: string;
  /** Current balance; undefined when it would be incomplete. */
  readonly reportUnits: () => Promise<string | undefined>;
  /** Current dollars per coin. */
  readonly getRate: () => Promise<string>;
  /**
   * Dollars in coins at the current rate, rounded down: $990 at $50,000 are 0.0198. Refuses `gateway_unavailable` at a
   * rate far from the last one, if any.
   */
  readonly toUnits: (micros: bigint, lastRate: string | null) => Promise<string>;
  /** Network fee that we paid for a transaction; undefined while unknown. */
  readonly findNetworkFee: (transaction: string) => Promise<string | undefined>;
};

/** The payout half of a gateway. */
export type OperatorPayouts = Pick<Gateway, 'canPay' | 'createPayout' | 'findPayout' | 'getPayout'>;
