import type { TransactionsSeen } from '#server/db/transactions-seen.ts';

/** What is told from stored events, in this order. Balances, prices and the session are told as they are now. */
export const eventTopics = ['notification', 'trade', 'ticket'] as const;
export type EventTopic = (typeof eventTopics)[number];

/** What the database had committed when it was looked at. */
export type Snapshot = {
  /** When the database server started: a crash empties what is kept of events. */
  readonly startedAt: Date;
  readonly readAt: Date;
  readonly seen: TransactionsSeen;
};

/**
 * How far a socket was told everything. What one look found goes out as a message a topic; a socket that breaks between
 * two of them was told some topics up to a later moment than the others.
 */
export type Cursor = Omit<Snapshot, 'seen'> & { readonly seen: Readonly<Record<EventTopic, TransactionsSeen>> };

export const cursorAt = ({ startedAt, readAt, seen }: Snapshot): Cursor => ({
  startedAt,
  readAt,
  seen: { notification: seen, trade: seen, ticket: seen },
});

/** The same, but for one topic, which was told up to a later moment. */
export const withTold = (position: Cursor, topic: EventTopic, seen: TransactionsSeen): Cursor => ({
  ...position,
  seen: { ...position.seen, [topic]: seen },
});

/** `<started>.<read>.<seen>`, or with what was seen of each topic; instants in milliseconds, all numbers with 36 digits. */
export function writeCursor({ startedAt, readAt, seen }: Cursor): string {
  const packed = eventTopics.map((topic) => pack(seen[topic]));
  const parts = new Set(packed).size === 1 ? packed.slice(0, 1) : packed;
  return [startedAt.getTime().toString(36), readAt.getTime().toString(36), ...parts].join('.');
}

/** Undefined for a text that `writeCursor` never wrote: clients may send anything. */
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

/** Transactions that ran are written as how far they are from the first: there may be hundreds. */
function pack({ xmin, xmax, running }: TransactionsSeen): string {
  return `${xmin.toString(36)}:${(xmax - xmin).toString(36)}:${running.map((tx) => (tx - xmin).toString(36)).join(',')}`;
}

const MOST_TX = 2n ** 62n;

function unpack(text: string): TransactionsSeen | undefined {
  const [min, length, running, ...more] = text.split(':');
  if (min === undefined || length === undefined || running === undefined || more.length > 0) return undefined;
  const [xmin, width] = [readDigits(min), readDigits(length)];
  if (xmin === undefined || width === undefined || xmin < 1n || xmin + width > MOST_TX) return undefined;
  const distances = (running === '' ? [] : running.split(',')).map((digits) => readDigits(digits) ?? width);
  if (!distances.every((distance, index) => distance > (distances[index - 1] ?? -1n) && distance < width))
    return undefined;
  return { xmin, xmax: xmin + width, running: distances.map((distance) => xmin + distance) };
}

function readDigits(text: string): bigint | undefined {
  if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined;
  return [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}

/** Events are kept a minute longer than somebody may go on after. */
export const keptSeconds = 600;
const RESUMED_MS = (keptSeconds - 60) * 1000;

/** Whether everything that happened between two moments is still known: a restart of the server empties it, and it grows old. */
export function canGoOn(from: Omit<Snapshot, 'seen'>, to: Snapshot): boolean {
  const ageMs = to.readAt.getTime() - from.readAt.getTime();
  return from.startedAt.getTime() === to.startedAt.getTime() && ageMs >= 0 && ageMs <= RESUMED_MS;
}
