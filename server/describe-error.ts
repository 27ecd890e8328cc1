/** Of an error's properties the only ones that are logged: others hold statements, parameters and what was sent. */
type Described = {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  /** Where it happened, without the message that begins a stack. */
  readonly stack: string;
  readonly cause?: unknown;
  readonly errors?: unknown[];
};

/**
 * An error as it is logged. Databases and parsers quote the value they could not read, which may be somebody's secret:
 * there the quotation goes, and what is left names the fault.
 *
 * @param hide takes out of a text what else must not be read: the values of a request, when one failed
 */
export function describeError(error: unknown, hide: (text: string) => string = (text) => text): unknown {
  if (!(error instanceof Error)) return hide(String(error));
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const message = quotesValues(error, code) ? error.message.replaceAll(/"[^"]*"|'[^']*'/g, '"…"') : error.message;
  const described: Described = {
    type: error.name,
    message: hide(message),
    code,
    constraint,
    stack: framesOf(error),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause, hide) }),
    ...(error instanceof AggregateError ? { errors: error.errors.map((part) => describeError(part, hide)) } : {}),
  };
  return described;
}

/** Class 22 of PostgreSQL is data it could not take: `invalid input syntax for type bigint: "…"`. */
const quotesValues = (error: Error, code: unknown): boolean =>
  error instanceof SyntaxError || (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code));

function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}

/** The code of a fault, or its class; never its text, which may quote values that nobody should read. */
export function faultOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const word = [code, name].find((part) => typeof part === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(part));
  return typeof word === 'string' ? word : 'unknown';
}
