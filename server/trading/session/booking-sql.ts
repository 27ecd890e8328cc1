import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { memberBalances } from '#server/ledger/index.ts';

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
