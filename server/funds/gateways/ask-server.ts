import type { Logger } from 'pino';
import type { z } from 'zod';
import { Refused } from '#server/refused.ts';

/** A server that a gateway asks. */
export type GatewayServer = {
  /** For the log. */
  readonly name: string;
  /** What the paths of calls stand below. */
  readonly base: string;
  /** Credentials: they go nowhere but to `base`. */
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

/** A call that came to nothing that can be used. */
export class CallFailed extends Error {
  /** Of the answer; null when none came. */
  readonly status: number | null;
  /** It is certain that the call changed nothing. */
  readonly isUndone: boolean;

  constructor(message: string, status: number | null, isUndone: boolean, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.isUndone = isUndone;
  }
}

/** Their words are cut here before they go to the log. */
const LONGEST_REASON = 300;

/**
 * One call, its reply read into a shape.
 * @throws CallFailed also for a 404, a redirection and a reply that has another shape
 */
export async function callServer<Shape extends z.ZodType>(
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape>> {
  const name = `${call.method} ${call.path}`;
  const { status, text } = await send(server, call, name);
  if (status < 200 || status > 299) {
    const message = `${name} was answered with ${status}: ${text.slice(0, LONGEST_REASON)}`;
    throw new CallFailed(message, status, isRefusal(status));
  }
  const parsed = shape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CallFailed(`${name} was answered oddly: ${issue?.path.join('.')}: ${issue?.message}`, status, false);
}

/** The same for calls that change nothing: refuses `gateway_unavailable` for whatever went wrong, and logs it. */
export async function askServer<Shape extends z.ZodType>(
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape>> {
  return orUnavailable(server, callServer(server, call, shape));
}

/** The same for what may not exist: undefined for a 404. */
export async function findAtServer<Shape extends z.ZodType>(
  server: GatewayServer,
  call: GatewayCall,
  shape: Shape,
): Promise<z.output<Shape> | undefined> {
  const called = callServer(server, call, shape).catch((error: unknown) => {
    if (error instanceof CallFailed && error.status === 404) return undefined;
    throw error;
  });
  return orUnavailable(server, called);
}

/** A key that was revoked looks like any silence to a member, so the reason goes to the log. */
export async function orUnavailable<T>(server: GatewayServer, called: Promise<T>): Promise<T> {
  try {
    return await called;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    server.log.warn({ err: error }, server.name);
    throw new Refused('gateway_unavailable');
  }
}

/** Credentials go nowhere but to the configured address: redirections are not followed. */
async function send(server: GatewayServer, call: GatewayCall, name: string): Promise<{ status: number; text: string }> {
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`;
  try {
    const answer = await fetch(`${server.base}${call.path}${query}`, {
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
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    throw new CallFailed(`${name} was not answered`, null, wasNeverSent(error), error);
  }
}

/** A refusal says that nothing was done. 408 does not: whatever stands between may say it after passing the call on. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408;

const BEFORE_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** There was no connection yet, so nothing can have arrived. */
function wasNeverSent(error: unknown): boolean {
  const { code, syscall } = ((error as Error).cause ?? {}) as { code?: string; syscall?: string };
  return syscall === 'connect' || (code !== undefined && BEFORE_CONNECTED.includes(code));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
