import type { Tx } from '#server/db/connect.ts';
import { decideBatch, type Filled, nothingFilled } from '../core/execution/batch-outcome.ts';
import { Exact, MICROS } from '../core/execution/exact.ts';
import type { DigestBatch } from '../core/run-digest.ts';
import { type Batch, listBookedBatches, listFills, type StoredFill } from './batch-sql.ts';

/** A batch as its session left it, and as its fills make it now. */
export type ReplayedBatch = { readonly stored: DigestBatch; readonly replayed: DigestBatch };

/** The batches that were booked while a session was current, in their order. */
export async function listSessionBatches(tx: Tx, day: string): Promise<ReplayedBatch[]> {
  const batches = await listBookedBatches(tx, day);
  if (batches.length === 0) return [];
  const fills = Map.groupBy(await listFills(tx, day), ({ batchId }) => batchId);
  return batches.map((batch) => {
    const filled = addUp(batch, fills.get(batch.id) ?? []);
    const { wanted, plan, quote, takerFee, spreadBps } = batch;
    const { buy, sell } = decideBatch(wanted, plan, filled, { quote, terms: { takerFee }, spreadBps });
    return { stored: digestOf(batch), replayed: digestOf({ ...batch, filled, buy, sell }) };
  });
}

function addUp({ plan }: Batch, fills: readonly StoredFill[]): Filled {
  if (plan.order === null) return nothingFilled;
  const sign = plan.order.side === 'buy' ? 1 : -1;
  const zero = { quantity: new Exact(0), coins: new Exact(0), cost: new Exact(0), dollars: new Exact(0) };
  const total = fills.reduce(
    (sum, { quantity, cost, feeInCoin, feeInDollars, feeValue }) => ({
      quantity: sum.quantity.plus(quantity),
      coins: sum.coins.plus(quantity).minus(new Exact(feeInCoin).times(sign)),
      cost: sum.cost.plus(cost),
      dollars: sum.dollars
        .plus(cost)
        .plus(new Exact(feeInDollars).plus(new Exact((feeValue ?? 0n).toString()).div(MICROS)).times(sign)),
    }),
    zero,
  );
  return {
    quantity: total.quantity.toFixed(),
    coins: total.coins.toFixed(),
    cost: total.cost.toFixed(),
    dollars: total.dollars.toFixed(),
  };
}

const plain = (text: string): string => new Exact(text).toFixed();

const digestOf = ({
  symbol,
  plan,
  filled,
  buy,
  sell,
}: Pick<Batch, 'symbol' | 'plan' | 'filled' | 'buy' | 'sell'>): DigestBatch => ({
  symbol,
  side: plan.order?.side ?? '-',
  quantity: plain(filled.quantity),
  cost: plain(filled.cost),
  coins: plain(filled.coins),
  dollars: plain(filled.dollars),
  buyPrice: buy?.price ?? '-',
  sellPrice: sell?.price ?? '-',
});
