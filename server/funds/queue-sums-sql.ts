import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import type { Db } from '#server/db/connect.ts';
import { getRow, listRows } from '#server/db/rows.ts';
import { isOpenWithdrawal } from './withdrawals/withdrawal.ts';

export type QueueSum = { readonly count: bigint; readonly micros: bigint; readonly oldestAt: Date | null };

/** Open withdrawals by state: `micros` is what their payouts amount to. Has no row for an empty state. */
export const sumWaitingWithdrawals = (db: Db) =>
  listRows(db)<QueueSum & { readonly state: WithdrawalState }>`
    select state, count(*) as count, sum(amount_micros - fee_micros)::bigint as micros, min(created_at) as "oldestAt"
    from funds.withdrawal where ${isOpenWithdrawal} group by state`;

/** Deposits in review: `micros` is their held amount. */
export const sumReviewedDeposits = (db: Db) =>
  getRow(db)<QueueSum>`
    select count(*) as count, min(updated_at) as "oldestAt",
      coalesce(sum(booked_micros - coalesce(credited_micros, 0) - refunded_micros), 0)::bigint as micros
    from funds.deposit where state = 'review'`;
