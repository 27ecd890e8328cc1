import type { Db } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';

/** Ids of all frozen members, in id order. There are few: a person or a fault froze each one. */
export const listFrozenMembers = (db: Db) =>
  listValues(db)<bigint>`
    select id from identity.member where frozen_at is not null order by id`;

/** Ids of all members who are paused at `now`, in id order. */
export const listPausedMembers = (db: Db, now: Date) =>
  listValues(db)<bigint>`
    select member_id as "memberId" from identity.own_limit where paused_until > ${now} order by member_id`;

/** All loss limits in force at `now`, in id order. Reads one index row for each member who ever set one. */
export const listLossLimits = (db: Db, now: Date) =>
  listRows(db)<{ memberId: bigint; lossDayMicros: bigint }>`
    select member_id as "memberId", micros as "lossDayMicros"
    from identity.own_limit
      cross join lateral (
        select case when loss_day_next_at <= ${now} then loss_day_next_micros else loss_day_micros end as micros) in_force
    where loss_day_micros is not null and micros is not null
    order by member_id`;
