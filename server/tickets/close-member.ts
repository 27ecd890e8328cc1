import type { Tx } from '#server/db/connect.ts';
import { updateTicketsClosed } from './closing-sql.ts';

/** A step of closing an account: nobody is there any more to read an answer, so tickets that are open are closed with it. */
export const closeMemberTickets = (tx: Tx, memberId: bigint, now: Date): Promise<void> =>
  updateTicketsClosed(tx, memberId, now);
