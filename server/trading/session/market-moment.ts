import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getFeed } from '#server/market/index.ts';
import type { HaltedStretch } from '../core/session-events.ts';
import { findSessionWindow } from '../core/session-window.ts';
import { listHaltsBetween } from '../halts/halt-sql.ts';
import { findProgress, insertBeginning, type Progress } from './session-sql.ts';

/** One look at the market clock, and where the session stands. Everything done for one step belongs to one moment. */
export type Moment = Progress & {
  readonly marketAt: Date;
  /** The recording is over: no later price will come. */
  readonly hasEnded: boolean;
  /**
   * Those that reach beyond what was followed. Read after the clock, which stands still while somebody halts trading: a halt
   * that is not among them begins at this market time or later.
   */
  readonly halts: readonly HaltedStretch[];
  /** Trades, or members, worked on in one transaction. */
  readonly chunkSize: number;
};

/** Enough to be set-based, few enough that members' own calls hardly wait. */
const CHUNK_SIZE = 5000;

/** Reads the moment; the first one ever also writes the first session's row. */
export async function readMoment(context: Context, chunkSize = CHUNK_SIZE): Promise<Moment> {
  const feed = await getFeed(context.db, context.config);
  const marketAt = new Date(feed.at);
  const found = (await findProgress(context.db)) ?? (await begin(context, marketAt));
  const halts = await listHaltsBetween(context.db, found.followedUntil, marketAt);
  return { marketAt, hasEnded: feed.ended, halts, chunkSize, ...found };
}

async function begin(context: Context, marketAt: Date): Promise<Progress> {
  const window = findSessionWindow(marketAt);
  // Nothing was followed before, but trades may have been placed: a tick after their request opens them.
  const followedUntil = marketAt < window.opensAt ? marketAt : new Date(window.opensAt.getTime() - 1);
  await inTransaction(context.db, (tx) => insertBeginning(tx, window, followedUntil));
  const found = await findProgress(context.db);
  assert(found, 'one session is always current');
  return found;
}

/** The same moment after the session changed its state. */
export async function readAgain(context: Context, moment: Moment): Promise<Moment> {
  const found = await findProgress(context.db);
  assert(found, 'one session is always current');
  return { ...moment, session: found.session };
}
