import type { LiveHandshake } from '#contract/live/live.ts';
import { type LiveTopic, liveCloses, liveHeartbeatMs } from '#contract/live/live-rules.ts';
import { findCaller, listSessionEnds } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { noteOutage } from '#server/db/outage.ts';
import { listMovedMembers, type MovementsRead } from '#server/ledger/index.ts';
import { admit, type JoiningListener } from './admit.ts';
import { type Connection, type ConnectionHandlers, LiveConnection, rejectedConnection } from './connection.ts';
import { canResume, cursorAt, type Snapshot, writeCursor } from './cursor.ts';
import { findSnapshot, listEvents, listEventsOf } from './event-sql.ts';
import { Listener, Listeners, type LiveSocket } from './listener.ts';
import { addEvent, type Changes, noChanges, publishChanges, readChanges } from './publish-changes.ts';
import { readMarket, type ShownMarket, showMarket } from './show-market.ts';
import { singleFlight } from './single-flight.ts';

/** The sockets of one process (docs/api.md, "Live updates"). */
export type Live = {
  /** Takes a socket that has just opened. */
  readonly connect: (socket: LiveSocket) => Connection;
  /** Publishes what was committed since the last poll, and accepts waiting sockets. */
  readonly poll: () => Promise<void>;
  /** To be called every second. */
  readonly tick: () => Promise<void>;
  /** How many sockets are open. */
  readonly countSockets: () => number;
};

const HEARTBEAT_SECONDS = liveHeartbeatMs / 1000;

export function openLive(context: Context): Live {
  const { db, config, log } = context;
  const listeners = new Listeners();
  const joining: JoiningListener[] = [];
  let sockets = 0;
  /** Spreads the heartbeats of sockets that join at the same time over different seconds. */
  let joined = 0;
  let snapshot: Snapshot | undefined;
  let movements: MovementsRead | undefined;
  let market: ShownMarket | undefined;

  const poll = singleFlight(async () => {
    if (listeners.isEmpty && joining.length === 0) {
      snapshot = undefined;
      movements = undefined;
      market = undefined;
      return;
    }
    // Assigned only after everything was published: after a fault the next poll finds the rest again.
    snapshot = snapshot === undefined ? await findSnapshot(db) : await follow(snapshot);
    market ??= await readMarket(context);
    const waiting = joining.splice(0);
    await admit(context, waiting, { listeners, snapshot, market }).catch((error: unknown) => {
      joining.unshift(...waiting);
      throw error;
    });
  });

  async function follow(before: Snapshot): Promise<Snapshot> {
    const { snapshot: now, events, crowded } = await listEvents(db, before.seen);
    if (!canResume(before, now)) {
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

  /** What happened meanwhile is unknown: pages fetch everything again, and the next tick checks every sign-in. */
  function startAnew(now: Snapshot): void {
    const position = writeCursor(cursorAt(now));
    for (const listener of listeners.all()) {
      listener.endsAtMs = context.now().getTime();
      listener.send({ type: 'resync', position });
    }
  }

  async function tick(): Promise<void> {
    const now = context.now();
    for (const listener of listeners.all()) listener.flush();
    try {
      await show();
    } finally {
      // After the prices, which age while they wait. Also during a database outage, which sockets survive.
      sendHeartbeats(now);
    }
    await closeEnded(now);
  }

  async function show(): Promise<void> {
    await poll();
    if (listeners.isEmpty) return;
    const shown = await readMarket(context);
    log.debug({ marketTime: shown.session.market_time }, 'prices shown');
    const before = market;
    // Sockets accepted meanwhile get these.
    market = shown;
    await showMarket(listeners, shown, before);
  }

  function sendHeartbeats(now: Date): void {
    if (snapshot === undefined) return;
    const message = { type: 'beat', position: writeCursor(cursorAt(snapshot)) } as const;
    for (const listener of listeners.all()) listener.heartbeat(now, message);
  }

  /** Closes the sockets of sign-ins that expired, for which there is no event. */
  async function closeEnded(now: Date): Promise<void> {
    const due = listeners.all().filter(({ endsAtMs }) => endsAtMs <= now.getTime());
    const ends = await listSessionEnds(context, [...new Set(due.map(({ authSessionId }) => authSessionId))]);
    for (const listener of due) {
      const endsAt = ends.get(listener.authSessionId);
      if (endsAt === undefined) listener.close(liveCloses.signedOut);
      else listener.endsAtMs = endsAt.getTime();
    }
  }

  async function accept(
    socket: LiveSocket,
    { token, topics, since }: LiveHandshake,
    isGone: () => boolean,
  ): Promise<Listener | undefined> {
    const caller = await findCaller(context, token);
    if (caller?.kind !== 'member') {
      socket.close(caller === undefined ? liveCloses.signedOut : liveCloses.notAllowed);
      return undefined;
    }
    const { memberId, authSessionId } = caller;
    const now = new Date(context.now().getTime() - (joined % HEARTBEAT_SECONDS) * 1000);
    joined += 1;
    const listener = new Listener(socket, { memberId, authSessionId, topics: shareTopics(topics), now });
    joining.push({ listener, since, isGone });
    void poll().catch((error: unknown) => reportFault(context, error));
    return listener;
  }

  const handlers: ConnectionHandlers = {
    accept,
    release: (listener) => {
      sockets -= 1;
      if (listener !== undefined) listeners.remove(listener);
    },
    report: (error) => reportFault(context, error),
  };

  function connect(socket: LiveSocket): Connection {
    if (sockets >= config.liveSockets.most) {
      socket.close(liveCloses.full);
      return rejectedConnection;
    }
    sockets += 1;
    return new LiveConnection(socket, handlers);
  }

  return { connect, poll, tick, countSockets: () => sockets };
}

const knownTopics = new Map<string, ReadonlySet<LiveTopic>>();

/** Nearly all sockets want the same, and there are a few dozen sets of topics at most. */
function shareTopics(topics: readonly LiveTopic[]): ReadonlySet<LiveTopic> {
  const sorted = [...new Set(topics)].sort();
  const shared = knownTopics.get(sorted.join()) ?? new Set(sorted);
  knownTopics.set(sorted.join(), shared);
  return shared;
}

/** For polls that nobody waits for: the next one, a second later, finds what this one did not. */
export function reportFault(context: Context, error: unknown): void {
  if (!noteOutage(context, error)) context.log.error({ err: error }, 'live update failed');
}
