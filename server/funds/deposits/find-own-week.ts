import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import { toDollars } from '#contract/money.ts';
import { findOwnLimits } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';

type OwnWeek = DataOf<typeof funds.listDeposits>['own_week'];

const WEEK_MS = 7 * 24 * 3_600_000;

/** From when on deposits count against the own limit at `now`. */
export const ownWeekStart = (now: Date): Date => new Date(now.getTime() - WEEK_MS);

/** The member's own limit for deposits of a week with what is used of it, as a new deposit is measured; null without one. */
export async function findOwnWeek({ db, now }: Context, memberId: bigint): Promise<OwnWeek> {
  const { depositWeekMicros } = await findOwnLimits(db, memberId, now());
  if (depositWeekMicros === null) return null;
  const usedMicros = await sumDepositsSince(db, memberId, ownWeekStart(now()));
  return { limit: toDollars(depositWeekMicros), used: toDollars(usedMicros) };
}

/**
 * What a member's deposits started after `since` brought or can still bring: what was credited; while the invoice can
 * be paid at least what it asks for; while a person decides all that arrived.
 */
export async function sumDepositsSince(db: Db, memberId: bigint, since: Date): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(case
      when state in ('created', 'pending', 'underpaid') then greatest(amount_micros, booked_micros)
      when state = 'review' then booked_micros
      else coalesce(credited_micros, 0) end), 0)::bigint as sum
    from funds.deposit where member_id = ${memberId} and created_at > ${since}`.execute(db);
  return (rows[0] as { sum: bigint }).sum;
}
