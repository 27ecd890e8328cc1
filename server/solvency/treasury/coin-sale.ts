import { Decimal } from 'decimal.js';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findCoins, removeSoldCoins } from '#server/funds/index.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime, listAssets } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { endCoinSale, hasWaitingSale, insertCoinSale, listDoneSales } from '#server/trading/index.ts';

/** Gateway coins that finance sells, as decimal text. */
export type CoinsToSell = { readonly units: string; readonly limitPrice: string };

const GATEWAY = 'btcpay';
const SYMBOL = 'btc';
/** A limit further from the mark is presumably mistyped or outdated. */
const MAX_DEVIATION = '0.05';

const Exact = Decimal.clone({ precision: 80 });
/** Dollars as decimal text to micros, rounded down. */
export const floorMicros = (dollars: string): bigint =>
  BigInt(new Exact(dollars).times(1_000_000).toFixed(0, Decimal.ROUND_FLOOR));

/** Minimum proceeds in micros when sold completely. */
export const minimumMicros = ({ units, limitPrice }: CoinsToSell): bigint =>
  floorMicros(new Exact(units).times(limitPrice).toFixed());

/** Refuses `no_exchange`, `not_covered`, `limit_far_from_mark`, `batch_under_way`. */
export async function refuseInvalidSale(
  tx: Tx,
  { config }: Context,
  { units, limitPrice }: CoinsToSell,
): Promise<void> {
  if (config.venue !== 'ccxt') throw new Refused('no_exchange');
  const held = config.payments.includes(GATEWAY) ? await findCoins(tx, GATEWAY) : undefined;
  if (held === undefined || new Exact(units).gt(held.units)) throw new Refused('not_covered');
  const mark = (await listAssets(tx)).find(({ symbol }) => symbol === SYMBOL)?.mark?.price;
  if (!mark || new Exact(limitPrice).div(mark).minus(1).abs().gt(MAX_DEVIATION))
    throw new Refused('limit_far_from_mark');
  if (await hasWaitingSale(tx, SYMBOL)) throw new Refused('batch_under_way');
}

/** Queues an order for one of the next rounds at the exchange. */
export async function orderSale(tx: Tx, context: Context, reference: string, sale: CoinsToSell): Promise<bigint> {
  await refuseInvalidSale(tx, context, sale);
  const { units: quantity, limitPrice } = sale;
  const id = await insertCoinSale(tx, { reference, gateway: GATEWAY, symbol: SYMBOL, quantity, limitPrice });
  if (id === undefined) throw new Refused('batch_under_way');
  return id;
}

/**
 * Books sales whose order is done, each once: reduces the gateway by the coins' book value, increases the venue by the
 * proceeds, and books the difference as the house's result. $1,000 booked that brought $998.50: `venue` 998.50 more,
 * `gateway_result` 1.50 less. Safe to run by several workers.
 *
 * @returns the number of sales ended
 */
export async function bookCoinSales(context: Context): Promise<number> {
  if (context.config.venue !== 'ccxt') return 0;
  let ended = 0;
  for (const id of await listDoneSales(context.db)) if (await bookOne(context, id)) ended += 1;
  return ended;
}

function bookOne({ db, now }: Context, id: bigint): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const sale = await endCoinSale(tx, id, now());
    if (sale === undefined) return false;
    const isSold = new Exact(sale.sold).gt(0);
    const booked = isSold ? await removeSoldCoins(tx, sale, now()) : 0n;
    const proceeds = floorMicros(sale.dollars);
    const marketAt = await getMarketTime(tx);
    await post(tx, transfersOf(id, { booked, proceeds }, { reference: sale.reference, marketAt }));
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: isSold ? 'treasury.sold' : 'treasury.unsold',
      subject: `coin_sale:${id}`,
      before: { quantity: sale.quantity, limitPrice: sale.limitPrice },
      after: { reference: sale.reference, sold: sale.sold, proceeds, booked },
    });
    return true;
  });
}

function transfersOf(
  id: bigint,
  { booked, proceeds }: { readonly booked: bigint; readonly proceeds: bigint },
  about: Pick<Transfer, 'reference' | 'marketAt'>,
): Transfer[] {
  const [gateway, venue, result] = [{ class: 'gateway' }, { class: 'venue' }, { class: 'gateway_result' }] as const;
  const reason = 'gateway_conversion';
  const gained = proceeds - booked;
  const ends = gained > 0n ? { from: gateway, to: result } : { from: result, to: gateway };
  const transfers: Transfer[] = [
    { ...about, key: `coin-sale/${id}/proceeds`, from: venue, to: gateway, amountMicros: proceeds, reason },
    { ...about, key: `coin-sale/${id}/result`, ...ends, amountMicros: gained > 0n ? gained : -gained, reason },
  ];
  return transfers.filter(({ amountMicros }) => amountMicros > 0n);
}
