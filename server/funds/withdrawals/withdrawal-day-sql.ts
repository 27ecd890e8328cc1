import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

/**
 * Counts an amount against the limit of a member's UTC day (`2026-03-04`), holding the day's row until the transaction
 * ends; undefined when it would go over. The caller has made sure that the amount alone is within the limit.
 *
 * @returns the day's sum with it
 */
export async function addToDay(
  tx: Tx,
  add: { readonly memberId: bigint; readonly day: string; readonly amountMicros: bigint; readonly limitMicros: bigint },
): Promise<bigint | undefined> {
  const { rows } = await sql<{ live_micros: bigint }>`
    insert into funds.withdrawal_day as day (member_id, day, live_micros)
    values (${add.memberId}, ${add.day}::date, ${add.amountMicros})
    on conflict (member_id, day) do update set live_micros = day.live_micros + excluded.live_micros
    where day.live_micros + excluded.live_micros <= ${add.limitMicros}
    returning live_micros`.execute(tx);
  return rows[0]?.live_micros;
}

/** Gives back what was rejected, cancelled or failed, to the day it was asked for on. */
export async function takeFromDay(tx: Tx, memberId: bigint, day: string, amountMicros: bigint): Promise<void> {
  await sql`
    update funds.withdrawal_day set live_micros = live_micros - ${amountMicros}
    where member_id = ${memberId} and day = ${day}::date`.execute(tx);
}

/** The sum of a day, held until the transaction ends, so that the rule of two operators reads what it decides about. */
export async function lockDaySum(tx: Tx, memberId: bigint, day: string): Promise<bigint> {
  const { rows } = await sql<{ live_micros: bigint }>`
    select live_micros from funds.withdrawal_day
    where member_id = ${memberId} and day = ${day}::date for update`.execute(tx);
  return rows[0]?.live_micros ?? 0n;
}

export async function findDaySum(db: Db, memberId: bigint, day: string): Promise<bigint> {
  const { rows } = await sql<{ live_micros: bigint }>`
    select live_micros from funds.withdrawal_day where member_id = ${memberId} and day = ${day}::date`.execute(db);
  return rows[0]?.live_micros ?? 0n;
}
