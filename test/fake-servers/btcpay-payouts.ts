import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { makeId, showMoved } from './btcpay-invoices.ts';
import type { Answer } from './serve-json.ts';

export type BtcpayPayout = {
  readonly id: string;
  readonly destination: string;
  /** In Bitcoin, as requested. */
  readonly amount: string;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: number;
  state: 'AwaitingApproval' | 'AwaitingPayment' | 'InProgress' | 'Completed' | 'Cancelled';
  /** Hash of the paying transaction. */
  transaction: string | null;
};

/** All payouts, oldest first. */
export type PayoutStore = BtcpayPayout[];

export function getPayout(books: PayoutStore, payoutId: string): BtcpayPayout {
  const payout = books.find(({ id }) => id === payoutId);
  assert(payout !== undefined, `no payout ${payoutId}`);
  return payout;
}

/** The wallet pays them in one transaction, which then awaits confirmation. */
export function sendPayout(books: PayoutStore, ...payoutIds: string[]): string {
  const transaction = randomBytes(32).toString('hex');
  for (const payoutId of payoutIds) {
    const payout = getPayout(books, payoutId);
    assert.equal(payout.state, 'AwaitingPayment');
    payout.state = 'InProgress';
    payout.transaction = transaction;
  }
  return transaction;
}

/** As the wallet lists it: the total spent, including the network fee. Undefined if it pays no payout. */
export function showTransaction(books: PayoutStore, transaction: string, fee: string) {
  const paid = books.filter((payout) => payout.transaction === transaction);
  if (paid.length === 0) return undefined;
  const left = paid.reduce((sum, { amount }) => sum.plus(amount), new Decimal(fee));
  return showMoved(transaction, left.neg().toFixed(), (paid[0] as BtcpayPayout).createdAt);
}

export function completePayout(books: PayoutStore, payoutId: string): void {
  const payout = getPayout(books, payoutId);
  if (payout.state === 'AwaitingPayment') sendPayout(books, payoutId);
  assert.equal(payout.state, 'InProgress');
  payout.state = 'Completed';
}

/** Cancelled by hand at the gateway; a completed payout stays completed. */
export function cancelPayout(books: PayoutStore, payoutId: string): void {
  const payout = getPayout(books, payoutId);
  assert.notEqual(payout.state, 'Completed');
  payout.state = 'Cancelled';
}

type PayoutRequest = {
  destination?: unknown;
  amount?: unknown;
  payoutMethodId?: unknown;
  approved?: unknown;
  metadata?: Record<string, unknown>;
};

/** Requests carry no idempotency key: the same request twice pays twice. */
export function createPayout(books: PayoutStore, request: PayoutRequest, now: number): Answer {
  const { destination, amount, payoutMethodId } = request;
  if (typeof destination !== 'string' || destination === '')
    return { status: 422, body: [{ path: 'destination', message: 'The destination is required' }] };
  if (typeof amount !== 'string' || !/^\d+(\.\d{1,8})?$/.test(amount) || Number(amount) <= 0)
    return { status: 422, body: [{ path: 'amount', message: 'The amount must be a positive decimal as text' }] };
  if (payoutMethodId !== 'BTC-CHAIN')
    return { status: 400, body: { code: 'payment-method-not-supported', message: 'This payout method is not set up' } };
  const payout: BtcpayPayout = {
    id: makeId(),
    destination,
    amount,
    metadata: request.metadata ?? {},
    createdAt: Math.floor(now / 1000),
    state: request.approved === true ? 'AwaitingPayment' : 'AwaitingApproval',
    transaction: null,
  };
  books.push(payout);
  return { status: 200, body: showPayout(payout) };
}

export const listPayouts = (books: PayoutStore, withCancelled: boolean): Answer => ({
  status: 200,
  body: books.filter((payout) => withCancelled || payout.state !== 'Cancelled').map(showPayout),
});

export const showPayout = (payout: BtcpayPayout) => ({
  id: payout.id,
  date: payout.createdAt,
  revision: 0,
  pullPaymentId: null,
  destination: payout.destination,
  payoutMethodId: 'BTC-CHAIN',
  originalCurrency: 'BTC',
  originalAmount: payout.amount,
  payoutCurrency: 'BTC',
  payoutAmount: payout.state === 'AwaitingApproval' ? null : payout.amount,
  state: payout.state,
  paymentProof:
    payout.transaction === null
      ? null
      : {
          proofType: 'PayoutTransactionOnChainBlob',
          id: payout.transaction,
          link: `https://explorer.example/tx/${payout.transaction}`,
        },
  metadata: payout.metadata,
});
