import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { execute, getValue } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import type { PeriodKind } from './core/periods.ts';
import { lockRewardQueue } from './rewards/reward-sql.ts';

/**
 * A step of closing an account (docs/product.md, section 8): from the next session on its incomes go to the house, and
 * unpaid rewards are forfeited. Runs before the ledger accounts are locked, which runs and claims lock last.
 * Refuses `closing_incomes` during a run, as a run must see the same accounts from start to end.
 */
export async function closeMemberIncomes(tx: Tx, memberId: bigint): Promise<void> {
  if (await lockRuns(tx)) throw new Refused('closing_incomes');
  await lockRewardQueue(tx);
  await forfeitRewards(tx, memberId);
  await insertClosedMember(tx, memberId);
}

/** SQL for `member_id, closed_on` of closed accounts; sessions after that day pay them nothing. */
export const closedMembers: RawBuilder<unknown> = sql`select member_id, closed_on from income.closed_member`;

/** SQL for whether a week or month pays an account nothing because it is closed; few are, so they are hashed. */
export const isClosedIn = (kind: PeriodKind, startsOn: string, memberId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${memberId} in (select member_id from income.closed_member where ${closedFrom[kind]} <= ${startsOn}::date)`;

const closedFrom = { weekly: sql`weeks_from`, monthly: sql`months_from` };

/**
 * Blocks runs from beginning or advancing until the transaction ends.
 * @returns whether one is in progress
 */
async function lockRuns(tx: Tx): Promise<boolean> {
  // Locks the tables, because a run that is about to begin has no row yet.
  await execute(tx)`lock table income.bonus_run, income.period_run in share mode`;
  return getValue(tx)<boolean>`
    select exists (select from income.bonus_run where state <> 'done')
        or exists (select from income.period_run where state <> 'done') as found`;
}

/** Requires that no run is in progress: the member's last incomes are those of the latest runs. */
const insertClosedMember = (tx: Tx, memberId: bigint): Promise<void> =>
  execute(tx)`
    insert into income.closed_member (member_id, closed_on, weeks_from, months_from)
    select ${memberId}::bigint,
      coalesce((select max(session_day) from income.bonus_run), '-infinity'::date),
      coalesce((select max(ends_on) from income.period_run where kind = 'weekly'), '-infinity'::date),
      coalesce((select max(ends_on) from income.period_run where kind = 'monthly'), '-infinity'::date)`;

/** Requires a lock on the queue, so that no reward is paid meanwhile. */
const forfeitRewards = (tx: Tx, memberId: bigint): Promise<void> =>
  execute(tx)`
    update income.reward set state = 'given_up'
    where member_id = ${memberId} and state in ('claimable', 'waiting')`;
