import assert from 'node:assert';
import type { MailTopic } from '#contract/notify.ts';
import { firstSentence } from '#contract/texts.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';

/** The email of an important notification, to the member's own address. */
export type MemberEmail = { readonly subject: string; readonly text: string };

export type Notice = {
  readonly memberId: bigint;
  /** For programs: `session_settled`. */
  readonly kind: string;
  /** The text shown in the app. */
  readonly message: string;
  readonly mail?: MemberEmail;
};

/** Notifies a member in the transaction of the event (docs/product.md, section 9). */
export async function notifyMember(tx: Tx, notice: Notice): Promise<void> {
  await notifyMembers(tx, [notice]);
}

/** The same for any number of members, in one statement for notifications and one for emails. */
export async function notifyMembers(tx: Tx, notices: readonly Notice[]): Promise<void> {
  assert(tx.isTransaction, 'a notification belongs into the transaction of its event');
  if (notices.length === 0) return;
  await insertNotifications(tx, notices);
  const mails = await emailsOf(tx, notices);
  if (mails.length > 0) await insertEmails(tx, mails);
}

type AddressedEmail = MemberEmail & { readonly memberId: bigint; readonly kind: EmailKind | undefined };

/**
 * The emails of notifications: always those without a topic, and those with a topic to members who want it. A
 * notification without email text is emailed with its own text to members who chose its topic. Reads all choices in one
 * query.
 */
async function emailsOf(tx: Tx, notices: readonly Notice[]): Promise<AddressedEmail[]> {
  const topical = notices.flatMap(({ memberId, kind }) => {
    const topic = emailTopicOf(kind);
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
    const topic = emailTopicOf(kind);
    if (topic !== undefined && !isWanted(topic, memberId)) return [];
    const capped = { memberId, kind: topic === undefined ? undefined : 'news' } as const;
    if (mail !== undefined) return [{ ...capped, ...mail }];
    return topic === undefined ? [] : [{ ...capped, ...inOwnWords(message) }];
  });
}

const inOwnWords = (message: string): MemberEmail => ({ subject: firstSentence(message), text: `${message}\n` });

const insertNotifications = (tx: Tx, drafts: readonly Notice[]) =>
  execute(tx)`
    insert into notify.notification (member_id, kind, message)
    select draft.member_id, draft.kind, draft.message
    from unnest(${drafts.map((draft) => draft.memberId)}::bigint[],
                ${drafts.map((draft) => draft.kind)}::text[],
                ${drafts.map((draft) => draft.message)}::text[])
         with ordinality as draft (member_id, kind, message, place)
    order by draft.place`;

/** Emails to members' current addresses; a member without one gets none. */
const insertEmails = (tx: Tx, mails: readonly AddressedEmail[]) =>
  execute(tx)`
    insert into notify.mail (to_name, to_address, kind, subject, text, member_id)
    select recipient.name, recipient.address, draft.kind, draft.subject, draft.text, member_id
    from unnest(${mails.map((mail) => mail.memberId)}::bigint[],
                ${mails.map((mail) => mail.kind ?? null)}::text[],
                ${mails.map((mail) => mail.subject)}::text[],
                ${mails.map((mail) => mail.text)}::text[])
         with ordinality as draft (member_id, kind, subject, text, place)
    join notify.recipient using (member_id)
    order by draft.place`;

type Choice = { readonly member_id: bigint; readonly topic: MailTopic; readonly is_wanted: boolean };

/** These members' choices about these topics; most have none. */
const listChosenOf = (tx: Tx, topics: readonly MailTopic[], memberIds: readonly bigint[]) =>
  listRows(tx)<Choice>`
    select member_id, topic, is_wanted from notify.mail_preference
    where topic = any(${topics}::text[]) and member_id = any(${memberIds}::bigint[])`;

/**
 * Whether a topic is emailed by default (docs/product.md, section 9: the important ones are).
 */
export const mailedByDefault: Readonly<Record<MailTopic, boolean>> = {
  deposits: true,
  tickets: true,
  incomes: false,
  trading: false,
};

const topics: readonly [start: string, topic: MailTopic][] = [
  ['deposit_', 'deposits'],
  ['ticket_', 'tickets'],
  ['bonus_', 'incomes'],
  ['weekly_', 'incomes'],
  ['monthly_', 'incomes'],
  ['reward_', 'incomes'],
  ['session_', 'trading'],
  ['trade_', 'trading'],
  ['plan_', 'trading'],
];

/** A reversed payment freezes the account, so this email cannot be turned off. */
const always = ['deposit_taken_back'];

/**
 * The topic of a notification kind, if its member can choose: emails about sign-in, addresses, withdrawals and freezes
 * cannot be turned off, and kinds without a topic are never emailed on their own.
 *
 * `emailTopicOf('deposit_credited') === 'deposits'`, `emailTopicOf('withdrawal_sent') === undefined`
 */
export function emailTopicOf(kind: string): MailTopic | undefined {
  if (always.includes(kind)) return undefined;
  return topics.find(([start]) => kind.startsWith(start))?.[1];
}

export type Mail = {
  /** The account it is about, because an address can have several; absent for emails to operators. */
  readonly memberId?: bigint;
  readonly to: { readonly name: string; readonly address: string };
  /** For emails with a daily cap; absent for those that are always sent. */
  readonly kind?: EmailKind;
  readonly subject: string;
  readonly text: string;
};

/**
 * Queues an email in the transaction of its event, so that it is sent if and only if that commits.
 */
export async function queueEmail(tx: Tx, mail: Mail): Promise<void> {
  assert(tx.isTransaction, 'a mail belongs into the transaction of what it tells');
  await execute(tx)`
    insert into notify.mail (to_name, to_address, kind, subject, text, member_id)
    values (${mail.to.name}, ${mail.to.address}, ${mail.kind ?? null}, ${mail.subject}, ${mail.text},
            ${mail.memberId ?? null})`;
}

type Mailbox = { readonly name: string; readonly email: string };

/** The same to any number of operators, in one statement. */
export async function emailOperators(
  tx: Tx,
  operators: readonly Mailbox[],
  { subject, text }: Pick<Mail, 'subject' | 'text'>,
): Promise<void> {
  assert(tx.isTransaction, 'a mail belongs into the transaction of what it tells');
  await execute(tx)`
    insert into notify.mail (to_name, to_address, subject, text)
    select name, address, ${subject}::text, ${text}::text
    from unnest(${operators.map(({ name }) => name)}::text[], ${operators.map(({ email }) => email)}::text[])
      with ordinality as o(name, address, place) order by place`;
}

type Recipient = { readonly memberId: bigint; readonly name: string; readonly address: string };

/** Sets a member's address for future emails. Queued emails keep theirs. */
export const setRecipient = (tx: Tx, { memberId, name, address }: Recipient) =>
  execute(tx)`
    insert into notify.recipient (member_id, name, address) values (${memberId}, ${name}, ${address})
    on conflict (member_id) do update set name = excluded.name, address = excluded.address`;

/**
 * The kind of an email for the cap of its address. `code`: a one-time password that a signed-in member requested;
 * `reset`: codes for a new password, which anyone can request, both unless the account has verified the address;
 * `signup`: a new account; `news`: what a member can turn off. All others, about sign-ins, addresses, withdrawals and
 * freezes, or to operators, are always sent.
 */
export type EmailKind = 'code' | 'reset' | 'signup' | 'news';

/** Emails per kind, address and UTC day. Separate caps, so that a flood of one kind does not block the others. */
export const maxPerDay: Readonly<Record<EmailKind, number>> = { code: 30, reset: 20, signup: 10, news: 50 };
