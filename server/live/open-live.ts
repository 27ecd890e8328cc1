import type { LiveHandshake } from '#contract/live/live.ts';
import { type LiveTopic, liveCloses, liveHeartbeatMs } from '#contract/live/live-rules.ts';
import { findCaller, listSessionEnds } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { noteOutage } from '#server/db/outage.ts';
import { listMovedMembers, type MovementsRead } from '#server/ledger/index.ts';
import { admit, type Joining } from './admit.ts';
import { canGoOn, cursorAt, type Snapshot, writeCursor } from './cursor.ts';
import { findSnapshot, listEvents, listEventsOf } from './event-sql.ts';
import { type Door, type Guest, turnedAway, Visitor } from './guest.ts';
import { type Line, Listener, Listeners } from './listener.ts';
import { addEvent, type Changes, noChanges, publishChanges, readChanges } from './publish-changes.ts';
import { readMarket, type ShownMarket, showMarket } from './show-market.ts';
import { singleFlight } from './single-flight.ts';

/** The sockets of one process (docs/api.md, "Live updates"). */
export type Live = {
  /** A socket that has opened and said nothing yet. */
  readonly meet: (line: Line) => Guest;
  /** Publishes what was committed since the last look, and admits who waits. */
  readonly look: () => Promise<void>;
  /** What is to be done every second. */
  readonly tick: () => Promise<void>;
  /** How many sockets are open. */
  readonly countSockets: () => number;
};

const HEARTBEAT_SECONDS = liveHeartbeatMs / 1000;

export function openLive(context: Context): Live {
  const { db, config, log } = context;
  const listeners = new Listeners();
  const joining: Joining[] = [];
  let sockets = 0;
  /** Sockets that come in one moment have their heartbeats in different seconds. */
  let joined = 0;
  let snapshot: Snapshot | undefined;
  let movements: MovementsRead | undefined;
  let market: ShownMarket | undefined;

  const look = singleFlight(async () => {
    if (listeners.isEmpty && joining.length === 0) {
      snapshot = undefined;
      movements = undefined;
      market = undefined;
      return;
    }
    // Not before all was told: what a fault leaves untold is found again by the next look.
    snapshot = snapshot === undefined ? await findSnapshot(db) : await follow(snapshot);
    market ??= await readMarket(context);
    const guests = joining.splice(0);
    await admit(context, guests, { listeners, snapshot, market }).catch((error: unknown) => {
      joining.unshift(...guests);
      throw error;
    });
  });

  async function follow(before: Snapshot): Promise<Snapshot> {
    const { snapshot: now, events, crowded } = await listEvents(db, before.seen);
    if (!canGoOn(before, now)) {
      movements = undefined;
      startAnew(now);
      return now;
    }
    const changed = new Map<Listener, Changes>();
    const changesOf = (listener: Listener) => {
      const changes = changed.get(listener) ?? noChanges();
      changed.set(listener, changes);
      return changes;
    };
    for (const event of [...events, ...(await listEventsOf(db, crowded, listeners.memberIds))]) {
      for (const listener of listeners.of(event.memberId)) {
        if (event.kind !== 'sign_out') addEvent(changesOf(listener), event);
        else if (event.subjectId === listener.authSessionId) listener.close(liveCloses.signedOut);
      }
    }
    const { memberIds, read } = await listMovedMembers(db, movements);
    const moved = memberIds === null ? listeners.all() : memberIds.flatMap((memberId) => listeners.of(memberId));
    for (const listener of moved) changesOf(listener).mayHaveBalance = true;
    const found = await readChanges(context, changed);
    const stretch = { from: cursorAt(before), to: now };
    for (const [listener, changes] of changed) publishChanges(listener, changes, found, stretch);
    movements = read;
    return now;
  }

  /** Nobody knows what happened meanwhile: pages ask for everything, and every sign-in is looked at by the next tick. */
  function startAnew(now: Snapshot): void {
    const position = writeCursor(cursorAt(now));
    for (const listener of listeners.all()) {
      listener.endsAtMs = context.now().getTime();
      listener.tell({ type: 'resync', position });
    }
  }

  async function tick(): Promise<void> {
    const now = context.now();
    for (const listener of listeners.all()) listener.passOn();
    try {
      await show();
    } finally {
      // After the prices, which are older the longer they wait; in an outage, too, for sockets outlast one.
      beat(now);
    }
    await closeEnded(now);
  }

  async function show(): Promise<void> {
    await look();
    if (listeners.isEmpty) return;
    const shown = await readMarket(context);
    log.debug({ marketTime: shown.session.market_time }, 'prices shown');
    const before = market;
    // Who is let in meanwhile is shown these.
    market = shown;
    await showMarket(listeners, shown, before);
  }

  function beat(now: Date): void {
    if (snapshot === undefined) return;
    const message = { type: 'beat', position: writeCursor(cursorAt(snapshot)) } as const;
    for (const listener of listeners.all()) listener.heartbeat(now, message);
  }

  /** Sign-ins that ended because nobody used them, which nobody writes down. */
  async function closeEnded(now: Date): Promise<void> {
    const due = listeners.all().filter(({ endsAtMs }) => endsAtMs <= now.getTime());
    const ends = await listSessionEnds(context, [...new Set(due.map(({ authSessionId }) => authSessionId))]);
    for (const listener of due) {
      const endsAt = ends.get(listener.authSessionId);
      if (endsAt === undefined) listener.close(liveCloses.signedOut);
      else listener.endsAtMs = endsAt.getTime();
    }
  }

  async function invite(
    line: Line,
    { token, topics, since }: LiveHandshake,
    isGone: () => boolean,
  ): Promise<Listener | undefined> {
    const caller = await findCaller(context, token);
    if (caller?.kind !== 'member') {
      line.close(caller === undefined ? liveCloses.signedOut : liveCloses.notAllowed);
      return undefined;
    }
    const { memberId, authSessionId } = caller;
    const now = new Date(context.now().getTime() - (joined % HEARTBEAT_SECONDS) * 1000);
    joined += 1;
    const listener = new Listener(line, { memberId, authSessionId, topics: shareTopics(topics), now });
    joining.push({ listener, since, isGone });
    void look().catch((error: unknown) => reportFault(context, error));
    return listener;
  }

  const door: Door = {
    invite,
    see: (leaving) => {
      sockets -= 1;
      if (leaving !== undefined) listeners.remove(leaving);
    },
    report: (error) => reportFault(context, error),
  };

  function meet(line: Line): Guest {
    if (sockets >= config.liveSockets.most) {
      line.close(liveCloses.full);
      return turnedAway;
    }
    sockets += 1;
    return new Visitor(line, door);
  }

  return { meet, look, tick, countSockets: () => sockets };
}

const knownTopics = new Map<string, ReadonlySet<LiveTopic>>();

/** Nearly all sockets want the same, and there are a few dozen sets of topics at most. */
function shareTopics(topics: readonly LiveTopic[]): ReadonlySet<LiveTopic> {
  const sorted = [...new Set(topics)].sort();
  const shared = knownTopics.get(sorted.join()) ?? new Set(sorted);
  knownTopics.set(sorted.join(), shared);
  return shared;
}

/** For looks that nobody waits for: the next one, a second later, finds what this one did not. */
export function reportFault(context: Context, error: unknown): void {
  if (!noteOutage(context, error)) context.log.error({ err: error }, 'live update failed');
}
