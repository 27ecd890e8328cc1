import { strict as assert } from 'node:assert';
import type { Context } from '#server/context.ts';
import { inBatchTransaction, inTransaction, runWorkers } from '#server/db/tx.ts';
import { takeOverSpreads } from '#server/market/index.ts';
import { openingFills } from '../core/fills.ts';
import type { Instant, Spreads } from '../core/session-events.ts';
import { cancelQueued } from './cancel-trades.ts';
import {
  type Chunk,
  findQueuedChunk,
  hasQueuedTradesOfPlans,
  lockQueued,
  type Opening,
  openTrades,
} from './opening-sql.ts';
import { joinFollower, refreshSnapshot, type SessionRow, type SessionSnapshot, updateOpened } from './session-sql.ts';

/** Opens the session when it is due, under the newest fee plan and spreads. */
export async function openSession(
  context: Context,
  snapshot: SessionSnapshot,
  mayOpen: () => Promise<boolean>,
): Promise<SessionSnapshot> {
  if (snapshot.session.state !== 'scheduled' || snapshot.marketAt < snapshot.session.opensAt) return snapshot;
  if (!(await mayOpen())) return snapshot;
  await cancelDecidedBefore(context, snapshot);
  const { day } = snapshot.session;
  await inTransaction(context.db, async (tx) => {
    if (await updateOpened(tx, day, snapshot.marketAt)) await takeOverSpreads(tx, day);
  });
  return refreshSnapshot(context, snapshot);
}

/** Trades that a plan decided in an earlier session do not open in this one. */
async function cancelDecidedBefore(context: Context, snapshot: SessionSnapshot): Promise<void> {
  if (!(await hasQueuedTradesOfPlans(context.db))) return;
  await cancelQueued(context, snapshot, { planDecidedBefore: snapshot.session.opensAt });
}

/**
 * Opens the trades requested before an instant, at its ticks. Exactly once: each chunk is one transaction, and trades
 * it opened are no longer queued.
 */
export async function openQueued(
  context: Context,
  snapshot: SessionSnapshot,
  instant: Instant,
  spreads: Spreads,
): Promise<void> {
  const { session } = snapshot;
  assert(session.rates, 'an open session has its fee plan');
  const opening = {
    day: session.day,
    fills: openingFills(instant.ticks, session, spreads),
    tradeBps: session.rates.tradeBps,
    funding: context.config.venue === 'paper' ? 'paper' : 'treasury',
  } as const;
  await runWorkers<Chunk>(
    (last) => findQueuedChunk(context.db, last?.upTo ?? 0n, snapshot.chunkSize),
    (chunk) => openChunk(context, session, instant, chunk, opening),
  );
}

function openChunk(
  context: Context,
  session: SessionRow,
  instant: Instant,
  chunk: Chunk,
  opening: Opening,
): Promise<void> {
  return inBatchTransaction(context.db, async (tx) => {
    if (!(await joinFollower(tx, session, instant.at))) return;
    await openTrades(tx, await lockQueued(tx, chunk), opening);
  });
}
