import { type RawBuilder, sql } from 'kysely';
import type { OwnLimit as LimitReply, OwnLimits as LimitsReply } from '#contract/accounts/sign-in.ts';
import { dollarsOrNull } from '#contract/money.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';
import { type LimitMicros, limitsAt, noOwnLimits, type OwnLimit, type OwnLimits } from '../core/own-limits.ts';

/** Self-imposed limits in force; null is no limit and no pause. */
export type LimitsInForce = {
  /** Deposits in 7 days of real time. */
  readonly depositWeekMicros: LimitMicros;
  /** Realised loss in one day of market time. */
  readonly lossDayMicros: LimitMicros;
  /** Always in the future. */
  readonly pausedUntil: Date | null;
};

/** A member's self-imposed limits (docs/product.md, section 8) in force at `now`, which is real time. */
export async function findOwnLimits(db: Db, memberId: bigint, now: Date): Promise<LimitsInForce> {
  return inForce(limitsAt(await findStoredLimits(db, memberId), now));
}

/**
 * The same, locked until the transaction ends: operations that count against a limit are serialized, and a change of
 * the limit waits. There is no lock for members who never set one.
 */
export async function lockOwnLimits(tx: Tx, memberId: bigint, now: Date): Promise<LimitsInForce> {
  return inForce(limitsAt(await lockStoredLimits(tx, memberId), now));
}

const inForce = ({ depositWeek, lossDay, pausedUntil }: OwnLimits): LimitsInForce => ({
  depositWeekMicros: depositWeek.micros,
  lossDayMicros: lossDay.micros,
  pausedUntil,
});

/** Limits as a reply shows them. */
export const showLimits = ({ depositWeek, lossDay, pausedUntil }: OwnLimits): LimitsReply => ({
  deposit_week: showLimit(depositWeek),
  loss_day: showLimit(lossDay),
  paused_until: pausedUntil?.toISOString() ?? null,
});

const showLimit = ({ micros, next }: OwnLimit): LimitReply => ({
  amount: dollarsOrNull(micros),
  next: next && { amount: dollarsOrNull(next.micros), at: next.at.toISOString() },
});

type Row = {
  depositWeekMicros: LimitMicros;
  depositWeekNextMicros: LimitMicros;
  depositWeekNextAt: Date | null;
  lossDayMicros: LimitMicros;
  lossDayNextMicros: LimitMicros;
  lossDayNextAt: Date | null;
  pausedUntil: Date | null;
};

const selectRow = (memberId: bigint): RawBuilder<Row> => sql<Row>`
  select deposit_week_micros as "depositWeekMicros", deposit_week_next_micros as "depositWeekNextMicros",
         deposit_week_next_at as "depositWeekNextAt", loss_day_micros as "lossDayMicros",
         loss_day_next_micros as "lossDayNextMicros", loss_day_next_at as "lossDayNextAt", paused_until as "pausedUntil"
  from identity.own_limit where member_id = ${memberId}`;

/** As stored; `limitsAt` computes what is in force. */
export async function findStoredLimits(db: Db, memberId: bigint): Promise<OwnLimits> {
  const row = await findRow(db)<Row>`${selectRow(memberId)}`;
  return row === undefined ? noOwnLimits : toLimits(row);
}

/** The same, locked until the transaction ends. A member who never set a limit has no row to lock. */
export async function lockStoredLimits(tx: Tx, memberId: bigint): Promise<OwnLimits> {
  const row = await findRow(tx)<Row>`${selectRow(memberId)} for update`;
  return row === undefined ? noOwnLimits : toLimits(row);
}

/** Creates the row before a member's first change, so that two concurrent first changes have a row to lock. */
export const insertStoredLimits = (tx: Tx, memberId: bigint) =>
  execute(tx)`
    insert into identity.own_limit (member_id) values (${memberId}) on conflict (member_id) do nothing`;

export async function updateStoredLimits(tx: Tx, memberId: bigint, limits: OwnLimits): Promise<void> {
  const { depositWeek, lossDay, pausedUntil } = limits;
  await execute(tx)`
    update identity.own_limit
    set deposit_week_micros = ${depositWeek.micros}, deposit_week_next_micros = ${depositWeek.next?.micros ?? null},
        deposit_week_next_at = ${depositWeek.next?.at ?? null}, loss_day_micros = ${lossDay.micros},
        loss_day_next_micros = ${lossDay.next?.micros ?? null}, loss_day_next_at = ${lossDay.next?.at ?? null},
        paused_until = ${pausedUntil}
    where member_id = ${memberId}`;
}

const toLimits = (row: Row): OwnLimits => ({
  depositWeek: {
    micros: row.depositWeekMicros,
    next: row.depositWeekNextAt && { micros: row.depositWeekNextMicros, at: row.depositWeekNextAt },
  },
  lossDay: {
    micros: row.lossDayMicros,
    next: row.lossDayNextAt && { micros: row.lossDayNextMicros, at: row.lossDayNextAt },
  },
  pausedUntil: row.pausedUntil,
});
