import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { FeeRates } from '#contract/fee-plan.ts';
import type { Tx } from '#server/db/connect.ts';
import { findRow, hasRow, listValues } from '#server/db/rows.ts';
import { digestText, type MemberBatch, type RunDigest } from '../core/run-digest.ts';
import { listSessionBatches } from '../execution/replay-batches.ts';
import { feeOfSettled } from './carried-fee-sql.ts';
import { settledColumns } from './settlement-sql.ts';

/** Of rows as `trading.daily_result` has them, those of one block. */
const hashOfResults = sql`
  sha256(convert_to(string_agg(
    concat_ws(' ', trades, winning, losing, volume, result, trade_fees, performance_fees, best_result, worst_result) || chr(10),
    '' order by member_id), 'UTF8'))`;

/**
 * Marks a batch of members as booked, with the hash of their sums: one line per member who traded, by id, of nine sums
 * in decimal.
 *
 * @returns whether this call did: a batch is booked once
 */
export const insertBlock = (tx: Tx, day: string, { no, after, upTo }: MemberBatch) =>
  hasRow(tx)`
    insert into trading.booked_block (session_day, no, hash, members, trades, staked, trade_fees, performance_fees, gross)
    select ${day}::date, ${no}::int, ${hashOfResults}, count(*), coalesce(sum(trades), 0), coalesce(sum(volume), 0),
      coalesce(sum(trade_fees), 0), coalesce(sum(performance_fees), 0),
      coalesce(sum(result + trade_fees + performance_fees), 0)
    from trading.daily_result
    where session_day = ${day}::date and member_id > ${after} and member_id <= ${upTo}
    on conflict do nothing
    returning 1`;

/** What a session whose blocks are all booked came to; its rates the session itself has. */
export async function readDigestParts(tx: Tx, day: string): Promise<Pick<RunDigest, 'marks' | 'batches' | 'blocks'>> {
  const { rows: marks } = await sql<RunDigest['marks'][number]>`
    select symbol, mark::text as mark, close_price::text as "closePrice" from trading.closing_mark
    where session_day = ${day}::date order by symbol collate "C"`.execute(tx);
  const { rows: blocks } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from trading.booked_block
    where session_day = ${day}::date and hash is not null order by no`.execute(tx);
  const batches = (await listSessionBatches(tx, day)).map(({ stored }) => stored);
  return { marks, batches, blocks: blocks.map(({ hash }) => hash) };
}

/**
 * The hashes of the batches, computed from amounts, prices and rates alone by the formulas of opening and settlement
 * (`batchOf` in SQL).
 */
export const replayBlocks = (tx: Tx, day: string, { tradeBps, performanceBps }: FeeRates) =>
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

/** A hash as a session left it, and as it comes out now. */
export type ReplayedHash = { readonly stored: string; readonly replayed: string };

/**
 * Recalculates the results of a settled session from its trades' amounts and prices, its rates and closing marks: no
 * fees, results or sums are read, and the run digest must be the same. Prices of an exchange are worked out again from its fills.
 *
 * @returns undefined for a session without a digest
 */
export async function replayResults(tx: Tx, day: string): Promise<ReplayedHash | undefined> {
  const terms = await findReplayTerms(tx, day);
  if (terms === undefined) return undefined;
  const { rates, manifestHash } = terms;
  const { marks } = await readDigestParts(tx, day);
  const batches = (await listSessionBatches(tx, day)).map(({ replayed }) => replayed);
  const text = digestText({
    day,
    rates,
    marks,
    batches,
    blocks: rates === null ? [] : await replayBlocks(tx, day, rates),
  });
  return { stored: manifestHash, replayed: createHash('sha256').update(text).digest('hex') };
}

async function findReplayTerms(
  tx: Tx,
  day: string,
): Promise<{ readonly rates: FeeRates | null; readonly manifestHash: string } | undefined> {
  const row = await findRow(tx)<{ tradeBps: number | null; performanceBps: number | null; manifestHash: string }>`
    select trade_fee_bps as "tradeBps", performance_fee_bps as "performanceBps", manifest_hash as "manifestHash"
    from trading.session where day = ${day}::date and manifest_hash is not null`;
  if (row === undefined) return undefined;
  const { tradeBps, performanceBps, manifestHash } = row;
  return { rates: tradeBps === null || performanceBps === null ? null : { tradeBps, performanceBps }, manifestHash };
}
