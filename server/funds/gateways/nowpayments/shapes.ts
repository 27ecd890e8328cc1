import { Decimal } from 'decimal.js';
import { z } from 'zod';

/** Amounts are numbers or decimal text of any length; only the conversion to micros rounds. */
const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_DOWN });

const amount = z
  .union([z.number(), z.string().regex(/^\d{1,30}(\.\d{1,40})?(e-?\d{1,2})?$/i)])
  .transform((value) => new Exact(value))
  .refine((value) => value.gte(0) && value.lt(1e15), 'not an amount');

/** Text in the reply that creates a payment, a number everywhere else. */
const idText = z
  .union([z.number().int().min(0), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^[A-Za-z0-9_-]{1,100}$/));

export const paymentStatuses = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'partially_paid',
  'finished',
  'failed',
  'refunded',
  'expired',
  'cancelled',
  'canceled',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Loose, because NOWPayments adds fields; some replies omit fields that others have. */
export const paymentShape = z.looseObject({
  payment_id: idText,
  parent_payment_id: idText.nullish(),
  payment_status: z.enum(paymentStatuses),
  pay_address: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  payin_extra_id: z.union([z.string(), z.number().transform(String)]).nullish(),
  price_currency: z.string(),
  pay_amount: amount,
  actually_paid: amount.nullish(),
  pay_currency: z.string(),
  order_id: z.union([z.string(), z.number().transform(String)]).nullish(),
  outcome_amount: amount.nullish(),
  outcome_currency: z.string().nullish(),
  payin_hash: z.string().nullish(),
  /** ISO 8601, or milliseconds since 1970. */
  updated_at: z
    .union([z.iso.datetime({ offset: true }), z.number().int().min(0).max(8_640_000_000_000_000)])
    .transform((at) => new Date(at))
    .nullish(),
  payment_extra_ids: z.array(idText).nullish(),
});
export type Payment = z.output<typeof paymentShape>;

/** A page of payments. */
export const paymentsShape = z.looseObject({
  data: z.array(paymentShape.extend({ created_at: z.iso.datetime({ offset: true }).transform((at) => new Date(at)) })),
});

/** An event only names the payment to check. One about a payout names none: payouts are polled. */
export const ipnShape = z.union([
  z.looseObject({
    payment_id: idText,
    parent_payment_id: idText.nullish(),
    payment_status: z.string().regex(/^[a-z_]{1,40}$/),
  }),
  z.looseObject({ payment_id: z.undefined().optional(), batch_withdrawal_id: idText }),
]);

/** Balances by coin. */
export const balanceShape = z.record(z.string(), z.looseObject({ amount, pendingAmount: amount.nullish() }));

export const tokenShape = z.looseObject({ token: z.string().regex(/^[\x21-\x7e]{1,4000}$/) });

/** Only the id of a new payout is read: the payout is checked before it is confirmed. */
export const createdShape = z.looseObject({ id: idText });

/** One payout of a batch. An unknown status counts as not final. */
const withdrawal = z.looseObject({
  status: z.string().transform((status) => status.toLowerCase()),
  address: z.string(),
  currency: z.string(),
  amount,
  hash: z.string().nullish(),
  /** In the coin paid. An unreadable fee is ignored. */
  fee: amount.nullish().catch(null),
  requested_at: z.unknown().optional(),
});
export type Withdrawal = z.output<typeof withdrawal>;

/** The payouts of a batch: a bare list, as documented, or a field of the batch. */
export const batchShape = z
  .union([z.array(withdrawal), z.looseObject({ withdrawals: z.array(withdrawal) })])
  .transform((found) => (Array.isArray(found) ? found : found.withdrawals));

/** A batch of one, like all of ours. */
export const payoutShape = batchShape
  .refine((found) => found.length === 1, 'not a batch of one')
  .transform(([one]) => one as Withdrawal);

const listed = z.array(
  z.looseObject({
    batch_withdrawal_id: idText,
    /** Required: without it a missing payout could not be told from an unlabelled one. */
    unique_external_id: z.string().nullable(),
    created_at: z.iso.datetime({ offset: true }).transform((at) => new Date(at)),
  }),
);
export type Listed = z.output<typeof listed>;

/** The documentation does not say which of these applies. */
export const listedShape = z.union([
  listed,
  ...(['payouts', 'data', 'withdrawals'] as const).map((name) =>
    z.looseObject({ [name]: listed }).transform((page) => page[name] as Listed),
  ),
]);

export const feeShape = z.looseObject({ currency: z.string().optional(), fee: amount });

/** `toMicros(new Decimal('100.0000009'))` is 100_000_000n: rounded down, once. One USDT is one dollar. */
export const toMicros = (dollars: Decimal): bigint => BigInt(dollars.times(1_000_000).toFixed(0, Decimal.ROUND_DOWN));
