import type { TransactionsSeen } from '#server/db/transactions-seen.ts';

/** Topics that are sent from stored events, in this order. Balances, prices and the session are sent as they are now. */
export const eventTopics = ['notification', 'trade', 'ticket'] as const;
export type EventTopic = (typeof eventTopics)[number];

/** What the database had committed when it was read. */
export type Snapshot = {
  /** When the database server started: a crash empties the table of events, which has no write-ahead log. */
  readonly startedAt: Date;
  readonly readAt: Date;
  readonly seen: TransactionsSeen;
};

/**
 * What a socket has received. Each poll sends one message per topic; a socket that disconnects between two of them has
 * received some topics up to a later snapshot than the others.
 */
export type Cursor = Omit<Snapshot, 'seen'> & { readonly seen: Readonly<Record<EventTopic, TransactionsSeen>> };

export const cursorAt = ({ startedAt, readAt, seen }: Snapshot): Cursor => ({
  startedAt,
  readAt,
  seen: { notification: seen, trade: seen, ticket: seen },
});

/** The same, with one topic moved to a later snapshot. */
export const withSeen = (position: Cursor, topic: EventTopic, seen: TransactionsSeen): Cursor => ({
  ...position,
  seen: { ...position.seen, [topic]: seen },
});

/** `<started>.<read>.<seen>`, with one `<seen>` per topic if they differ; instants in milliseconds, numbers in base 36. */
export function writeCursor({ startedAt, readAt, seen }: Cursor): string {
  const packed = eventTopics.map((topic) => pack(seen[topic]));
  const parts = new Set(packed).size === 1 ? packed.slice(0, 1) : packed;
  return [startedAt.getTime().toString(36), readAt.getTime().toString(36), ...parts].join('.');
}

/** Undefined for any text that `writeCursor` cannot have written. */
export function readCursor(text: string): Cursor | undefined {
  const [started = '', read = '', ...packed] = text.split('.');
  const [startedMs, readMs] = [readDigits(started), readDigits(read)];
  const seen = packed.map(unpack);
  const [notification, trade = notification, ticket = notification] = seen;
  if (startedMs === undefined || readMs === undefined || (seen.length !== 1 && seen.length !== 3)) return undefined;
  if (notification === undefined || trade === undefined || ticket === undefined) return undefined;
  if (seen.includes(undefined)) return undefined;
  return { startedAt: instantOf(startedMs), readAt: instantOf(readMs), seen: { notification, trade, ticket } };
}

const LAST_INSTANT_MS = 8_640_000_000_000_000n;
const instantOf = (ms: bigint) => new Date(Number(ms < LAST_INSTANT_MS ? ms : LAST_INSTANT_MS));

/** Running transactions are written as offsets from `xmin`, because there may be hundreds. */
function pack({ xmin, xmax, running }: TransactionsSeen): string {
  return `${xmin.toString(36)}:${(xmax - xmin).toString(36)}:${running.map((tx) => (tx - xmin).toString(36)).join(',')}`;
}

const MAX_TX = 2n ** 62n;

function unpack(text: string): TransactionsSeen | undefined {
  const [min, length, running, ...more] = text.split(':');
  if (min === undefined || length === undefined || running === undefined || more.length > 0) return undefined;
  const [xmin, width] = [readDigits(min), readDigits(length)];
  if (xmin === undefined || width === undefined || xmin < 1n || xmin + width > MAX_TX) return undefined;
  const distances = (running === '' ? [] : running.split(',')).map((digits) => readDigits(digits) ?? width);
  if (!distances.every((distance, index) => distance > (distances[index - 1] ?? -1n) && distance < width))
    return undefined;
  return { xmin, xmax: xmin + width, running: distances.map((distance) => xmin + distance) };
}

function readDigits(text: string): bigint | undefined {
  if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined;
  return [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}

/** Events are stored a minute longer than a client may resume. */
export const retentionSeconds = 600;
const RESUMED_MS = (retentionSeconds - 60) * 1000;

/** Whether all events between two snapshots are still stored: not after a restart of the database, nor after `RESUMED_MS`. */
export function canResume(from: Omit<Snapshot, 'seen'>, to: Snapshot): boolean {
  const ageMs = to.readAt.getTime() - from.readAt.getTime();
  return from.startedAt.getTime() === to.startedAt.getTime() && ageMs >= 0 && ageMs <= RESUMED_MS;
}
