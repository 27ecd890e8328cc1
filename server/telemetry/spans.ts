import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogEvent } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '#server/config.ts';
import { faultOf } from './describe-error.ts';

/** Span attributes, which must not contain user input, URLs, tokens or parameters. */
type Attributes = Readonly<Record<string, string | number>>;

export type SpanStart = {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** The parent span, or a received `traceparent`. */
  readonly parent: Span | string | undefined;
  readonly attributes: Attributes;
  /** Milliseconds since its start. */
  readonly agoMs?: number;
};

/** An open span. */
export type Span = {
  /** @param fault the error code, if it failed */
  readonly end: (fault?: string, attributes?: Attributes) => void;
};

export type Tracer = { readonly start: (start: SpanStart) => Span; readonly close: () => Promise<void> };

let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span | undefined>();

/** Loads the SDK and starts sending traces, if configured. Called before the database is opened. */
export async function openTracing(config: Config, log: Logger): Promise<void> {
  const { endpoint, service } = config.tracing;
  if (endpoint === undefined) return;
  const { sendSpans } = await import('./send-spans.ts');
  tracer = sendSpans(endpoint, service, log);
}

/** Sends the remaining spans, for a few seconds at most. */
export async function closeTracing(): Promise<void> {
  await tracer?.close();
  tracer = undefined;
}

export const isTracing = (): boolean => tracer !== undefined;

/** Undefined without tracing. */
export const startSpan = (start: SpanStart): Span | undefined => tracer?.start(start);

/** The current span; undefined outside one and without tracing. */
export const currentSpan = (): Span | undefined => (tracer === undefined ? undefined : current.getStore());

/** Runs `act`, and everything it starts, within a span. */
export const withSpan = <T>(span: Span | undefined, act: () => T): T =>
  tracer === undefined ? act() : current.run(span, act);

/** Runs work in a new span, as a child of the current one. */
export async function inSpan<T>(step: Omit<SpanStart, 'parent'>, run: () => Promise<T>): Promise<T> {
  const span = startSpan({ ...step, parent: currentSpan() });
  if (span === undefined) return run();
  try {
    const result = await withSpan(span, run);
    span.end();
    return result;
  } catch (error) {
    span.end(faultOf(error));
    throw error;
  }
}

const FIRST_WORD = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/;

/** Kysely options that trace each statement, empty without tracing. The statement text contains no parameters. */
export const traceStatements = (): { log?: (event: LogEvent) => void } =>
  tracer === undefined
    ? {}
    : {
        log: ({ query: { sql }, queryDurationMillis: agoMs, ...event }) => {
          const name = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? 'statement';
          const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql.replaceAll(/\s+/g, ' ').trim() };
          const span = startSpan({ name, kind: 'client', parent: currentSpan(), attributes, agoMs });
          span?.end(event.level === 'error' ? faultOf(event.error) : undefined);
        },
      };
