import type { Logger } from 'pino';
import type { z } from 'zod';
import { readText } from '#server/read-text.ts';
import { Refused } from '#server/refused.ts';
import { OutcomeUnknown } from './gateway.ts';
import { parseJson } from './read-body.ts';

/** The HTTP API of a gateway. */
export type GatewayServer = {
  /** For the log. */
  readonly name: string;
  /** Base URL of the calls' paths. */
  readonly base: string;
  /** Credentials, only ever sent to `base`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly log: Logger;
};

export type GatewayCall = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A call without a usable reply. */
export class CallFailed extends Error {
  /** HTTP status; null without a reply. */
  readonly status: number | null;
  /** Whether it is certain that the call changed nothing. */
  readonly isUndone: boolean;

  constructor(message: string, status: number | null, isUndone: boolean, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.isUndone = isUndone;
  }
}

/** Error bodies are truncated to this length before they are logged. */
const MAX_REASON = 300;

/**
 * Calls the API and parses the reply.
 * @throws CallFailed also for a 404, a redirect or a reply of another shape
 */
export async function callServer<Shape extends z.ZodType>(
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape>> {
  const name = `${call.method} ${call.path}`;
  const { status, text } = await send(server, call, name);
  if (status < 200 || status > 299) {
    const message = `${name} was answered with ${status}: ${text.slice(0, MAX_REASON)}`;
    throw new CallFailed(message, status, isRefusal(status));
  }
  const parsed = shape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CallFailed(`${name} was answered oddly: ${issue?.path.join('.')}: ${issue?.message}`, status, false);
}

/** The same for calls without side effects: logs any failure and refuses `gateway_unavailable`. */
export async function queryServer<Shape extends z.ZodType>(
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape>> {
  return orUnavailable(server, callServer(server, call, shape));
}

/** The same, but undefined for a 404. */
export async function findAtServer<Shape extends z.ZodType>(
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape> | undefined> {
  return orUnavailable(server, callServer(server, call, shape).catch(undefinedWhenMissing));
}

export const undefinedWhenMissing = (error: unknown): undefined => {
  if (error instanceof CallFailed && error.status === 404) return undefined;
  throw error;
};

/** The order of a payout: its outcome is unknown unless it certainly changed nothing. */
export const orUnknown = <T>(reference: string, called: Promise<T>): Promise<T> =>
  called.catch((error: unknown) => {
    if (error instanceof CallFailed && !error.isUndone)
      throw new OutcomeUnknown(`payout of ${reference}`, { cause: error });
    throw error;
  });

/** Logs the reason, for example a revoked key; the member only sees `gateway_unavailable`. */
export async function orUnavailable<T>(server: GatewayServer, called: Promise<T>): Promise<T> {
  try {
    return await called;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    server.log.warn({ err: error }, server.name);
    throw new Refused('gateway_unavailable');
  }
}

/** Does not follow redirects, so that credentials only reach the configured address. */
async function send(server: GatewayServer, call: GatewayCall, name: string): Promise<{ status: number; text: string }> {
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`;
  try {
    const response = await fetch(`${server.base}${call.path}${query}`, {
      method: call.method,
      headers: {
        ...server.headers,
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(server.timeoutMs),
    });
    return { status: response.status, text: await readText(response) };
  } catch (error) {
    throw new CallFailed(`${name} was not answered`, null, wasNeverSent(error), error);
  }
}

/** A client error means that nothing was done. Except 408: a proxy may send it after forwarding the call. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408;

const BEFORE_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** Without a connection the call cannot have arrived. */
function wasNeverSent(error: unknown): boolean {
  const { code, syscall } = ((error as Error).cause ?? {}) as { code?: string; syscall?: string };
  return syscall === 'connect' || (code !== undefined && BEFORE_CONNECTED.includes(code));
}
