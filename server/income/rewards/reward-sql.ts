import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, hasRow, listRows } from '#server/db/rows.ts';
import { houseAccount, memberAccount, postFrom } from '#server/ledger/index.ts';
import { rankName } from '../core/rank.ts';

export type RewardRow = {
  readonly rank: number;
  readonly month: string;
  /** Plan of the month in which it was reached. */
  readonly planId: number | null;
  readonly nominal: bigint;
  /** The member's contributed part of that month's fill; null under rule 1. */
  readonly contributed: bigint | null;
  readonly state: 'claimable' | 'waiting' | 'paid';
  readonly paidAt: Date | null;
  /** Position in the queue, 1 is next; null when not waiting. */
  readonly place: bigint | null;
};

/** Excludes rewards forfeited when the account was closed: they are not shown and cannot be claimed. */
const listRewards = (db: Db, which: RawBuilder<unknown>) => listRows(db)<RewardRow>`
  select r.rank::int as rank, r.month::text, run.fee_plan_id as "planId", r.nominal, c.contributed, r.state, r.paid_at as "paidAt",
    case when r.state = 'waiting' then (
      select count(*) from income.reward w where w.state = 'waiting' and w.claim_no <= r.claim_no) end as place
  from income.reward r
  left join income.period_run run on run.kind = 'monthly' and run.starts_on = r.month
  left join lateral (
    select sum(part.reward_contributed)::bigint as contributed
    from income.contribution p cross join lateral unnest(p.contributors, p.reward_contributed) as part(member_id, reward_contributed)
    where p.kind = 'monthly' and p.starts_on = r.month and p.no = r.member_id / 4096 and part.member_id = r.member_id) as c on true
  where ${which} and r.state <> 'given_up' order by r.rank`;

/** All ranks that a member has reached. */
export const listRewardRows = (db: Db, memberId: bigint) => listRewards(db, sql`r.member_id = ${memberId}`);

export const findReward = async (db: Db, memberId: bigint, rank: number): Promise<RewardRow | undefined> =>
  (await listRewards(db, sql`r.member_id = ${memberId} and r.rank = ${rank}`))[0];

/** Number and sum of all queued claims. */
export const countWaiting = (db: Db) =>
  getRow(db)<{ count: bigint; nominal: bigint }>`
    select count(*) as count, coalesce(sum(nominal), 0)::bigint as nominal from income.reward where state = 'waiting'`;

/** Serializes claims and payments of rewards until the transaction ends. */
export const lockRewardQueue = (tx: Tx): Promise<void> => execute(tx)`select 1 from income.reward_desk for update`;

/** Puts a claimable reward at the end of the queue, which the caller has locked. @returns whether it was claimable */
export const insertClaim = (tx: Tx, memberId: bigint, rank: number, claimedAt: Date): Promise<boolean> =>
  hasRow(tx)`
    with claimed as (
      update income.reward r set state = 'waiting', claim_no = d.claim_no + 1, claimed_at = ${claimedAt}
      from income.reward_desk d
      where r.member_id = ${memberId} and r.rank = ${rank} and r.state = 'claimable' returning r.claim_no)
    update income.reward_desk d set claim_no = claimed.claim_no from claimed returning 1`;

type ServedReward = { readonly memberId: bigint; readonly rank: number; readonly nominal: bigint };

export const hasWaiting = (tx: Tx): Promise<boolean> =>
  hasRow(tx)`select from income.reward where state = 'waiting' limit 1`;

/** The rewards at the head of the queue that the pool can pay in full, in order. */
export const listPayable = (tx: Tx, pool: bigint, limit: number): Promise<ServedReward[]> =>
  listRows(tx)`
    select "memberId", rank, nominal from (
      select member_id as "memberId", rank::int as rank, nominal, claim_no, sum(nominal) over (order by claim_no) as used
      from (select * from income.reward where state = 'waiting' order by claim_no limit ${limit}) as next) as line
    where used <= ${pool} order by claim_no`;

/** Pays queued rewards. Requires a lock on the queue and a sufficient pool. */
export async function payRewards(tx: Tx, served: readonly ServedReward[], paidAt: Date): Promise<void> {
  const rows = sql`
    unnest(${served.map(({ memberId }) => memberId)}::bigint[], ${served.map(({ rank }) => rank)}::int[],
      ${served.map(({ rank }) => rankName(rank))}::text[], ${served.map(({ nominal }) => nominal)}::bigint[])
    with ordinality as s(member_id, rank, name, nominal, place)`;
  await execute(tx)`
    update income.reward r set state = 'paid', paid_at = ${paidAt}
    from ${rows} where r.member_id = s.member_id and r.rank = s.rank`;
  await postFrom(
    tx,
    sql`
      select 'reward/' || s.member_id || '/' || s.name, ${houseAccount('pool_rewards')}, ${memberAccount(sql`s.member_id`, 'profit')},
        s.nominal, 'reward', 'reward ' || s.name, ${paidAt}::timestamptz, null::text
      from ${rows} order by s.place`,
  );
}

type WaitingRewards = { readonly count: bigint; readonly micros: bigint; readonly oldestAt: Date | null };

/** Number and sum of queued claims, and the time of the oldest. */
export const sumWaitingRewards = (db: Db): Promise<WaitingRewards> =>
  getRow(db)`
    select count(*) as count, coalesce(sum(nominal), 0)::bigint as micros, min(claimed_at) as "oldestAt"
    from income.reward where state = 'waiting'`;
