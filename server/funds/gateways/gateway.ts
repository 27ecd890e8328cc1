import type { PayWay } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Config } from '#server/config.ts';
import type { InvoiceView } from '../core/follow-invoice.ts';

export type GatewayName = Config['payments'][number];

export type Invoice = InvoiceView & {
  readonly id: string;
  /** The deposit's id, as the gateway kept it: an invoice of another order is never followed. */
  readonly orderId: string;
  /** Of the first payment that counts: its transaction, or else the gateway's name of it; null before one came. */
  readonly paymentId: string | null;
  readonly expiresAt: Date;
  /** Where else than on the gateway's page it can be paid, each with what is still due there. */
  readonly payWays: readonly PayWay[];
  /** At a gateway with `coins`: those of confirmed payments with their value, and those of all that were seen; decimal text. */
  readonly coins?: { readonly units: string; readonly micros: bigint; readonly seen: string };
};

/** What an invoice is asked for. */
export type InvoiceOrder = {
  readonly depositId: bigint;
  /** What the payer sees: DP-7M2QX4. */
  readonly reference: string;
  readonly amountMicros: bigint;
  readonly lifetimeMinutes: number;
  /** One of `Gateway.payWith`; null at a gateway that offers no choice. */
  readonly payWith: PayoutNetwork | null;
  /** Where the payer is sent afterwards; `{status}` stands for success, pending, failed or cancelled. */
  readonly returnPath: string;
};

/** `payUrl` is the gateway's page; null when it has none, and the invoice is paid from our own. */
export type IssuedInvoice = { readonly invoice: Invoice; readonly payUrl: string | null };

/** What a deposit's row says about its invoice, for a gateway that does not remember it. */
export type KnownInvoice = {
  readonly payWith: PayoutNetwork | null;
  /** In dollars. */
  readonly amountMicros: bigint;
  readonly expiresAt: Date;
  /** A payment that is not confirmed yet was seen while there was time. */
  readonly isPending: boolean;
  /** Taken over so far. */
  readonly bookedMicros: bigint;
};

/** An event says only which invoice to look at: amounts and states are asked of the gateway, never read from it. */
export type GatewayEvent = { readonly type: string; readonly invoiceId: string };

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What a payout is asked for. */
export type PayoutOrder = {
  /** Ours: WD-7M2QX4. The gateway keeps it with the payout, so that the payout can be found again. */
  readonly reference: string;
  readonly network: PayoutNetwork;
  readonly address: string;
  /** In dollars; a gateway that pays in a coin fixes its amount when it takes the order. */
  readonly amountMicros: bigint;
  /** Dollars of one coin when the house last valued those there: at a rate far from it nothing is ordered. */
  readonly lastRate?: string | null;
};

export type Payout = {
  readonly id: string;
  /**
   * `completed` is final: what was sent cannot come back. `cancelled` was never sent. `unconfirmed` is held by the gateway
   * until `confirmPayout`, and never leaves without.
   */
  readonly state: 'unconfirmed' | 'waiting' | 'completed' | 'cancelled';
  /** Hash of the payment outside; null while there is none. */
  readonly transaction: string | null;
  /** Coins that leave for it, as decimal text: `0.0198` Bitcoin. Null while they are not fixed, and where a coin is a dollar. */
  readonly units: string | null;
  /** What the network's fee took of ours beside the amount; null where the gateway does not say so with the payout. */
  readonly networkFeeMicros: bigint | null;
};

/**
 * The gateway was asked to do something and nobody knows whether it did: no answer in time, the connection broke, or
 * the answer says that the fault is the gateway's own. Asking again blindly could pay twice.
 */
export class OutcomeUnknown extends Error {}

/**
 * A payment gateway as deposits and withdrawals need it, after the Greenfield API of BTCPay Server: create an invoice,
 * get it, signed events, and payouts. All calls are I/O and never happen inside a transaction. A gateway that cannot be
 * reached throws `Refused('gateway_unavailable')`; only `createPayout` tells apart what that leaves open.
 */
