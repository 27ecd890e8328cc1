import { type MailPreferences, type MailTopic, mailTopics } from '#contract/notify.ts';
import { english } from '#contract/texts.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { listLanguages } from '#server/languages.ts';
import { Refused } from '#server/refused.ts';
import { lockRecipient } from '../forget-member.ts';
import { mailedByDefault } from '../queue-notices.ts';

/** A member's email preferences: their choices, else the defaults. */
export async function getMailPreferences(db: Db, memberId: bigint): Promise<MailPreferences> {
  const chosen = (await listChosen(db, memberId)).map(({ topic, is_wanted }) => [topic, is_wanted] as const);
  const language = (await findLanguage(db, memberId)) ?? 'en';
  return { ...mailedByDefault, ...Object.fromEntries(chosen), language };
}

/**
 * Refuses a language without a catalogue (`validation`, `language`).
 *
 * @param changes absent fields do not change
 */
export async function setMailPreferences(
  context: Context,
  memberId: bigint,
  {
    language,
    ...changes
  }: { readonly [Topic in MailTopic]?: boolean | undefined } & { readonly language?: string | undefined },
): Promise<MailPreferences> {
  if (language !== undefined && !listLanguages(context.config.webDir).has(language))
    throw new Refused('validation', { field: 'language', reason: english.t`This language is not available.` });
  return inTransaction(context.db, async (tx) => {
    await lockRecipient(tx, memberId);
    const before = await getMailPreferences(tx, memberId);
    for (const topic of mailTopics) {
      const isWanted = changes[topic];
      if (isWanted !== undefined) await upsertPreference(tx, { member_id: memberId, topic, is_wanted: isWanted });
    }
    if (language !== undefined) await updateLanguage(tx, memberId, language);
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

const listChosen = (db: Db, memberId: bigint) =>
  listRows(db)<ChosenPreference>`
    select member_id, topic, is_wanted from notify.mail_preference where member_id = ${memberId}`;

const upsertPreference = (tx: Tx, row: ChosenPreference) =>
  execute(tx)`
    insert into notify.mail_preference (member_id, topic, is_wanted)
    values (${row.member_id}, ${row.topic}, ${row.is_wanted})
    on conflict (topic, member_id) do update set is_wanted = excluded.is_wanted`;

const findLanguage = (db: Db, memberId: bigint) =>
  findValue(db)<string | null>`select language from notify.recipient where member_id = ${memberId}`;

const updateLanguage = (tx: Tx, memberId: bigint, language: string) =>
  execute(tx)`update notify.recipient set language = nullif(${language}, 'en') where member_id = ${memberId}`;
