import { sql } from 'kysely';
import { type MailPreferences, type MailTopic, mailTopics } from '#contract/notify.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mailedByDefault } from '../core/mail-topic.ts';

/** What also goes to a member by mail: what they chose, else what goes to everybody. */
export async function getMailPreferences(db: Db, memberId: bigint): Promise<MailPreferences> {
  const chosen = (await listChosen(db, memberId)).map(({ topic, is_wanted }) => [topic, is_wanted] as const);
  return { ...mailedByDefault, ...Object.fromEntries(chosen) };
}

/** @param changes what is left out stays as it is */
export function setMailPreferences(
  context: Context,
  memberId: bigint,
  changes: { readonly [Topic in MailTopic]?: boolean | undefined },
): Promise<MailPreferences> {
  return inTransaction(context.db, async (tx) => {
    const before = await getMailPreferences(tx, memberId);
    for (const topic of mailTopics) {
      const isWanted = changes[topic];
      if (isWanted !== undefined) await upsertPreference(tx, { member_id: memberId, topic, is_wanted: isWanted });
    }
    const after = await getMailPreferences(tx, memberId);
    await writeAudit(tx, {
      actor: { kind: 'member', id: memberId },
      action: 'member.change_mail_preferences',
      subject: `member:${memberId}`,
      before,
      after,
    });
    return after;
  });
}

type ChosenPreference = { member_id: bigint; topic: MailTopic; is_wanted: boolean };

async function listChosen(db: Db, memberId: bigint): Promise<ChosenPreference[]> {
  const { rows } = await sql<ChosenPreference>`
    select member_id, topic, is_wanted from notify.mail_preference where member_id = ${memberId}`.execute(db);
  return rows;
}

async function upsertPreference(tx: Tx, row: ChosenPreference): Promise<void> {
  await sql`
    insert into notify.mail_preference (member_id, topic, is_wanted)
    values (${row.member_id}, ${row.topic}, ${row.is_wanted})
    on conflict (topic, member_id) do update set is_wanted = excluded.is_wanted`.execute(tx);
}
