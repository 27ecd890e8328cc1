import { createHash } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findMemberChunk } from '#server/ledger/index.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { blockOf, type MemberBlock, manifestText } from '../core/manifest.ts';
import { findNextWindow } from '../core/session-window.ts';
import { settledMessage } from '../core/settled-message.ts';
import { addLifetimeResults, getBooked, insertEquity } from './booking-sql.ts';
import { insertBlock, readManifest } from './manifest-sql.ts';
import type { Moment } from './market-moment.ts';
import { insertSession, joinFollower, lockFollower, type SessionRow, updateSettled } from './session-sql.ts';
import { workInLanes } from './workers.ts';

/**
 * Closes the books of a session whose trades are all settled: every member's equity point, the results of all time, and
 * one message to each who traded. Members go in blocks by id; that a block is booked is written with it, so that nobody
 * is booked or told twice. The last step settles the session with its manifest and makes the next one current.
 */
export async function bookSession(context: Context, { session, marketAt }: Moment): Promise<void> {
  await workInLanes<MemberBlock>(
    (last) => findBlock(context.db, last),
    (block) => bookBlock(context, session, block),
  );
  await inTransaction(context.db, async (tx) => {
    if (!(await lockFollower(tx, session))) return;
    const text = manifestText({ day: session.day, rates: session.rates, ...(await readManifest(tx, session.day)) });
    const manifestHash = createHash('sha256').update(text).digest('hex');
    if (await updateSettled(tx, session.day, marketAt, manifestHash))
      await insertSession(tx, findNextWindow(session, marketAt));
  });
}

/** The next block that has a member. */
async function findBlock(db: Db, last: MemberBlock | undefined): Promise<MemberBlock | undefined> {
  const memberId = await findMemberChunk(db, last?.upTo ?? 0n, 1);
  return memberId === undefined ? undefined : blockOf(memberId);
}

function bookBlock(context: Context, session: SessionRow, block: MemberBlock): Promise<void> {
  const { day } = session;
  return inTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, session))) return;
    if (!(await insertBlock(tx, day, block))) return;
    const booked = await getBooked(tx, day);
    const range = { after: booked > block.after ? booked : block.after, upTo: block.upTo };
    await insertEquity(tx, day, range);
    const summaries = await addLifetimeResults(tx, day, range);
    await notifyMembers(
      tx,
      summaries.map(({ memberId, trades, result }) => ({
        memberId,
        kind: 'session_settled',
        message: settledMessage({ day, trades, result }),
      })),
    );
  });
}
