import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { FeeRates } from '#contract/fee-plan.ts';
import type { Tx } from '#server/db/connect.ts';
import { findRow, listValues } from '#server/db/rows.ts';
import { decideBatch, type Filled, nothingFilled } from '../core/execution/batch-outcome.ts';
import { Exact, MICROS } from '../core/price.ts';
import { type DigestBatch, digestText } from '../core/run-digest.ts';
import { type Batch, listDigestedBatches, listFills, type StoredFill } from '../execution/batch-sql.ts';
import { digestOf, hashOfResults, readDigestParts } from './book-session.ts';
import { ratesOf } from './session-sql.ts';
import { feeOfSettled, settledColumns } from './settlement-sql.ts';

/** A stored hash, and its recalculation. */
export type ReplayedHash = { readonly stored: string; readonly replayed: string };

/**
 * Recalculates the results of a settled session from its trades' amounts and prices, its rates and closing marks. No
 * stored fees, results or sums are read, and the run digest must match. Exchange prices are recalculated from fills.
 *
 * @returns undefined for a session without a digest
 */
export async function replayResults(tx: Tx, day: string): Promise<ReplayedHash | undefined> {
  const terms = await findReplayTerms(tx, day);
  if (terms === undefined) return undefined;
  const { rates, manifestHash } = terms;
  const { marks } = await readDigestParts(tx, day);
  const text = digestText({
    day,
    rates,
    marks,
    batches: await replayBatches(tx, day),
    blocks: rates === null ? [] : await replayMemberBatches(tx, day, rates),
  });
  return { stored: manifestHash, replayed: createHash('sha256').update(text).digest('hex') };
}

const findReplayTerms = (tx: Tx, day: string) =>
  findRow(tx)<{ readonly rates: FeeRates | null; readonly manifestHash: string }>`
    select ${ratesOf} as rates, s.manifest_hash as "manifestHash"
    from trading.session s where s.day = ${day}::date and s.manifest_hash is not null`;

/**
 * Hashes of the member batches, computed from amounts, prices and rates alone by the formulas of opening and settlement
 * (`batchOf` in SQL).
 */
export const replayMemberBatches = (tx: Tx, day: string, { tradeBps, performanceBps }: FeeRates) =>
  listValues(tx)<string>`
    select encode(${hashOfResults}, 'hex') as hash
    from (
      select member_id, count(*) as trades, count(*) filter (where result > 0) as winning,
        count(*) filter (where result < 0) as losing, sum(amount) as volume, sum(result) as result, sum(fee) as trade_fees,
        sum(performance_fee) as performance_fees, max(result) as best_result, min(result) as worst_result
      from (${settledColumns(
        sql`
          select t.member_id, t.amount, ${feeOfSettled(day, tradeBps)} as fee, coalesce(bought.buy_price, t.open_price) as open_price,
            coalesce(case when t.sold_coins is null then sold.sell_price end, t.close_price) as close_price
          from trading.trade t
          left join trading.batch bought on bought.id = t.open_batch_id
          left join trading.batch sold on sold.id = t.close_batch_id
          where t.session_day = ${day}::date and t.state = 'settled'`,
        performanceBps,
      )}) as settled
      group by member_id) as member
    group by member_id / 4096 order by member_id / 4096`;

/** The batches in a session's digest, in order, recalculated from their fills. */
async function replayBatches(tx: Tx, day: string): Promise<DigestBatch[]> {
  const batches = await listDigestedBatches(tx, day);
  if (batches.length === 0) return [];
  const fills = Map.groupBy(await listFills(tx, day), ({ batchId }) => batchId);
  return batches.map((batch) => {
    const filled = addUp(batch, fills.get(batch.id) ?? []);
    const { wanted, plan, quote, takerFee, spreadBps } = batch;
    const { buy, sell } = decideBatch(wanted, plan, filled, { quote, terms: { takerFee }, spreadBps });
    return digestOf({ ...batch, filled, buy, sell });
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
