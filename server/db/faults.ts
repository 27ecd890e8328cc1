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

/** True for faults that pass by themselves: the reply is a 503, and jobs try again. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseGone);
  // Not every fault is an Error: pg-boss tells of copies.
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && GONE.has(code)) return true;
  return typeof message === 'string' && MESSAGES.some((part) => message.includes(part));
}
