import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { houseClasses, memberClasses } from './core/account.ts';

/** Members with `after < id <= upTo`. */
type MemberRange = { readonly after: bigint; readonly upTo: bigint };

/** The highest of the next members by id, at most `size` of them; undefined after the last. */
export async function findMemberChunk(db: Db, after: bigint, size: number): Promise<bigint | undefined> {
  const { rows } = await sql<{ up_to: bigint | null }>`
    select max(member_id) as up_to from (
      select member_id from ledger.account
      where id > ${after}::bigint * 32 + 31 and class = ${memberClasses.primary} order by id limit ${size}) as part`.execute(
    db,
  );
  return rows[0]?.up_to ?? undefined;
}

/**
 * SQL for `member_id, balance, put_in` of a range of members, for operations on all of them at once: the sum of a
 * member's accounts, and what came in through the gateway less what left through it (withdrawal fees included, for they
 * leave the member too). A member with 1 000 $ deposited, 300 $ withdrawn and 50 $ lost: balance 650 $, put_in 700 $.
 */
export function memberTotals(range: MemberRange): RawBuilder<unknown> {
  const primary = sql`a.member_id * 32 + ${sql.lit(memberClasses.primary)}`;
  const hold = sql`a.member_id * 32 + ${sql.lit(memberClasses.withdrawal_hold)}`;
  const outside = sql`(${sql.lit(houseClasses.gateway)}, ${sql.lit(houseClasses.unallocated)}, ${sql.lit(houseClasses.withdrawal_fees)})`;
  return sql`
    select a.member_id, a.balance, (c.amount - d.amount)::bigint as put_in
    from (
      select member_id, sum(balance)::bigint as balance from ledger.account
      where id > ${range.after}::bigint * 32 + 31 and id <= ${range.upTo}::bigint * 32 + 31 group by member_id) as a
    cross join lateral (
      select coalesce(sum(t.amount), 0) as amount from ledger.transfer t
      where t.to_account in (${primary}, ${hold}) and t.to_account >= 32
        and t.reason in ('deposit', 'deposit_allocated', 'reversal') and t.from_account in ${outside}) as c
    cross join lateral (
      select coalesce(sum(t.amount), 0) as amount from ledger.transfer t
      where t.from_account in (${primary}, ${hold}) and t.from_account >= 32
        and t.reason in ('withdrawal_payout', 'withdrawal_fee', 'reversal') and t.to_account in ${outside}) as d`;
}

/** The same of one member. A member whose accounts were never opened has nothing. */
export async function getMemberTotals(
  db: Db,
  memberId: bigint,
): Promise<{ balanceMicros: bigint; putInMicros: bigint }> {
  const { rows } = await sql<{ balance: bigint; put_in: bigint }>`
    ${memberTotals({ after: memberId - 1n, upTo: memberId })}`.execute(db);
  return { balanceMicros: rows[0]?.balance ?? 0n, putInMicros: rows[0]?.put_in ?? 0n };
}
