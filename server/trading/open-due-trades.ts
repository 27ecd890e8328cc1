import { feeDefaults } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { listFrozenMembers } from '#server/identity/index.ts';
import { listAssets, listTicks } from '#server/market/index.ts';
import { type Fill, openingFills } from './core/fills.ts';
import { type Moment, readAgain, readMoment } from './market-moment.ts';
import { type Cancelling, type Chunk, cancelTrades, findQueuedChunk, lockQueued, openTrades } from './opening-sql.ts';
import { lockFollower, type SessionRow, updateOpened } from './session-sql.ts';

/**
 * Opens the session when its time has come and fills queued trades at the first tick after their request. Trades of an
 * asset that was switched off and of frozen members are cancelled instead, with the whole amount back. Exactly-once:
 * each chunk is one transaction, and what it opened is no longer queued.
 *
 * @returns the moment, with the session as it is now
 */
export async function openDueTrades(context: Context, at?: Moment): Promise<Moment> {
  const moment = await openSession(context, at ?? (await readMoment(context)));
  if (moment.session.state === 'open') await fillQueued(context, moment);
  return moment;
}

async function openSession(context: Context, moment: Moment): Promise<Moment> {
  if (moment.session.state !== 'scheduled' || moment.marketAt < moment.session.opensAt) return moment;
  await updateOpened(context.db, moment.session.day, moment.marketAt, feeDefaults);
  return readAgain(context, moment);
}

async function fillQueued(context: Context, moment: Moment): Promise<void> {
  const [assets, frozenMemberIds] = await Promise.all([listAssets(context.db), listFrozenMembers(context.db)]);
  const inactiveSymbols = assets.filter((asset) => !asset.active).map((asset) => asset.symbol);
  const spreads = new Map(assets.map((asset) => [asset.symbol, asset.spreadBps]));
  const ticks = await listTicks(context.db, { after: moment.followedUntil, upTo: moment.marketAt });
  const fills = openingFills(ticks, moment.session, spreads);
  await cancelQueued(context, moment, { inactiveSymbols, frozenMemberIds, venueDownBefore: undefined });
  await forEachQueuedChunk(context, moment, (chunk) => openChunk(context, moment.session, chunk, fills));
}

/** Gives back the whole amount of queued trades that cannot open. */
export async function cancelQueued(context: Context, moment: Moment, cancelling: Cancelling): Promise<void> {
  const isNothing = cancelling.inactiveSymbols.length === 0 && cancelling.frozenMemberIds.length === 0;
  if (isNothing && cancelling.venueDownBefore === undefined) return;
  await forEachQueuedChunk(context, moment, (chunk) =>
    inTransaction(context.db, async (tx) => {
      if (!(await lockFollower(tx, moment.session))) return;
      const locked = await lockQueued(tx, chunk);
      await cancelTrades(tx, locked, cancelling, moment.marketAt);
    }),
  );
}

function openChunk(context: Context, session: SessionRow, chunk: Chunk, fills: readonly Fill[]): Promise<void> {
  const tradeBps = (session.rates ?? feeDefaults).tradeBps;
  return inTransaction(context.db, async (tx) => {
    if (!(await lockFollower(tx, session))) return;
    const locked = await lockQueued(tx, chunk);
    await openTrades(tx, session.day, locked, fills, tradeBps);
  });
}

async function forEachQueuedChunk(
  { db }: Context,
  { chunkSize }: Moment,
  work: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  let chunk = await findQueuedChunk(db, 0n, chunkSize);
  while (chunk !== undefined) {
    await work(chunk);
    chunk = await findQueuedChunk(db, chunk.upTo, chunkSize);
  }
}
