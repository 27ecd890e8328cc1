import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { Refused } from '#server/refused.ts';
import { isFarRate } from '../../core/coins.ts';
import { CallFailed, callServer, findAtServer, orUnavailable, orUnknown, queryServer } from '../call-server.ts';
import type { OperatorPayouts, Payout, PayoutOrder } from '../gateway.ts';
import {
  type Btcpay,
  type BtcpayPayout,
  payoutShape,
  ratesShape,
  toDollars,
  walletTransactionShape,
} from './shapes.ts';

const SATOSHI_DECIMALS = 8;
const METHOD = 'BTC-CHAIN';

/**
 * Payouts of the store, in Bitcoin. They are created as approved, because our own operators have approved them.
 *
 * @param payer the store with the payout key; throws in processes without one
 */
export function btcpayPayouts(storeId: string, payer: () => Btcpay): OperatorPayouts {
  const path = `/stores/${storeId}/payouts`;
  return {
    canPay: (network) => network === 'BTC',
    createPayout: async (order) => createPayout(payer(), path, order),
    findPayout: async (order) => {
      const listed = await listPayouts(payer());
      const ours = listed.filter((payout) => payout.metadata?.orderId === order.reference);
      return show(ours.find((payout) => payout.state !== 'Cancelled') ?? ours[0], order);
    },
    getPayout: async (payoutId, order) => {
      const asked = payoutShape.refine(({ id }) => id === payoutId, 'another payout');
      const call = { method: 'GET', path: `${path}/${encodeURIComponent(payoutId)}` } as const;
      return show(await findAtServer(payer(), call, asked), order);
    },
  };
}

/** With cancelled ones: their transaction may have left before. */
const listPayouts = (btcpay: Btcpay): Promise<BtcpayPayout[]> => {
  const query = { includeCancelled: 'true' };
  return queryServer(btcpay, { method: 'GET', path: `/stores/${btcpay.storeId}/payouts`, query }, z.array(payoutShape));
};

/** Not safe to repeat: BTCPay Server has no idempotency key. */
async function createPayout(btcpay: Btcpay, path: string, order: PayoutOrder): Promise<Payout> {
  assert.equal(order.network, 'BTC');
  const body = {
    destination: order.address,
    amount: order.units,
    payoutMethodId: METHOD,
    approved: true,
    metadata: { orderId: order.reference, source: `Withdrawal ${order.reference}` },
  };
  const called = orUnknown(order.reference, callServer(btcpay, { method: 'POST', path, body }, payoutShape));
  return read(await orUnavailable(btcpay, called), order);
}

/** Dollars in Bitcoin at the current rate, rounded down to satoshi. */
export async function toBitcoin(btcpay: Btcpay, micros: bigint, lastRate: string | null): Promise<string> {
  const rate = await getUsableRate(btcpay, lastRate);
  return toDollars(micros).div(rate).toFixed(SATOSHI_DECIMALS, Decimal.ROUND_DOWN);
}

/**
 * The network fee of a transaction: the amount that left the store's wallet less its payouts. 0.0298 for payouts of
 * 0.0198 and 0.0098 is a fee of 0.0002. Undefined for an unknown transaction or one without a payout.
 */
export async function findNetworkFee(btcpay: Btcpay, transaction: string): Promise<string | undefined> {
  const inStore = `/stores/${btcpay.storeId}`;
  const path = `${inStore}/payment-methods/BTC-CHAIN/wallet/transactions/${encodeURIComponent(transaction)}`;
  const found = await findAtServer(btcpay, { method: 'GET', path }, walletTransactionShape);
  if (found === undefined) return undefined;
  const paid = (await listPayouts(btcpay)).filter(({ paymentProof }) => paymentProof?.id === transaction);
  const amounts = paid.flatMap(({ payoutAmount }) => payoutAmount ?? []);
  const fee = amounts.reduce((left, amount) => left.minus(amount), found.amount.neg());
  return amounts.length === 0 || amounts.length < paid.length || fee.lt(0) ? undefined : fee.toFixed();
}

/** Dollars per Bitcoin at the store's rate. */
export async function getBitcoinRate(btcpay: Btcpay): Promise<Decimal> {
  const path = `/stores/${btcpay.storeId}/rates`;
  const query = { currencyPair: 'BTC_USD' };
  const called = callServer(btcpay, { method: 'GET', path, query }, ratesShape).then((rates) => {
    const rate = rates.find(({ currencyPair }) => currencyPair === 'BTC_USD')?.rate;
    if (!rate) throw new CallFailed(`GET ${path} knows no rate of Bitcoin`, 200, true);
    return rate;
  });
  return orUnavailable(btcpay, called);
}

/**
 * The rate for members' amounts. Refuses `gateway_unavailable` while it is more than twice or less than half of the
 * last one, so that a faulty rate is not paid out; it is used once the next valuation confirms it.
 */
export async function getUsableRate(btcpay: Btcpay, last: string | null): Promise<Decimal> {
  const rate = await getBitcoinRate(btcpay);
  if (last === null || !isFarRate(rate.toFixed(), last)) return rate;
  btcpay.log.error({ rate: rate.toFixed(), last }, 'coin rate is doubted');
  throw new Refused('gateway_unavailable');
}

const show = (payout: BtcpayPayout | undefined, order: PayoutOrder): Payout | undefined =>
  payout === undefined ? undefined : read(payout, order);

function read(payout: BtcpayPayout, order: PayoutOrder): Payout {
  const { id, state, paymentProof, payoutAmount } = payout;
  return {
    id,
    state: state === 'Cancelled' ? 'cancelled' : isAsOrdered(payout, order) ? openStates[state] : 'uncertain',
    transaction: paymentProof?.id || null,
    units: payoutAmount?.toFixed() ?? null,
    // Only known per transaction, which may contain several payouts.
    networkFeeMicros: null,
  };
}

const openStates = {
  AwaitingApproval: 'waiting',
  AwaitingPayment: 'waiting',
  InProgress: 'waiting',
  Completed: 'completed',
} as const;

/** The amount is fixed by the approval. */
function isAsOrdered({ state, destination, payoutMethodId, payoutAmount }: BtcpayPayout, order: PayoutOrder): boolean {
  if (order.units === null || destination !== order.address || payoutMethodId !== METHOD) return false;
  return payoutAmount == null ? state === 'AwaitingApproval' : payoutAmount.eq(order.units);
}
