/** Codes of PostgreSQL and of the socket that mean: the server is not there now, ask again. */
const GONE = new Set([
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
  '53300',
]);
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
];

/** True for faults that pass by themselves: the reply is a 503, and jobs try again. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && GONE.has(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseGone);
  return MESSAGES.some((message) => error.message.includes(message));
}
