import { AcquireTimeout } from './semaphore.ts';

/** Codes of PostgreSQL, of a pooler and of the socket that mean: the server cannot do its work now, ask again. */
const GONE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08001',
  // What PgBouncer says when the server behind it is away.
  '08P01',
  // Too few resources, of them a full disk, memory and connections.
  '53000',
  '53100',
  '53200',
  '53300',
  // A standby, or a server that was made read-only: the name leads to another one soon, or this one is promoted.
  '25006',
]);
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

/** Codes of PostgreSQL for work that took longer than its pool allows (limits.ts). */
const PAST_LIMIT = new Set(['57014', '55P03', '25P03']);

/** Of a connection that was known to be lost before anything went out on it. */
const NEVER_SENT = 'is not queryable';

/** The connection was failed permanently, because PostgreSQL did not even say in time that a statement took too long. */
export class NoAnswer extends Error {
  constructor(ms: number) {
    super(`the database did not answer within ${ms} ms`);
  }
}

/** What commits was sent, and its answer never came: it may be done, or not. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a commit is not known', { cause });
  }
}

/** What the fault of a statement that commits means to who sent it: unless PostgreSQL answered, nobody knows. */
export function outcomeOf(error: unknown): unknown {
  const { severity, message } = error as { severity?: unknown; message: string };
  const isKnown = !isDatabaseGone(error) || severity === 'ERROR' || message.includes(NEVER_SENT);
  return isKnown ? error : new OutcomeUnknown(error);
}

/** True where the database is there, and others keep it busy or hold what is wanted: the reply is a 503. */
export function isPastLimit(error: unknown): boolean {
  return error instanceof AcquireTimeout || PAST_LIMIT.has((error as { code?: string } | null)?.code ?? '');
}

/** True for faults that pass by themselves: the reply is a 503, and jobs try again. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof NoAnswer || error instanceof OutcomeUnknown) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseGone);
  // Not every fault is an Error: pg-boss tells of copies.
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && GONE.has(code)) return true;
  return typeof message === 'string' && MESSAGES.some((part) => message.includes(part));
}
