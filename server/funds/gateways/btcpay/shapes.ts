import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { invoiceStatuses } from '../../core/follow-invoice.ts';
import type { GatewayServer } from '../call-server.ts';

/** A store at a BTCPay Server, through its Greenfield API. */
export type Btcpay = GatewayServer & { readonly storeId: string };

/** Amounts are decimal text of any length; only the conversion to micros rounds. */
const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_DOWN });

const decimal = z
  .string()
  .regex(/^-?\d{1,30}(\.\d{1,40})?$/)
  .transform((text) => new Exact(text));
/** Decimal text in newer versions, a number in older ones. */
const rate = z.union([decimal, z.number().transform((value) => new Exact(value))]).refine((value) => value.gt(0));
const unixSeconds = z.number().int().min(0).max(8_640_000_000_000);

/** Loose, because BTCPay Server adds fields. */
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
  /** In the payment method's currency. */
  value: decimal.refine((value) => value.gte(0)),
  status: z.enum(['Invalid', 'Processing', 'Settled']),
});

/** A payment method of an invoice, with its payments. `rate`: dollars per unit of its currency. */
export const paymentMethodShape = z.looseObject({
  paymentMethodId: z.string().min(1),
  currency: z.string(),
  destination: z.string().nullish(),
  paymentLink: z.string().nullish(),
  rate,
  due: decimal,
  payments: z
    .array(payment)
    .refine((listed) => new Set(listed.map(({ id }) => id)).size === listed.length, 'the same payment twice'),
  activated: z.boolean(),
});
export type PaymentMethod = z.output<typeof paymentMethodShape>;

/** A payment method of the store. */
export const storeMethodShape = z.looseObject({ paymentMethodId: z.string().min(1) });

/** Includes unconfirmed coins. */
export const walletShape = z.looseObject({ balance: decimal.refine((value) => value.gte(0)) });

/** Change of the wallet's balance by a transaction, negative when it sends. */
export const walletTransactionShape = z.looseObject({ amount: decimal });

export const walletTransactionsShape = z.array(
  walletTransactionShape.extend({
    transactionHash: z.string().regex(/^[0-9a-f]{64}$/),
    timestamp: unixSeconds,
  }),
);

/** Null or missing when the node does not support it. */
const coins = decimal.refine((value) => value.gte(0)).nullish();

/** Balance of the Lightning node: on-chain in satoshi, off-chain in millisatoshi. */
export const lightningBalanceShape = z.looseObject({
  onchain: z.looseObject({ confirmed: coins, unconfirmed: coins, reserved: coins }).nullish(),
  offchain: z.looseObject({ opening: coins, local: coins, closing: coins }).nullish(),
});

export const ratesShape = z.array(z.looseObject({ currencyPair: z.string(), rate: rate.nullish() }));

export const payoutShape = z.looseObject({
  id: z.string().min(1),
  state: z.enum(['AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled']),
  metadata: z.looseObject({ orderId: z.unknown() }).partial().nullish(),
  destination: z.string().nullish(),
  payoutMethodId: z.string().nullish(),
  /** In Bitcoin; null before approval. */
  payoutAmount: decimal.nullish(),
  /** For on-chain payouts, `id` is the transaction hash. */
  paymentProof: z.looseObject({ id: z.string().nullish() }).nullish(),
});
export type BtcpayPayout = z.output<typeof payoutShape>;

/** `toMicros(new Decimal('100.0000009'))` is 100_000_000n: rounded down, once. */
export const toMicros = (dollars: Decimal): bigint => BigInt(dollars.times(1_000_000).toFixed(0, Decimal.ROUND_DOWN));

/** `toDollars(12_500_000n)` is 12.5 */
export const toDollars = (micros: bigint): Decimal => new Exact(micros.toString()).div(1_000_000);
