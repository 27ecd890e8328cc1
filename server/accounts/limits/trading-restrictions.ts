import type { Db } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';

/** Ids of all frozen members, in id order. There are few: each one was frozen by a person or a fault. */
export const listFrozenMembers = (db: Db) =>
  listValues(db)<bigint>`
    select id from identity.member where frozen_at is not null order by id`;

/** Everybody whose pause is not over at `now`, in id order. */
export const listPausedMembers = (db: Db, now: Date) =>
  listValues(db)<bigint>`
    select member_id as "memberId" from identity.own_limit where paused_until > ${now} order by member_id`;

/** Everybody with a loss limit in force at `now`, in id order: one row of an index for each who ever set one. */
export const listLossLimits = (db: Db, now: Date) =>
  listRows(db)<{ memberId: bigint; lossDayMicros: bigint }>`
    select member_id as "memberId", micros as "lossDayMicros"
    from identity.own_limit
      cross join lateral (
        select case when loss_day_next_at <= ${now} then loss_day_next_micros else loss_day_micros end as micros) in_force
    where loss_day_micros is not null and micros is not null
    order by member_id`;
