import { AcquireTimeout } from './semaphore.ts';

/** Transient error codes of PostgreSQL, PgBouncer and sockets: the server is not available now. */
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
  // From PgBouncer, if the server behind it is down.
  '08P01',
  // Insufficient resources: disk, memory, connections.
  '53000',
  '53100',
  '53200',
  '53300',
  // A standby or read-only server: the name resolves to another one soon, or this one is promoted.
  '25006',
]);
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

/** PostgreSQL codes for work that exceeded the limits of its pool (limits.ts). */
const PAST_LIMIT = new Set(['57014', '55P03', '25P03']);

/** The connection was known to be lost before the statement was sent. */
const NEVER_SENT = 'is not queryable';

/** The connection was closed, because PostgreSQL did not even report a statement timeout in time. */
export class NoAnswer extends Error {
  constructor(ms: number) {
    super(`the database did not answer within ${ms} ms`);
  }
}

/** A commit was sent, but its reply never arrived: it may have succeeded or not. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a commit is not known', { cause });
  }
}

/** Classifies the error of a committing statement: unless PostgreSQL replied, its outcome is unknown. */
export function outcomeOf(error: unknown): unknown {
  const { severity, message } = error as { severity?: unknown; message: string };
  const isKnown = !isDatabaseGone(error) || severity === 'ERROR' || message.includes(NEVER_SENT);
  return isKnown ? error : new OutcomeUnknown(error);
}

/** Whether a row or another lock was held for too long. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

/** True if the database is available but busy, or a lock is held: the reply is a 503. */
export function isPastLimit(error: unknown): boolean {
  return error instanceof AcquireTimeout || PAST_LIMIT.has((error as { code?: string } | null)?.code ?? '');
}

/** True for transient faults: the reply is a 503, and jobs retry. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof NoAnswer || error instanceof OutcomeUnknown) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseGone);
  // Not every fault is an Error: pg-boss reports copies.
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && GONE.has(code)) return true;
  return typeof message === 'string' && MESSAGES.some((part) => message.includes(part));
}