export type Gateway = {
  readonly name: GatewayName;
  /** What its invoices can be paid with; empty where there is nothing to choose. No two gateways take the same. */
  readonly payWith: readonly PayoutNetwork[];
  /** So long after it expired a payment of an invoice is still noticed, and it is asked about as long. */
  readonly watchedHours: number;
  /**
   * Not idempotent. A gateway that lets us look gives the invoice again that an earlier try made; two tries at the same
   * time may still make two. The one that is not tied to the deposit is shown to nobody and expires.
   */
  readonly createInvoice: (order: InvoiceOrder) => Promise<IssuedInvoice>;
  /** `known` as of before the question; without it nothing was seen and nothing is booked. */
  readonly findInvoice: (invoiceId: string, known?: KnownInvoice) => Promise<Invoice | undefined>;
  /**
   * Checks the signature over the bytes as they came. `ignored` is well signed and none of ours: another store's, or not
   * about an invoice. Refuses `bad_signature`, `unreadable_body`.
   */
  readonly readEvent: (rawBody: Buffer, headers: WebhookHeaders) => Promise<GatewayEvent | 'ignored'>;
  /** Whether it pays out on this network at all; the others are paid by hand. */
  readonly canPay: (network: PayoutNetwork) => boolean;
  /**
   * Not idempotent, at no gateway: whoever calls looks with `findPayout` first. Refuses `gateway_unavailable` only when
   * it is certain that nothing was created.
   * @throws OutcomeUnknown when nobody knows
   */
  readonly createPayout: (order: PayoutOrder) => Promise<Payout>;
  /** The payout that carries this reference, cancelled ones among them. It was not made before `since`. */
  readonly findPayout: (reference: string, since?: Date) => Promise<Payout | undefined>;
  readonly getPayout: (payoutId: string) => Promise<Payout | undefined>;
  /**
   * Lets an `unconfirmed` payout go, if it is what was ordered. Asked again it changes nothing, and whether it did shows when
   * the payout is looked at. Refuses `gateway_unavailable`. Absent where payouts go at once.
   */
  readonly confirmPayout?: (payoutId: string, order: PayoutOrder) => Promise<void>;
  /**
   * What the network would take for a payout at this moment, in micros; undefined for a network it does not pay. Refuses
   * `gateway_unavailable`. Absent where nothing is known of it.
   */
  readonly estimateNetworkFee?: (network: PayoutNetwork) => Promise<bigint | undefined>;
  /**
   * All that it holds for us now, in micros; undefined where it cannot say all of it, or holds nothing real. Refuses
   * `gateway_unavailable`.
   */
  readonly reportBalance: () => Promise<bigint | undefined>;
  /** What it holds is no dollars, and gains and loses. */
  readonly coins?: CoinsAtGateway;
  /**
   * Everything that it lists as moved in a period and that is final, by the key that pays out; none where it holds nothing real.
   * May list more, from before. Refuses `gateway_unavailable`.
   */
  readonly listEntries?: (from: Date, to: Date) => Promise<GatewayEntry[]>;
};

/** What moved what a gateway holds for us. */
export type GatewayEntry = {
  readonly kind: 'payment' | 'payout' | 'network_fee' | 'other';
  /** Unique within its kind. */
  readonly id: string;
  /** `payment/` and the invoice, `payout/` and the payout, `transaction/` and the wallet's transaction. */
  readonly about: string;
  readonly at: Date;
  readonly asset: string;
  /** Decimal text, signed: what it holds grew by. */
  readonly units: string;
};

/** Decimal text. All refuse `gateway_unavailable`. */
export type CoinsAtGateway = {
  readonly asset: string;
  /** All of them that it holds for us now; undefined where it cannot say so. */
  readonly reportUnits: () => Promise<string | undefined>;
  /** Dollars that one of them is worth now. */
  readonly getRate: () => Promise<string>;
  /** What the network took of ours for a transaction, beside all that it paid; undefined while that is not known. */
  readonly findNetworkFee: (transaction: string) => Promise<string | undefined>;
};

/** The half that pays out. */
export type OperatorPayouts = Pick<Gateway, 'canPay' | 'createPayout' | 'findPayout' | 'getPayout'>;
