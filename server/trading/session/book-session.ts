import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { writeDay } from '#contract/day-text.ts';
import { formatDollars, roundToShown } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getValue, hasRow, listRows, listValues } from '#server/db/rows.ts';
import { inTransaction, runWorkers } from '#server/db/tx.ts';
import { findMemberChunk, memberBalances } from '#server/ledger/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { Exact } from '../core/price.ts';
import { batchOf, type DigestBatch, digestText, type MemberBatch, type RunDigest } from '../core/run-digest.ts';
import { findNextWindow } from '../core/session-window.ts';
import { type Batch, digestBatches, listDigestedBatches } from '../execution/batch-sql.ts';
import {
  insertSession,
  joinFollower,
  lockFollower,
  type SessionRow,
  type SessionSnapshot,
  updateSettled,
} from './session-sql.ts';

/**
 * Books a session whose trades are all settled: equity points, lifetime results and one notification per member who
 * traded. Members are processed in batches by id. Each batch row is written in the same transaction, so nobody is
 * booked or notified twice. The last step settles the session with its digest.
 */
export async function bookSession(context: Context, { session, marketAt }: SessionSnapshot): Promise<void> {
  await runWorkers<MemberBatch>(
    (last) => findMemberBatch(context.db, last),
    (batch) => bookMemberBatch(context, session, batch),
  );
  await inTransaction(context.db, async (tx) => {
    if (!(await lockFollower(tx, session))) return;
    await digestBatches(tx, session.day);
    const text = digestText({ day: session.day, rates: session.rates, ...(await readDigestParts(tx, session.day)) });
    const digest = createHash('sha256').update(text).digest('hex');
    if (await updateSettled(tx, session.day, marketAt, digest))
      await insertSession(tx, findNextWindow(session, marketAt));
  });
}

/** The next batch that contains a member. */
async function findMemberBatch(db: Db, last: MemberBatch | undefined): Promise<MemberBatch | undefined> {
  const memberId = await findMemberChunk(db, last?.upTo ?? 0n, 1);
  return memberId === undefined ? undefined : batchOf(memberId);
}

function bookMemberBatch(context: Context, session: SessionRow, batch: MemberBatch): Promise<void> {
  const { day } = session;
  return inTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, session))) return;
    const booked = await getBooked(tx, day);
    const range = { after: booked > batch.after ? booked : batch.after, upTo: batch.upTo };
    if (!(await insertMemberBatch(tx, day, batch, range))) return;
    const summaries = await addLifetimeResults(tx, day, range);
    await notifyMembers(
      tx,
      summaries.map(({ memberId, trades, result }) => ({
        memberId,
        kind: 'session_settled',
        message: settledMessage({ day, trades, result }),
      })),
    );
  });
}

/** `settledMessage({ day: '2026-03-04', trades: 2, result: -1_250_000n })`: "Session of 4 Mar 2026 settled: 2 trades, P&L −$1.25." */
export function settledMessage(summary: {
  readonly day: string;
  readonly trades: number;
  readonly result: bigint;
}): string {
  const trades = english.plural(summary.trades, { one: '# trade', other: '# trades' });
  const result = roundToShown(summary.result);
  const pnl = `${result > 0n ? '+' : ''}${formatDollars(result)}`;
  return english.t`Session of ${writeDay(summary.day)} settled: ${trades}, P&L ${pnl}.`;
}

/** Members with `after < id <= upTo`. */
export type MemberRange = { readonly after: bigint; readonly upTo: bigint };

/** The last member booked individually, before batches existed, of a session that is settling; otherwise 0. */
const getBooked = (tx: Tx, day: string): Promise<bigint> =>
  getValue(tx)<bigint>`
    select booked_member_id as booked from trading.session where day = ${day}::date`;

const tradedRows = (day: string, range: MemberRange) => sql`
  select member_id, trades, result from trading.daily_result
  where session_day = ${day}::date and member_id > ${range.after} and member_id <= ${range.upTo}`;

