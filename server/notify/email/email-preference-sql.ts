import { sql } from 'kysely';
import type { MailTopic } from '#contract/notify.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type ChosenPreference = { member_id: bigint; topic: MailTopic; is_wanted: boolean };

export async function listChosen(db: Db, memberId: bigint): Promise<ChosenPreference[]> {
  const { rows } = await sql<ChosenPreference>`
    select member_id, topic, is_wanted from notify.mail_preference where member_id = ${memberId}`.execute(db);
  return rows;
}

/** What these members chose about these topics; most chose nothing. */
export async function listChosenOf(
  tx: Tx,
  topics: readonly MailTopic[],
  memberIds: readonly bigint[],
): Promise<ChosenPreference[]> {
  const { rows } = await sql<ChosenPreference>`
    select member_id, topic, is_wanted from notify.mail_preference
    where topic = any(${topics}::text[]) and member_id = any(${memberIds}::bigint[])`.execute(tx);
  return rows;
}

export async function upsertPreference(tx: Tx, row: ChosenPreference): Promise<void> {
  await sql`
    insert into notify.mail_preference (member_id, topic, is_wanted)
    values (${row.member_id}, ${row.topic}, ${row.is_wanted})
    on conflict (topic, member_id) do update set is_wanted = excluded.is_wanted`.execute(tx);
}
