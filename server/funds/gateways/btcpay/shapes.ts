import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { invoiceStatuses } from '../../core/follow-invoice.ts';

/** Amounts come as decimal text, of any length; only the last step to micros rounds. */
const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_DOWN });

const decimal = z
  .string()
  .regex(/^-?\d{1,30}(\.\d{1,40})?$/)
  .transform((text) => new Exact(text));
/** Decimal text in newer versions, a number in older ones. */
const rate = z.union([decimal, z.number().transform((value) => new Exact(value))]).refine((value) => value.gt(0));
const unixSeconds = z.number().int().min(0).max(8_640_000_000_000);

/** BTCPay Server adds fields as it grows: what is not read is left alone. */
export const invoiceShape = z.looseObject({
  id: z.string().min(1),
  storeId: z.string(),
  amount: decimal,
  currency: z.string(),
  checkoutLink: z.url({ protocol: /^https?$/ }),
  expirationTime: unixSeconds,
  status: z.enum(invoiceStatuses),
  metadata: z.looseObject({ orderId: z.unknown(), reference: z.unknown() }).partial().nullish(),
});
export type BtcpayInvoice = z.output<typeof invoiceShape>;

const payment = z.looseObject({
  id: z.string().min(1),
  receivedDate: unixSeconds,
  /** In the currency of its payment method. */
  value: decimal.refine((value) => value.gte(0)),
  status: z.enum(['Invalid', 'Processing', 'Settled']),
});

/** One way to pay an invoice, and what came in that way. `rate`: dollars one of its currency is worth. */
export const paymentMethodShape = z.looseObject({
  paymentMethodId: z.string().min(1),
  currency: z.string(),
  destination: z.string().nullish(),
  paymentLink: z.string().nullish(),
  rate,
  due: decimal,
  payments: z.array(payment),
  activated: z.boolean(),
});
export type PaymentMethod = z.output<typeof paymentMethodShape>;

/** A way in which the store takes payments. */
export const storeMethodShape = z.looseObject({ paymentMethodId: z.string().min(1) });

/** Coins of a wallet, unconfirmed ones among them. */
export const walletShape = z.looseObject({ balance: decimal.refine((value) => value.gte(0)) });

/** What a transaction changed the wallet's balance by: below zero for one that sends. */
export const walletTransactionShape = z.looseObject({ amount: decimal });

export const walletTransactionsShape = z.array(
  walletTransactionShape.extend({
    transactionHash: z.string().regex(/^[0-9a-f]{64}$/),
    timestamp: unixSeconds,
  }),
);

/** Null and missing: what this kind of node does not have. */
const coins = decimal.refine((value) => value.gte(0)).nullish();

/** Of the store's Lightning node: in the chain satoshi, in channels millisatoshi. */
export const lightningBalanceShape = z.looseObject({
  onchain: z.looseObject({ confirmed: coins, unconfirmed: coins, reserved: coins }).nullish(),
  offchain: z.looseObject({ opening: coins, local: coins, closing: coins }).nullish(),
});

export const ratesShape = z.array(z.looseObject({ currencyPair: z.string(), rate: rate.nullish() }));

export const payoutShape = z.looseObject({
  id: z.string().min(1),
  state: z.enum(['AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled']),
  metadata: z.looseObject({ orderId: z.unknown() }).partial().nullish(),
  /** Bitcoin; null before it is approved. */
  payoutAmount: decimal.nullish(),
  /** Of a payment in the chain its `id` is the transaction's hash. */
  paymentProof: z.looseObject({ id: z.string().nullish() }).nullish(),
});
export type BtcpayPayout = z.output<typeof payoutShape>;

/** `toMicros(new Decimal('100.0000009'))` is 100_000_000n: rounded down, once. */
export const toMicros = (dollars: Decimal): bigint => BigInt(dollars.times(1_000_000).toFixed(0, Decimal.ROUND_DOWN));

/** `toDollars(12_500_000n)` is 12.5 */
export const toDollars = (micros: bigint): Decimal => new Exact(micros.toString()).div(1_000_000);
