import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { closedName } from '../core/closed-name.ts';

/** Everything by which somebody signs in as this member, or was seen to. */
export async function deletePersonalRows(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from identity.sign_in_challenge where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.otp where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.reset_token where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.recovery_code where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.totp where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.known_device where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.own_limit where member_id = ${memberId}`.execute(tx);
}

/** Id, Registered Id, sponsor and times stay: the ledger and the members below hang on them. */
export async function updateClosed(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await sql`
    update identity.member
    set closed_at = ${now}, name = ${closedName}, email = null, mobile_number = null, email_verified_at = null,
        password_hash = null, password_changed_at = null, security_changed_at = null
    where id = ${memberId}`.execute(tx);
}
