import assert from 'node:assert';
import { sql } from 'kysely';
import type { MailTopic } from '#contract/notify.ts';
import type { Tx } from '#server/db/connect.ts';
import type { MailKind } from './core/email-cap.ts';
import { mailedByDefault, mailTopicOf } from './core/mail-topic.ts';

/** The mail that goes with an important notification, to the member's own address. */
export type MemberMail = { readonly subject: string; readonly text: string };

export type Notice = {
  readonly memberId: bigint;
  /** What happened, for programs: `trade_settled`. */
  readonly kind: string;
  /** The sentence the member reads in the drawer. */
  readonly message: string;
  readonly mail?: MemberMail;
};

/** Tells one member what happened, in the transaction in which it happened (docs/product.md, section 9). */
export async function notifyMember(tx: Tx, notice: Notice): Promise<void> {
  await notifyMembers(tx, [notice]);
}

/** The same for any number of members, in one statement for the drawer and one for the mails. */
export async function notifyMembers(tx: Tx, notices: readonly Notice[]): Promise<void> {
  assert(tx.isTransaction, 'a notification belongs into the transaction of its event');
  if (notices.length === 0) return;
  await insertNotifications(tx, notices);
  const mails = await mailsOf(tx, notices);
  if (mails.length > 0) await insertMails(tx, mails);
}

type AddressedMail = MemberMail & { readonly memberId: bigint; readonly kind: MailKind | undefined };

/**
 * The mails that go with notifications: those of no topic as they are, those of a topic to whom it is wanted by. A
 * notification without a text for a mail is mailed in its own words to who asked for its topic. One look at what was
 * chosen, however many there are.
 */
async function mailsOf(tx: Tx, notices: readonly Notice[]): Promise<AddressedMail[]> {
  const topical = notices.flatMap(({ memberId, kind }) => {
    const topic = mailTopicOf(kind);
    return topic === undefined ? [] : [{ memberId, topic }];
  });
  const topics = [...new Set(topical.map(({ topic }) => topic))];
  const members = [...new Set(topical.map(({ memberId }) => memberId))];
  const chosen = topics.length === 0 ? [] : await listChosenOf(tx, topics, members);
  const choices = new Map(chosen.map((row) => [`${row.topic}/${row.member_id}`, row.is_wanted]));
  const isWanted = (topic: MailTopic, memberId: bigint) =>
    choices.get(`${topic}/${memberId}`) ?? mailedByDefault[topic];

  return notices.flatMap((notice) => {
    const { memberId, kind, message, mail } = notice;
    const topic = mailTopicOf(kind);
    if (topic !== undefined && !isWanted(topic, memberId)) return [];
    const capped = { memberId, kind: topic === undefined ? undefined : 'news' } as const;
    if (mail !== undefined) return [{ ...capped, ...mail }];
    return topic === undefined ? [] : [{ ...capped, ...inOwnWords(message) }];
  });
}

/** The first sentence is the subject: `Session of 4 March settled: +$12.40.` */
function inOwnWords(message: string): MemberMail {
  const first = /^.*?[.:](?=\s|$)/.exec(message)?.[0] ?? message;
  return { subject: first.replace(/[.:]$/, '').slice(0, 120), text: `${message}\n` };
}

async function insertNotifications(tx: Tx, drafts: readonly Notice[]): Promise<void> {
  await sql`
    insert into notify.notification (member_id, kind, message)
    select draft.member_id, draft.kind, draft.message
    from unnest(${drafts.map((draft) => draft.memberId)}::bigint[],
                ${drafts.map((draft) => draft.kind)}::text[],
                ${drafts.map((draft) => draft.message)}::text[])
         with ordinality as draft (member_id, kind, message, place)
    order by draft.place`.execute(tx);
}

/** Mails to members at the address each is reached at now; a member without one gets none. */
async function insertMails(tx: Tx, mails: readonly AddressedMail[]): Promise<void> {
  await sql`
    insert into notify.mail (to_name, to_address, kind, subject, text, member_id)
    select recipient.name, recipient.address, draft.kind, draft.subject, draft.text, member_id
    from unnest(${mails.map((mail) => mail.memberId)}::bigint[],
                ${mails.map((mail) => mail.kind ?? null)}::text[],
                ${mails.map((mail) => mail.subject)}::text[],
                ${mails.map((mail) => mail.text)}::text[])
         with ordinality as draft (member_id, kind, subject, text, place)
    join notify.recipient using (member_id)
    order by draft.place`.execute(tx);
}

type Choice = { readonly member_id: bigint; readonly topic: MailTopic; readonly is_wanted: boolean };

/** What these members chose about these topics; most chose nothing. */
async function listChosenOf(tx: Tx, topics: readonly MailTopic[], memberIds: readonly bigint[]): Promise<Choice[]> {
  const { rows } = await sql<Choice>`
    select member_id, topic, is_wanted from notify.mail_preference
    where topic = any(${topics}::text[]) and member_id = any(${memberIds}::bigint[])`.execute(tx);
  return rows;
}
