import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type FreezeCause = 'not_me' | 'operator';

/** A number of its own for each member, among those that advisory locks are taken on. */
const freezeLock = (memberId: bigint) => sql`hashtextextended(${`funds.withdrawal_freeze/${memberId}`}, 0)`;

/**
 * Before a freeze is put up or taken away. One that is not there cannot be locked, so both sides lock its name: what is
 * being let through at this moment holds the freeze up, and whoever comes after its commit sees it.
 */
export async function lockWithdrawalFreeze(tx: Tx, memberId: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(${freezeLock(memberId)})`.execute(tx);
}

/** False when the member's withdrawals were stopped before. */
export async function insertWithdrawalFreeze(
  tx: Tx,
  freeze: { readonly memberId: bigint; readonly cause: FreezeCause; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into funds.withdrawal_freeze (member_id, cause, frozen_at)
    values (${freeze.memberId}, ${freeze.cause}, ${freeze.now})
    on conflict (member_id) do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

/** False when they were not stopped. */
export async function deleteWithdrawalFreeze(tx: Tx, memberId: bigint): Promise<boolean> {
  const { rows } = await sql`
    delete from funds.withdrawal_freeze where member_id = ${memberId} returning 1`.execute(tx);
  return rows.length === 1;
}

/** Whether a member's withdrawals are stopped, held until the transaction ends. */
export async function shareWithdrawalFreeze(tx: Tx, memberId: bigint): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(${freezeLock(memberId)})`.execute(tx);
  return hasWithdrawalFreeze(tx, memberId);
}

export async function hasWithdrawalFreeze(db: Db, memberId: bigint): Promise<boolean> {
  const { rows } = await sql`select 1 from funds.withdrawal_freeze where member_id = ${memberId}`.execute(db);
  return rows.length > 0;
}

export type PayoutSwitch = {
  readonly stopped_at: Date | null;
  /** Null also while the system stopped them. */
  readonly stopped_by: bigint | null;
  readonly why: string | null;
  /** While there is one, nobody lets payouts go on. */
  readonly alarm: string | null;
};

export async function findPayoutSwitch(db: Db): Promise<PayoutSwitch> {
  const { rows } = await sql<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch`.execute(db);
  return rows[0] as PayoutSwitch;
}

/** Held until the transaction ends: who turns it waits for what was let through, and the next sees it turned. */
export async function sharePayoutSwitch(tx: Tx): Promise<PayoutSwitch> {
  const { rows } = await sql<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch for share`.execute(tx);
  return rows[0] as PayoutSwitch;
}
