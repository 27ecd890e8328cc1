import { liveCloses } from '#contract/live/live-rules.ts';
import { listSessionEnds } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { type Cursor, canResume, cursorAt, eventTopics, readCursor, type Snapshot, writeCursor } from './cursor.ts';
import { listMissed, type Missed } from './event-sql.ts';
import type { Listener, Listeners } from './listener.ts';
import { addEvent, type Changes, noChanges, publishChanges, readChanges } from './publish-changes.ts';
import type { ShownMarket } from './show-market.ts';

/** A socket that has sent its handshake. */
export type JoiningListener = {
  readonly listener: Listener;
  /** The cursor of the last message that the client received, as it states. */
  readonly since: string | undefined;
  readonly isGone: () => boolean;
};

type LiveState = { readonly listeners: Listeners; readonly snapshot: Snapshot; readonly market: ShownMarket };

/**
 * Accepts sockets and first sends each what it missed up to the snapshot; later polls send the rest. Sign-ins are checked
 * again after the snapshot: if one ends later, the next poll finds its event.
 */
export async function admit(context: Context, joining: readonly JoiningListener[], state: LiveState): Promise<void> {
  if (joining.length === 0) return;
  const ends = await listSessionEnds(context, [...new Set(joining.map(({ listener }) => listener.authSessionId))]);
  const entries = joining.map((each) => ({ ...each, from: resumed(each.since, state.snapshot) }));
  const missed = await listMissed(context.db, entries.flatMap(topicsMissed), state.snapshot.seen);
  const changed = new Map<Listener, Changes>(
    entries.map(({ listener }) => [listener, { ...noChanges(), mayHaveBalance: true }]),
  );
  for (const event of missed) {
    const listener = entries[event.place]?.listener;
    const changes = listener && changed.get(listener);
    if (changes !== undefined) addEvent(changes, event);
  }
  const found = await readChanges(context, changed);
  // Nothing can fail from here on, so no socket is accepted halfway.
  const { maxOfMember } = context.config.liveSockets;
  for (const { listener, since, from, isGone } of entries) {
    const endsAt = ends.get(listener.authSessionId);
    if (isGone()) continue;
    if (endsAt === undefined) listener.close(liveCloses.signedOut);
    else if (state.listeners.of(listener.memberId).length >= maxOfMember) listener.close(liveCloses.tooManyOfMember);
    else {
      listener.endsAtMs = endsAt.getTime();
      sendReady(listener, { since, from, state });
      publishChanges(listener, changed.get(listener) ?? noChanges(), found, {
        from: from ?? cursorAt(state.snapshot),
        to: state.snapshot,
      });
      state.listeners.add(listener);
    }
  }
}

/** The cursor to resume from, or undefined when later events are no longer stored or the cursor is invalid. */
function resumed(since: string | undefined, now: Snapshot): Cursor | undefined {
  const from = since === undefined ? undefined : readCursor(since);
  if (from === undefined || !canResume(from, now)) return undefined;
  return eventTopics.every((topic) => from.seen[topic].xmax <= now.seen.xmax) ? from : undefined;
}

function topicsMissed({ listener, from }: { listener: Listener; from: Cursor | undefined }, place: number): Missed[] {
  if (from === undefined) return [];
  const { memberId } = listener;
  const topics = eventTopics.filter((topic) => listener.wants(topic));
  return topics.map((topic) => ({ place, memberId, topic, seen: from.seen[topic] }));
}

/** A resumed socket keeps its own cursor until it received what it missed, because it may disconnect before. */
function sendReady(
  listener: Listener,
  { since, from, state }: { since: string | undefined; from: Cursor | undefined; state: LiveState },
): void {
  const now = writeCursor(cursorAt(state.snapshot));
  listener.send({ type: 'ready', position: since ?? now });
  if (since !== undefined && from === undefined) listener.send({ type: 'resync', position: now });
  if (listener.wants('session')) listener.send({ type: 'session', data: state.market.session });
  if (listener.wants('prices')) listener.sendPrices(state.market.frame);
}
