import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findMemberChunk } from '#server/ledger/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { addLifetimeResults, findBooked, insertEquity, updateBooked } from './booking-sql.ts';
import { findNextWindow } from './core/session-window.ts';
import { settledMessage } from './core/settled-message.ts';
import { insertSession, lockFollower, type SessionRow, updateSettled } from './session-sql.ts';

const CHUNK_MEMBERS = 5000;

/**
 * Closes the books of a session whose trades are all settled: every member's equity point, the results of all time, and
 * one message to each who traded. Members go by id; how far they are booked is written with each chunk, so that nobody
 * is booked or told twice. The last step settles the session and makes the next one current.
 */
export async function bookSession(context: Context, session: SessionRow, marketAt: Date): Promise<void> {
  while (await bookChunk(context, session.day)) {
    // each turn books one chunk
  }
  await inTransaction(context.db, async (tx) => {
    await lockFollower(tx);
    if (await updateSettled(tx, session.day, marketAt)) await insertSession(tx, findNextWindow(session, marketAt));
  });
}

/** @returns whether there was one */
function bookChunk(context: Context, day: string): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    await lockFollower(tx);
    const after = await findBooked(tx, day);
    if (after === undefined) return false;
    const upTo = await findMemberChunk(tx, after, CHUNK_MEMBERS);
    if (upTo === undefined) return false;
    await insertEquity(tx, day, { after, upTo });
    const summaries = await addLifetimeResults(tx, day, { after, upTo });
    await notifyMembers(
      tx,
      summaries.map(({ memberId, trades, result }) => ({
        memberId,
        kind: 'session_settled',
        message: settledMessage({ day, trades, result }),
      })),
    );
    await updateBooked(tx, day, upTo);
    return true;
  });
}
