import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { countSent, findTicketInTheWay, lockSender } from './day-limit-sql.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Holds what a member may write within 24 hours: messages stay for good, and so do their files. What one member sends at
 * the same moment is counted one after the other. The lock comes before that of the ticket.
 *
 * Refuses `too_many_requests`.
 */
export async function refuseTooMuch(tx: Tx, memberId: bigint, attachments: number, now: Date): Promise<void> {
  await lockSender(tx, memberId);
  const sent = await countSent(tx, memberId, dayBefore(now));
  const isOver =
    sent.messages >= ticketRules.messagesADay || sent.attachments + attachments > ticketRules.attachmentsADay;
  if (isOver) throw new Refused('too_many_requests', { retryAfterSeconds: secondsLeft(sent.oldest_at ?? now, now) });
}

/** Refuses `too_many_tickets` until the oldest of the last 20 is a day old. Under the lock of `refuseTooMuch`. */
export async function refuseTooManyTickets(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const oldestAt = await findTicketInTheWay(tx, { memberId, since: dayBefore(now), most: ticketRules.ticketsADay });
  if (oldestAt !== undefined) throw new Refused('too_many_tickets', { retryAfterSeconds: secondsLeft(oldestAt, now) });
}

const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS);

const secondsLeft = (since: Date, now: Date) =>
  Math.max(1, Math.ceil((since.getTime() + DAY_MS - now.getTime()) / 1000));
