/** The only error properties that are logged: others contain statements, parameters and input. */
type Described = {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  /** The stack without its leading message. */
  readonly stack: string;
  readonly cause?: unknown;
  readonly errors?: unknown[];
};

/**
 * The form in which an error is logged. Databases and parsers quote invalid values, which may be secret, so quotations
 * are removed.
 *
 * @param hide removes other secrets from a text: the values of a failed request
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

/** Class 22 of PostgreSQL is invalid data: `invalid input syntax for type bigint: "…"`. */
const quotesValues = (error: Error, code: unknown): boolean =>
  error instanceof SyntaxError || (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code));

function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}

/** The code or class of an error, or of the first of several; never its text, which may quote secrets. */
export function faultOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors[0]);
  const { code, name } = error as { code?: unknown; name?: unknown };
  const word = [code, name].find((part) => typeof part === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(part));
  return typeof word === 'string' ? word : 'unknown';
}
