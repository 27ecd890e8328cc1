import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findMemberChunk } from '#server/ledger/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { addLifetimeResults, getBooked, insertEquity, updateBooked } from './booking-sql.ts';
import { findNextWindow } from './core/session-window.ts';
import { settledMessage } from './core/settled-message.ts';
import type { Moment } from './market-moment.ts';
import { insertSession, lockFollower, updateSettled } from './session-sql.ts';

/**
 * Closes the books of a session whose trades are all settled: every member's equity point, the results of all time, and
 * one message to each who traded. Members go by id; how far they are booked is written with each chunk, so that nobody
 * is booked or told twice. The last step settles the session and makes the next one current.
 */
export async function bookSession(context: Context, moment: Moment): Promise<void> {
  const { session, marketAt } = moment;
  let isMore = true;
  while (isMore) isMore = await bookChunk(context, moment);
  await inTransaction(context.db, async (tx) => {
    if (!(await lockFollower(tx, session))) return;
    if (await updateSettled(tx, session.day, marketAt)) await insertSession(tx, findNextWindow(session, marketAt));
  });
}

/** @returns whether there was one */
function bookChunk(context: Context, { session, chunkSize }: Moment): Promise<boolean> {
  const { day } = session;
  return inTransaction(context.db, async (tx) => {
    if (!(await lockFollower(tx, session))) return false;
    const after = await getBooked(tx, day);
    const upTo = await findMemberChunk(tx, after, chunkSize);
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
