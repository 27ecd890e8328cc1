import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogEvent } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { faultOf } from './describe-error.ts';

/** What a trace may say of a step: never a value that a person sent, an address, a token or a parameter. */
type Attributes = Readonly<Record<string, string | number>>;

export type SpanStart = {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** The step that it is a part of, or the `traceparent` that somebody sent. */
  readonly parent: Span | string | undefined;
  readonly attributes: Attributes;
  /** How long ago it began, in milliseconds. */
  readonly agoMs?: number;
};

/** One step of a trace, under way. */
export type Span = {
  /** @param fault its code, when it failed */
  readonly end: (fault?: string, attributes?: Attributes) => void;
};

export type Tracer = { readonly start: (start: SpanStart) => Span; readonly close: () => Promise<void> };

let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span | undefined>();

/** Loads the SDK and begins to send traces, if the settings say where to. Before the database is opened. */
export async function openTracing(config: Config, log: Logger): Promise<void> {
  const { endpoint, service } = config.tracing;
  if (endpoint === undefined) return;
  const { sendSpans } = await import('./send-spans.ts');
  tracer = sendSpans(endpoint, service, log);
}

/** Sends what is not sent yet; gives up after a few seconds when nobody takes it. */
export async function closeTracing(): Promise<void> {
  await tracer?.close();
  tracer = undefined;
}

export const isTracing = (): boolean => tracer !== undefined;

/** Undefined where nothing is traced. */
export const startSpan = (start: SpanStart): Span | undefined => tracer?.start(start);

/** The step in which this runs; undefined outside of one, and where nothing is traced. */
export const currentSpan = (): Span | undefined => (tracer === undefined ? undefined : current.getStore());

/** What is done in it, and all that it begins, is a part of that step. */
export const withSpan = <T>(span: Span | undefined, act: () => T): T =>
  tracer === undefined ? act() : current.run(span, act);

/** Runs a step: part of the one that it is called in, if there is one. */
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

/** What Kysely is told to do after each statement: nothing, where nothing is traced. The text has no parameter in it. */
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
