import { writeDollars } from '#contract/money.ts';
import type { GatewayEntry } from '../gateway.ts';
import { type AuthenticatedCall, listBatches } from './list-batches.ts';
import { isDollar } from './networks.ts';
import { dollarsOf, isConfirmed } from './read-payments.ts';
import { batchShape, type Payment, paymentsShape, toMicros, type Withdrawal } from './shapes.ts';

const PAGE = 100;
const MAX_PAGES = 1000;
/** NOWPayments watches for a week, so a payment may be created this long before it arrives. */
const WATCHED_MS = 7 * 86_400_000;

/**
 * Payments received, each with its own id even when sent to the address of another, and payouts sent, each with its
 * network fee as a separate entry. USDT counts at par.
 */
export async function listEntries(call: AuthenticatedCall, from: Date, to: Date): Promise<GatewayEntry[]> {
  return [...(await listPayments(call, new Date(from.getTime() - WATCHED_MS), to)), ...(await listPayouts(call, from))];
}

async function listPayments(call: AuthenticatedCall, from: Date, to: Date): Promise<GatewayEntry[]> {
  const entries = new Map<string, GatewayEntry>();
  const period = { dateFrom: from.toISOString(), dateTo: to.toISOString(), sortBy: 'created_at', orderBy: 'asc' };
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...period, limit: String(PAGE), page: String(page) };
    const { data } = await call({ method: 'GET', path: '/payment/', query }, paymentsShape);
    for (const payment of data.filter(isConfirmed)) entries.set(payment.payment_id, entryOf(payment));
    if (data.length < PAGE) break;
  }
  return [...entries.values()];
}

/** In dollars when sent in or converted to USDT, else in the coin that was sent. */
function entryOf(payment: Payment & { readonly created_at: Date }): GatewayEntry {
  const { payment_id: id, parent_payment_id: parentId, pay_currency: coin, outcome_currency: outcome } = payment;
  const isInDollars = isDollar(coin) || isDollar(outcome);
  return {
    ...({
      kind: 'payment',
      id,
      about: `payment/${parentId ?? id}`,
      at: payment.updated_at ?? payment.created_at,
    } as const),
    asset: isInDollars ? 'USDT' : coin.toUpperCase(),
    units: isInDollars ? writeDollars(dollarsOf(payment)) : (payment.actually_paid?.toFixed() ?? '0'),
  };
}

async function listPayouts(call: AuthenticatedCall, from: Date): Promise<GatewayEntry[]> {
  const entries: GatewayEntry[] = [];
  for (const { id: batch, at } of await listBatches(call, from)) {
    const paid = await call({ method: 'GET', path: `/payout/${encodeURIComponent(batch)}` }, batchShape);
    for (const [index, payout] of paid.entries()) {
      // Our batches have one payout; one created by hand may have more.
      const id = index === 0 ? batch : `${batch}-${index}`;
      if (payout.status === 'finished') entries.push(...entriesOf(payout, { id, about: `payout/${batch}`, at }));
    }
  }
  return entries;
}

function entriesOf(
  { currency, amount, fee }: Withdrawal,
  of: Pick<GatewayEntry, 'id' | 'about' | 'at'>,
): GatewayEntry[] {
  const isInDollars = isDollar(currency);
  const about = { ...of, asset: isInDollars ? 'USDT' : currency.toUpperCase() };
  const payout = { ...about, kind: 'payout', units: amount.neg().toFixed() } as const;
  if (!isInDollars || !fee?.gt(0)) return [payout];
  return [payout, { ...about, kind: 'network_fee', units: writeDollars(-toMicros(fee)) }];
}
