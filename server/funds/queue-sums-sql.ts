import { sql } from 'kysely';
import type { WithdrawalState } from '#contract/withdrawals.ts';
import type { Db } from '#server/db/connect.ts';
import { twoOperatorsFromMicros } from './core/withdrawal-rules.ts';

export type QueueSum = { readonly count: bigint; readonly micros: bigint; readonly oldestAt: Date | null };

/** Withdrawals that wait, by state: `micros` is what leaves when they are paid. A state without any is not there. */
export async function sumWaitingWithdrawals(db: Db): Promise<(QueueSum & { readonly state: WithdrawalState })[]> {
  const { rows } = await sql<QueueSum & { readonly state: WithdrawalState }>`
    select state, count(*) as count, sum(amount_micros - fee_micros)::bigint as micros, min(created_at) as "oldestAt"
    from funds.withdrawal where state in ('requested', 'approved', 'sent', 'uncertain') group by state`.execute(db);
  return rows;
}

/** Requested ones of members and days that two operators have to approve, and how many have the first approval. */
export async function countTwoPerson(db: Db): Promise<{ readonly count: bigint; readonly firstApproved: bigint }> {
  const { rows } = await sql<{ count: bigint; firstApproved: bigint }>`
    select count(*) as count,
      count(*) filter (where exists (
        select from funds.withdrawal_approval a where a.withdrawal_id = w.id)) as "firstApproved"
    from funds.withdrawal w
    join funds.withdrawal_day d on d.member_id = w.member_id and d.day = w.requested_on
    where w.state = 'requested' and d.live_micros >= ${twoOperatorsFromMicros}`.execute(db);
  return rows[0] as { count: bigint; firstApproved: bigint };
}

/** Deposits in review: `micros` is what is held of them. */
export async function sumReviewedDeposits(db: Db): Promise<QueueSum> {
  const { rows } = await sql<QueueSum>`
    select count(*) as count, min(updated_at) as "oldestAt",
      coalesce(sum(booked_micros - coalesce(credited_micros, 0) - refunded_micros), 0)::bigint as micros
    from funds.deposit where state = 'review'`.execute(db);
  return rows[0] as QueueSum;
}
