import type { InvoiceView } from './core/follow-invoice.ts';

export type Invoice = InvoiceView & {
  readonly id: string;
  /** The gateway's name of the first payment that counts; null before one came. */
  readonly paymentId: string | null;
  readonly expiresAt: Date;
};

/** What an invoice is asked for. */
export type InvoiceOrder = {
  readonly depositId: bigint;
  /** What the payer sees: DP-7M2QX4. */
  readonly reference: string;
  readonly amountMicros: bigint;
  readonly lifetimeMinutes: number;
  /** Where the payer is sent afterwards; `{status}` stands for success, pending, failed or cancelled. */
  readonly returnPath: string;
};

export type IssuedInvoice = { readonly invoice: Invoice; readonly payUrl: string };

/** An event says only which invoice to look at: amounts and states are asked of the gateway, never read from it. */
export type GatewayEvent = { readonly type: string; readonly invoiceId: string };

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * A payment gateway as deposits need it, after the Greenfield API of BTCPay Server: create an invoice, get it, and
 * signed events. All calls are I/O and never happen inside a transaction. A gateway that cannot be reached throws
 * `Refused('gateway_unavailable')`.
 */
export type Gateway = {
  readonly name: 'sandbox';
  /** Not idempotent, as at real gateways: a second invoice for one deposit is never shown to anybody and expires. */
  readonly createInvoice: (order: InvoiceOrder) => Promise<IssuedInvoice>;
  readonly findInvoice: (invoiceId: string) => Promise<Invoice | undefined>;
  /** Checks the signature over the bytes as they came. Refuses `bad_signature`, `unreadable_body`. */
  readonly readEvent: (rawBody: Buffer, headers: WebhookHeaders) => Promise<GatewayEvent>;
};