export type MemberSummary = { readonly memberId: bigint; readonly trades: number; readonly result: bigint };

/**
 * Adds the session to its members' lifetime results.
 *
 * @returns what to notify them of
 */
const addLifetimeResults = (tx: Tx, day: string, range: MemberRange) =>
  listRows(tx)<MemberSummary>`
    with traded as materialized (${tradedRows(day, range)}),
    added as (
      insert into trading.lifetime_result as l (member_id, trades, result)
      select member_id, trades, result from traded order by member_id
      on conflict (member_id) do update set trades = l.trades + excluded.trades, result = l.result + excluded.result
    )
    select member_id as "memberId", trades, result from traded order by member_id`;

/** Digest input of a session, except its rates. */
export async function readDigestParts(tx: Tx, day: string): Promise<Pick<RunDigest, 'marks' | 'batches' | 'blocks'>> {
  const marks = await listRows(tx)<RunDigest['marks'][number]>`
    select symbol, mark::text as mark, close_price::text as "closePrice" from trading.closing_mark
    where session_day = ${day}::date and not is_carried order by symbol collate "C"`;
  const blocks = await listValues(tx)<string>`
    select encode(hash, 'hex') from trading.booked_block
    where session_day = ${day}::date and hash is not null order by no`;
  const batches = (await listDigestedBatches(tx, day)).map(digestOf);
  return { marks, batches, blocks };
}

const plainDecimal = (text: string): string => new Exact(text).toFixed();

/** What the exchange filled of a batch, and the prices it was booked at. */
export const digestOf = ({
  symbol,
  plan,
  filled,
  buy,
  sell,
}: Pick<Batch, 'symbol' | 'plan' | 'filled' | 'buy' | 'sell'>): DigestBatch => ({
  symbol,
  side: plan.order?.side ?? '-',
  quantity: plainDecimal(filled.quantity),
  cost: plainDecimal(filled.cost),
  coins: plainDecimal(filled.coins),
  dollars: plainDecimal(filled.dollars),
  buyPrice: buy?.price ?? '-',
  sellPrice: sell?.price ?? '-',
});

/** Hash over the rows of one batch, in the columns of `trading.daily_result`. */
export const hashOfResults = sql`
  sha256(convert_to(string_agg(
    concat_ws(' ', trades, winning, losing, volume, result, trade_fees, performance_fees, best_result, worst_result) || chr(10),
    '' order by member_id), 'UTF8'))`;

/**
 * Marks a batch of members as booked, with the hash of their sums: one line per member who traded, by id, of nine sums
 * in decimal. The same statement reads equity, which is the ledger balance because nothing is open after settlement.
 * Members without a balance who did not trade get no equity point.
 *
 * @param range members of the batch without an equity point yet
 * @returns whether this call did it: a batch is booked once
 */
export const insertMemberBatch = (tx: Tx, day: string, { no, after, upTo }: MemberBatch, range: MemberRange) =>
  hasRow(tx)`
    with block as (
      insert into trading.booked_block
        (session_day, no, booked_in, hash, members, trades, staked, trade_fees, performance_fees, gross)
      select ${day}::date, ${no}::int, pg_current_snapshot(), ${hashOfResults}, count(*), coalesce(sum(trades), 0),
        coalesce(sum(volume), 0), coalesce(sum(trade_fees), 0), coalesce(sum(performance_fees), 0),
        coalesce(sum(result + trade_fees + performance_fees), 0)
      from trading.daily_result
      where session_day = ${day}::date and member_id > ${after} and member_id <= ${upTo}
      on conflict do nothing
      returning 1),
    traded as materialized (${tradedRows(day, range)}),
    equity as (
      insert into trading.equity (member_id, session_day, value)
      select m.member_id, ${day}::date, m.balance
      from (${memberBalances(range)}) as m
      where exists (select from block) and (m.balance <> 0 or m.member_id in (select member_id from traded))
      order by m.member_id)
    select 1 from block`;
