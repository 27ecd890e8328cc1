import type { GatewayEntry } from '../gateway.ts';
import { type Ask, listBatches } from './list-batches.ts';
import { isDollar } from './networks.ts';
import { dollarsOf, isConfirmed } from './read-payments.ts';
import { batchShape, type Payment, paymentsShape, toMicros, type Withdrawal } from './shapes.ts';

const PAGE = 100;
const MOST_PAGES = 1000;
/** So long before the period a payment that moved in it may have been made: NOWPayments waits a week for one. */
const WAITED_MS = 7 * 86_400_000;

/**
 * Payments that arrived, each with its own number also when it came to the address of another one, and payouts that were sent, the
 * network's fee beside each. USDT counts at par.
 */
export async function listEntries(ask: Ask, from: Date, to: Date): Promise<GatewayEntry[]> {
  return [...(await listPayments(ask, new Date(from.getTime() - WAITED_MS), to)), ...(await listPayouts(ask, from))];
}

async function listPayments(ask: Ask, from: Date, to: Date): Promise<GatewayEntry[]> {
  const entries = new Map<string, GatewayEntry>();
  const period = { dateFrom: from.toISOString(), dateTo: to.toISOString(), sortBy: 'created_at', orderBy: 'asc' };
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { ...period, limit: String(PAGE), page: String(page) };
    const { data } = await ask({ method: 'GET', path: '/payment/', query }, paymentsShape);
    for (const payment of data.filter(isConfirmed)) entries.set(payment.payment_id, entryOf(payment));
    if (data.length < PAGE) break;
  }
  return [...entries.values()];
}

/** What changed into nothing that counts as dollars stands in the coin that was sent. */
function entryOf(payment: Payment & { readonly created_at: Date }): GatewayEntry {
  const { payment_id: id, parent_payment_id: parentId, pay_currency: coin, outcome_currency: outcome } = payment;
  const isWorth = isDollar(coin) || isDollar(outcome);
  return {
    ...({
      kind: 'payment',
      id,
      about: `payment/${parentId ?? id}`,
      at: payment.updated_at ?? payment.created_at,
    } as const),
    asset: isWorth ? 'USDT' : coin.toUpperCase(),
    units: isWorth ? inDollars(dollarsOf(payment)) : (payment.actually_paid?.toFixed() ?? '0'),
  };
}

async function listPayouts(ask: Ask, from: Date): Promise<GatewayEntry[]> {
  const entries: GatewayEntry[] = [];
  for (const { batch_withdrawal_id: batch, created_at: at } of await listBatches(ask, from)) {
    const paid = await ask({ method: 'GET', path: `/payout/${encodeURIComponent(batch)}` }, batchShape);
    for (const [place, payout] of paid.entries()) {
      // Ours are batches of one; by hand there may be more in it.
      const id = place === 0 ? batch : `${batch}-${place}`;
      if (payout.status === 'finished') entries.push(...entriesOf(payout, { id, about: `payout/${batch}`, at }));
    }
  }
  return entries;
}

function entriesOf(
  { currency, amount, fee }: Withdrawal,
  of: Pick<GatewayEntry, 'id' | 'about' | 'at'>,
): GatewayEntry[] {
  const isWorth = isDollar(currency);
  const about = { ...of, asset: isWorth ? 'USDT' : currency.toUpperCase() };
  const payout = { ...about, kind: 'payout', units: amount.neg().toFixed() } as const;
  if (!isWorth || !fee?.gt(0)) return [payout];
  return [payout, { ...about, kind: 'network_fee', units: `-${inDollars(toMicros(fee))}` }];
}

const inDollars = (micros: bigint): string => `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
