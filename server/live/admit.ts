import { liveCloses } from '#contract/live/live-rules.ts';
import { listSessionEnds } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { type Cursor, canGoOn, cursorAt, eventTopics, readCursor, type Snapshot, writeCursor } from './cursor.ts';
import { listMissed, type Missed } from './event-sql.ts';
import type { Listener, Listeners } from './listener.ts';
import { addEvent, type Changes, noChanges, publishChanges, readChanges } from './publish-changes.ts';
import type { ShownMarket } from './show-market.ts';

/** A socket that has said who it is. */
export type Joining = {
  readonly listener: Listener;
  /** The position that it was told last, as it says itself. */
  readonly since: string | undefined;
  readonly isGone: () => boolean;
};

type House = { readonly listeners: Listeners; readonly snapshot: Snapshot; readonly market: ShownMarket };

/**
 * Lets sockets in, each told first what it missed up to this moment; the next looks tell it the rest. Their sign-ins are
 * looked at once more, after the moment: one that ends later is told by an event that the next look finds.
 */
export async function admit(context: Context, guests: readonly Joining[], house: House): Promise<void> {
  if (guests.length === 0) return;
  const ends = await listSessionEnds(context, [...new Set(guests.map(({ listener }) => listener.authSessionId))]);
  const entries = guests.map((guest) => ({ ...guest, from: resumed(guest.since, house.snapshot) }));
  const missed = await listMissed(context.db, entries.flatMap(topicsMissed), house.snapshot.seen);
  const changed = new Map<Listener, Changes>(
    entries.map(({ listener }) => [listener, { ...noChanges(), mayHaveBalance: true }]),
  );
  for (const event of missed) {
    const listener = entries[event.place]?.listener;
    const changes = listener && changed.get(listener);
    if (changes !== undefined) addEvent(changes, event);
  }
  const found = await readChanges(context, changed);
  // From here on nothing can fail, so that nobody is let in by halves.
  const { mostOfMember } = context.config.liveSockets;
  for (const { listener, since, from, isGone } of entries) {
    const endsAt = ends.get(listener.authSessionId);
    if (isGone()) continue;
    if (endsAt === undefined) listener.close(liveCloses.signedOut);
    else if (house.listeners.of(listener.memberId).length >= mostOfMember) listener.close(liveCloses.tooManyOfMember);
    else {
      listener.endsAtMs = endsAt.getTime();
      greet(listener, { since, from, house });
      publishChanges(listener, changed.get(listener) ?? noChanges(), found, {
        from: from ?? cursorAt(house.snapshot),
        to: house.snapshot,
      });
      house.listeners.add(listener);
    }
  }
}

/** Where a socket goes on, or undefined when what came after it is not known any more, or never was. */
function resumed(since: string | undefined, now: Snapshot): Cursor | undefined {
  const from = since === undefined ? undefined : readCursor(since);
  if (from === undefined || !canGoOn(from, now)) return undefined;
  return eventTopics.every((topic) => from.seen[topic].xmax <= now.seen.xmax) ? from : undefined;
}

function topicsMissed({ listener, from }: { listener: Listener; from: Cursor | undefined }, place: number): Missed[] {
  if (from === undefined) return [];
  const { memberId } = listener;
  const topics = eventTopics.filter((topic) => listener.wants(topic));
  return topics.map((topic) => ({ place, memberId, topic, seen: from.seen[topic] }));
}

/** Until it was told what it missed, a socket keeps its own position: it may break before. */
function greet(
  listener: Listener,
  { since, from, house }: { since: string | undefined; from: Cursor | undefined; house: House },
): void {
  const now = writeCursor(cursorAt(house.snapshot));
  listener.tell({ type: 'ready', position: since ?? now });
  if (since !== undefined && from === undefined) listener.tell({ type: 'resync', position: now });
  if (listener.wants('session')) listener.tell({ type: 'session', data: house.market.session });
  if (listener.wants('prices')) listener.show(house.market.frame);
}
