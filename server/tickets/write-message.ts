import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { NewAttachment } from '#contract/tickets/tickets.ts';
import { lockOwnAccount } from '#server/accounts/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute, findValue, getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { type AttachmentRow, insertAttachment } from './attachment-sql.ts';
import { type ReadAttachment, readAttachment } from './core/read-attachment.ts';
import { insertMessage, type MessageRow, type NewMessage } from './message-sql.ts';

type WrittenMessage = { readonly message: MessageRow; readonly attachments: readonly AttachmentRow[] };

/** Inserts a message and its files. The caller has locked the ticket, so that ids follow the order of the thread. */
export async function writeMessage(
  tx: Tx,
  draft: NewMessage,
  files: readonly ReadAttachment[],
): Promise<WrittenMessage> {
  const message = await insertMessage(tx, draft);
  const attachments: AttachmentRow[] = [];
  for (const file of files) attachments.push(await insertAttachment(tx, message.id, file));
  return { message, attachments };
}

/** Validates a message's files. Refuses `attachment_refused` with the field of the first invalid one. */
export function readAttachments(files: readonly NewAttachment[] = []): ReadAttachment[] {
  return files.map((file, index) => {
    const read = readAttachment(file);
    if (read === undefined) throw new Refused('attachment_refused', { field: `attachments.${index}` });
    return read;
  });
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Limits what a member may send within 24 hours, because messages and files are stored permanently. Concurrent messages
 * of a member are serialized. Call it before locking the ticket.
 *
 * Refuses `too_many_messages`, `session_required` if the account was closed meanwhile.
 */
export async function refuseTooMuch(tx: Tx, memberId: bigint, attachments: number, now: Date): Promise<void> {
  await lockOwnAccount(tx, memberId);
  await lockSender(tx, memberId);
  const sent = await countSent(tx, memberId, dayBefore(now));
  const refuse = (since: Date | null) =>
    new Refused('too_many_messages', { retryAfterSeconds: secondsLeft(since ?? now, now) });
  if (sent.messages >= ticketRules.messagesADay) throw refuse(sent.oldest_at);
  if (sent.attachments + attachments > ticketRules.attachmentsADay) throw refuse(sent.oldest_file_at);
}

/** Refuses `too_many_tickets` until the oldest of the last 20 is a day old. Requires the lock of `refuseTooMuch`. */
export async function refuseTooManyTickets(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const oldestAt = await findTicketInTheWay(tx, { memberId, since: dayBefore(now), most: ticketRules.ticketsADay });
  if (oldestAt !== undefined) throw new Refused('too_many_tickets', { retryAfterSeconds: secondsLeft(oldestAt, now) });
}

const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS);

const secondsLeft = (since: Date, now: Date) =>
  Math.max(1, Math.ceil((since.getTime() + DAY_MS - now.getTime()) / 1000));

/** Serializes a member's own messages, so that each one counts. */
const lockSender = (tx: Tx, memberId: bigint) =>
  execute(tx)`
    select pg_advisory_xact_lock(hashtextextended(${`support.sender/${memberId}`}, 0))`;

/** The creation time of the `most`th newest ticket after `since`; undefined if there are fewer. */
const findTicketInTheWay = (
  tx: Tx,
  { memberId, since, most }: { readonly memberId: bigint; readonly since: Date; readonly most: number },
) =>
  findValue(tx)<Date>`
    select created_at from support.ticket where member_id = ${memberId} and created_at > ${since}
    order by created_at desc offset ${most - 1} limit 1`;

type DaySent = {
  readonly messages: number;
  readonly attachments: number;
  readonly oldest_at: Date | null;
  readonly oldest_file_at: Date | null;
};

/** The member's messages and files after `since`. Filtering tickets by `updated_at` is safe: a message updates it. */
async function countSent(tx: Tx, memberId: bigint, since: Date): Promise<DaySent> {
  return getRow(tx)<DaySent>`
    select count(distinct m.id)::int as messages, count(a.id)::int as attachments, min(m.created_at) as oldest_at,
      min(m.created_at) filter (where a.id is not null) as oldest_file_at
    from support.ticket t
    join support.message m on m.ticket_id = t.id and m.author = 'member' and m.created_at > ${since}
    left join support.attachment a on a.message_id = m.id
    where t.member_id = ${memberId} and t.updated_at > ${since}`;
}
