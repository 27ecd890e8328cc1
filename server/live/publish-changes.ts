import type { LiveMessage } from '#contract/live/live.ts';
import { toDollars } from '#contract/money.ts';
import type { TradeState } from '#contract/trading/trade.ts';
import type { Context } from '#server/context.ts';
import { listWallets, type Wallets } from '#server/ledger/index.ts';
import { listNews, type News } from '#server/notify/index.ts';
import { listTradeStates } from '#server/trading/index.ts';
import { type Cursor, cursorAt, type EventTopic, eventTopics, type Snapshot, withSeen, writeCursor } from './cursor.ts';
import type { MemberEvent } from './event-sql.ts';
import type { Listener } from './listener.ts';

/** What to send to one socket: ids of what changed. Its current state is read just before sending. */
export type Changes = {
  mayHaveBalance: boolean;
  readonly notifications: Set<bigint>;
  hasRead: boolean;
  readonly trades: Set<bigint>;
  readonly tickets: Set<bigint>;
};

export const noChanges = (): Changes => ({
  mayHaveBalance: false,
  notifications: new Set(),
  hasRead: false,
  trades: new Set(),
  tickets: new Set(),
});

export function addEvent(changes: Changes, { kind, subjectId }: MemberEvent): void {
  if (kind === 'notification') changes.notifications.add(subjectId);
  if (kind === 'read') changes.hasRead = true;
  if (kind === 'trade') changes.trades.add(subjectId);
  if (kind === 'ticket') changes.tickets.add(subjectId);
}

/** With more trades at once the message names none, and the client reloads its list. */
const MAX_TRADES = 100;

type Found = {
  readonly news: ReadonlyMap<bigint, News>;
  readonly trades: ReadonlyMap<bigint, TradeState>;
  readonly wallets: ReadonlyMap<bigint, Wallets>;
};

/** Reads the current state of everything that changed, with one query per table for all sockets. */
export async function readChanges({ db }: Context, changed: ReadonlyMap<Listener, Changes>): Promise<Found> {
  const ofMembers = Map.groupBy(changed, ([listener]) => listener.memberId);
  const wanted = new Map<bigint, bigint[]>();
  const tradeIds = new Set<bigint>();
  const walletsOf: bigint[] = [];
  for (const [memberId, entries] of ofMembers) {
    if (entries.some(([listener, changes]) => wantsNews(listener, changes))) {
      wanted.set(memberId, [...new Set(entries.flatMap(([, { notifications }]) => [...notifications]))]);
    }
    for (const [listener, { trades }] of entries) {
      if (listener.wants('trade') && trades.size <= MAX_TRADES) for (const id of trades) tradeIds.add(id);
    }
    if (entries.some(([listener, { mayHaveBalance }]) => mayHaveBalance && listener.wants('balance'))) {
      walletsOf.push(memberId);
    }
  }
  const [news, trades, wallets] = await Promise.all([
    listNews(db, wanted),
    listTradeStates(db, [...tradeIds]),
    walletsOf.length === 0 ? [] : listWallets(db, walletsOf),
  ]);
  return { news, trades, wallets: new Map(wallets.map((row) => [row.memberId, row])) };
}

const wantsNews = (listener: Listener, { notifications, hasRead }: Changes): boolean =>
  listener.wants('notification') && (notifications.size > 0 || hasRead);

type Unplaced = LiveMessage extends infer M ? (M extends { position: string } ? Omit<M, 'position'> : never) : never;

/**
 * Sends one socket its changes between two snapshots. It may disconnect between any two messages, so each carries a cursor
 * with the topics sent so far: a client that resumes receives the rest, and nothing twice.
 */
export function publishChanges(
  listener: Listener,
  changes: Changes,
  found: Found,
  { from, to }: { readonly from: Cursor; readonly to: Snapshot },
): void {
  const messages = eventTopics.flatMap((topic) => {
    const message = listener.wants(topic) ? messageOf[topic](listener, changes, found) : undefined;
    return message === undefined ? [] : [{ topic, message }];
  });
  const last = messages.pop();
  let cursor = from;
  for (const { topic, message } of messages) {
    cursor = withSeen(cursor, topic, to.seen);
    listener.send(withPosition(message, writeCursor(cursor)));
  }
  const position = writeCursor(cursorAt(to));
  if (last !== undefined) listener.send(withPosition(last.message, position));
  const balance =
    changes.mayHaveBalance && listener.wants('balance') ? found.wallets.get(listener.memberId) : undefined;
  if (balance !== undefined) publishBalance(listener, balance, position);
}

const withPosition = (message: Unplaced, position: string): LiveMessage => ({ ...message, position }) as LiveMessage;

const messageOf: Readonly<
  Record<EventTopic, (listener: Listener, changes: Changes, found: Found) => Unplaced | undefined>
> = {
  notification: (listener, changes, { news }) => {
    const found = wantsNews(listener, changes) ? news.get(listener.memberId) : undefined;
    if (found === undefined) return undefined;
    const ids = [...changes.notifications].sort((one, other) => Number(one - other));
    const added = ids.flatMap((id) => found.notifications.get(id) ?? []);
    return { type: 'notification', data: { added, unread: found.unread } };
  },
  trade: (_listener, { trades }, found) => {
    if (trades.size === 0) return undefined;
    if (trades.size > MAX_TRADES) return { type: 'trade', data: { trades: null } };
    const states = [...trades].flatMap((id) => {
      const state = found.trades.get(id);
      return state === undefined ? [] : [{ id: id.toString(), state }];
    });
    return { type: 'trade', data: { trades: states } };
  },
  ticket: (_listener, { tickets }) =>
    tickets.size === 0 ? undefined : { type: 'ticket', data: { ids: [...tickets].map(String) } },
};

function publishBalance(listener: Listener, { primary, profit }: Wallets, position: string): void {
  const balance = `${primary}/${profit}`;
  if (balance === listener.lastBalance) return;
  listener.lastBalance = balance;
  const data = { primary_wallet: toDollars(primary), profit_wallet: toDollars(profit) };
  listener.send({ type: 'balance', position, data });
}
