import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findMemberChunk, memberBalances } from '#server/ledger/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { blockOf, type MemberBlock, manifestText } from '../core/manifest.ts';
import { findNextWindow } from '../core/session-window.ts';
import type { Moment } from './market-moment.ts';
import { insertBlock, readManifest } from './session-manifest.ts';
import { insertSession, joinFollower, lockFollower, type SessionRow, updateSettled } from './session-sql.ts';
import { workInLanes } from './workers.ts';

/**
 * Closes the books of a session whose trades are all settled: every member's equity point, the results of all time, and
 * one message to each who traded. Members go in blocks by id; that a block is booked is written with it, so that nobody
 * is booked or told twice. The last step settles the session with its manifest and makes the next one current.
 */
export async function bookSession(context: Context, { session, marketAt }: Moment): Promise<void> {
  await workInLanes<MemberBlock>(
    (last) => findBlock(context.db, last),
    (block) => bookBlock(context, session, block),
  );
  await inTransaction(context.db, async (tx) => {
    if (!(await lockFollower(tx, session))) return;
    const text = manifestText({ day: session.day, rates: session.rates, ...(await readManifest(tx, session.day)) });
    const manifestHash = createHash('sha256').update(text).digest('hex');
    if (await updateSettled(tx, session.day, marketAt, manifestHash))
      await insertSession(tx, findNextWindow(session, marketAt));
  });
}

/** The next block that has a member. */
async function findBlock(db: Db, last: MemberBlock | undefined): Promise<MemberBlock | undefined> {
  const memberId = await findMemberChunk(db, last?.upTo ?? 0n, 1);
  return memberId === undefined ? undefined : blockOf(memberId);
}

function bookBlock(context: Context, session: SessionRow, block: MemberBlock): Promise<void> {
  const { day } = session;
  return inTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, session))) return;
    if (!(await insertBlock(tx, day, block))) return;
    const booked = await getBooked(tx, day);
    const range = { after: booked > block.after ? booked : block.after, upTo: block.upTo };
    await insertEquity(tx, day, range);
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

/**
 * What a member is told once a session is settled: one sentence for all trades of it.
 *
 * `settledMessage({ day: '2026-03-04', trades: 2, result: -1_250_000n })` is
 * `Session of 2026-03-04 settled: 2 trades, result −1.25 $.`
 */
export function settledMessage(summary: {
  readonly day: string;
  readonly trades: number;
  readonly result: bigint;
}): string {
  const trades = summary.trades === 1 ? '1 trade' : `${summary.trades} trades`;
  return `Session of ${summary.day} settled: ${trades}, result ${formatSigned(summary.result)} $.`;
}

/** Signed, at least 2 and at most 4 decimals, rounded half away from zero as everywhere on screen. */
function formatSigned(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const tenThousandths = (size + 50n) / 100n;
  const whole = tenThousandths / 10_000n;
  const decimals = (tenThousandths % 10_000n)
    .toString()
    .padStart(4, '0')
    .replace(/0{1,2}$/, '');
  const sign = tenThousandths === 0n ? '' : micros < 0n ? '−' : '+';
  return `${sign}${whole}.${decimals}`;
}

/** Members with `after < id <= upTo`. */
export type MemberRange = { readonly after: bigint; readonly upTo: bigint };

/** Up to which member a session that settles was booked before there were blocks; 0 in all others. */
export async function getBooked(tx: Tx, day: string): Promise<bigint> {
  const { rows } = await sql<{ booked: bigint }>`
    select booked_member_id as booked from trading.session where day = ${day}::date`.execute(tx);
  return (rows[0] as { booked: bigint }).booked;
}

/**
 * After a settlement nothing is open, so what a member has is what the ledger says. Who has nothing and did not trade
 * gets no point.
 */
export async function insertEquity(tx: Tx, day: string, range: MemberRange): Promise<void> {
  await sql`
    with traded as materialized (${tradedRows(day, range)})
    insert into trading.equity (member_id, session_day, value)
    select m.member_id, ${day}::date, m.balance
    from (${memberBalances(range)}) as m
    where m.balance <> 0 or m.member_id in (select member_id from traded)
    order by m.member_id`.execute(tx);
}

const tradedRows = (day: string, range: MemberRange) => sql`
  select member_id, trades, result from trading.daily_result
  where session_day = ${day}::date and member_id > ${range.after} and member_id <= ${range.upTo}`;

export type MemberSummary = { readonly memberId: bigint; readonly trades: number; readonly result: bigint };

/** Adds the session to its members' results of all time. @returns what to tell them */
export async function addLifetimeResults(tx: Tx, day: string, range: MemberRange): Promise<MemberSummary[]> {
  const { rows } = await sql<MemberSummary>`
    with traded as materialized (${tradedRows(day, range)}),
    added as (
      insert into trading.lifetime_result as l (member_id, trades, result)
      select member_id, trades, result from traded order by member_id
      on conflict (member_id) do update set trades = l.trades + excluded.trades, result = l.result + excluded.result
    )
    select member_id as "memberId", trades, result from traded order by member_id`.execute(tx);
  return rows;
}
