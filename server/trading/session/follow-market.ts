import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getFeed } from '#server/market/index.ts';
import { haltings } from '../core/session-events.ts';
import { findSessionWindow, findSkip } from '../core/session-window.ts';
import { updateSalesSettled } from '../execution/closing-sale-sql.ts';
import { listHaltsBetween } from '../halts/halt-trading.ts';
import { cancelHalted } from './cancel-trades.ts';
import { openSession } from './open-due-trades.ts';
import { runSession } from './run-session.ts';
import {
  findProgress,
  insertInitialProgress,
  type Progress,
  type SessionSnapshot,
  updateFollowed,
} from './session-sql.ts';
import { closeAndSettle, settleCarried } from './settle-due-trades.ts';

export type FollowOptions = {
  /** Trades or members processed per transaction. */
  readonly chunkSize?: number | undefined;
  /** Called before a session opens: false delays it, because work on earlier sessions is unfinished. */
  readonly mayOpen?: () => Promise<boolean>;
};

const always = () => Promise.resolve(true);

/**
 * Processes one step of the market clock: opens the session, decides plans, fills, checks stops, closes and settles.
 * Can resume after a crash anywhere: progress is written after the work, and filling a tick twice has no effect.
 *
 * @returns where the clock may skip to: 10 market minutes before the next opening, when nothing is left to settle
 */
export async function followMarket(
  context: Context,
  { chunkSize, mayOpen = always }: FollowOptions = {},
): Promise<{ skipTo?: Date }> {
  const opened = await openSession(context, await readSnapshot(context, chunkSize), mayOpen);
  if (opened.session.state === 'open') await runSession(context, opened);
  else for (const halting of haltings(opened)) await cancelHalted(context, opened, halting);
  if (context.config.venue === 'ccxt') await settleCarried(context, opened);
  const settled = await closeAndSettle(context, opened);
  // Here, not in a round with the exchange: it may be down by now, and what is settled would count as a residual.
  if (context.config.venue === 'ccxt') await updateSalesSettled(context.db, settled.session.day, context.now());
  await updateFollowed(context.db, settled.marketAt);
  const skipTo =
    settled.session.state === 'scheduled' && !settled.hasEnded && findSkip(settled.session, settled.marketAt);
  return skipTo ? { skipTo } : {};
}

/** Large enough for set-based SQL, small enough that members' calls hardly wait. */
const CHUNK_SIZE = 5000;

/** Reads the snapshot. The very first call also inserts the first session. */
export async function readSnapshot(context: Context, chunkSize = CHUNK_SIZE): Promise<SessionSnapshot> {
  const feed = await getFeed(context);
  const marketAt = new Date(feed.at);
  const found = (await findProgress(context.db)) ?? (await startProgress(context, marketAt));
  const halts = await listHaltsBetween(context.db, found.followedUntil, marketAt);
  return { marketAt, hasEnded: feed.ended, halts, chunkSize, ...found };
}

async function startProgress(context: Context, marketAt: Date): Promise<Progress> {
  const window = findSessionWindow(marketAt);
  // Trades may have been placed before the first run: a tick after their request opens them.
  const followedUntil = marketAt < window.opensAt ? marketAt : new Date(window.opensAt.getTime() - 1);
  await inTransaction(context.db, (tx) => insertInitialProgress(tx, window, followedUntil));
  const found = await findProgress(context.db);
  assert(found, 'one session is always current');
  return found;
}
