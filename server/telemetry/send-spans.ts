import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Context as TraceContext, trace } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { faultOf } from './describe-error.ts';
import { currentSpan, type Span, type SpanStart, startSpan, type Tracer } from './spans.ts';

/** Maximum delay of a shutdown by a receiver that does not respond. */
const SEND_MS = 3000;
const EVERY_MS = 1000;
const NOT_TAKEN = 'traces are not taken';
const MAX_TEXT = 4000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** The only user of OpenTelemetry's SDK (docs/decisions/0021-traces.md). Loaded only if traces are sent. */
export function sendSpans(endpoint: string, service: string, log: Logger): Tracer {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    spanLimits: { attributeValueLengthLimit: MAX_TEXT },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logFaults(exporter, log),
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: SEND_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('tradewind', version);
  const contexts = new WeakMap<Span, TraceContext>();
  const contextOf = (parent: SpanStart['parent']): TraceContext => {
    if (parent === undefined) return ROOT_CONTEXT;
    if (typeof parent !== 'string') return contexts.get(parent) ?? ROOT_CONTEXT;
    const sent = parseTraceParent(parent);
    return sent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...sent, isRemote: true });
  };
  const stopFollowing = followCalls();
  return {
    start: ({ name, kind, parent, attributes, agoMs = 0 }) => {
      const above = contextOf(parent);
      // All times from one clock, so that no span starts before its parent.
      const options = { kind: KINDS[kind], attributes, startTime: performance.now() - agoMs };
      const otelSpan = tracer.startSpan(name, options, above);
      const span: Span = {
        end: (fault, last) => {
          if (last !== undefined) otelSpan.setAttributes(last);
          if (fault !== undefined) otelSpan.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
          otelSpan.end(performance.now());
        },
      };
      contexts.set(span, trace.setSpan(above, otelSpan));
      return span;
    },
    close: async () => {
      stopFollowing();
      // If the receiver is unavailable, remaining spans are lost and the shutdown continues.
      const sent = provider.shutdown().catch((error: unknown) => log.warn({ fault: faultOf(error) }, NOT_TAKEN));
      await Promise.race([sent, wait(SEND_MS, undefined, { ref: false })]);
    },
  };
}

/** Drops spans that cannot be sent, and logs this once until sending succeeds again. */
function logFaults(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  let isLogged = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isLost = result.code !== ExportResultCode.SUCCESS;
        if (isLost && !isLogged) log.warn({ fault: faultOf(result.error ?? {}) }, NOT_TAKEN);
        isLogged = isLost;
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

type Call = { readonly method: string; readonly origin: string | URL };

/** Traces calls to gateways, exchanges and price sources, as `fetch` reports them: the server, never the URL. */
function followCalls(): () => void {
  const spans = new WeakMap<object, Span>();
  const listeners: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      const { request } = message as { request: Call };
      const { hostname } = new URL(request.origin);
      const attributes = { 'http.request.method': request.method, 'server.address': hostname };
      const parent = currentSpan();
      const span = startSpan({ name: `${request.method} ${hostname}`, kind: 'client', parent, attributes });
      if (span !== undefined) spans.set(request, span);
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: Call; response: { statusCode: number } };
      const { statusCode: status } = response;
      spans.get(request)?.end(status < 400 ? undefined : `${status}`, { 'http.response.status_code': status });
    },
    'undici:request:error': (message) => {
      const { request, error } = message as { request: Call; error: unknown };
      spans.get(request)?.end(faultOf(error));
    },
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
  };
}
