import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig, type Pool, Query } from 'pg';
import { NoAnswer } from './faults.ts';
import { isPrepared } from './rows.ts';
import { Servers } from './servers.ts';

const READ_ONLY = '25006';

export type ServerClientConfig = ClientConfig & {
  /** Shared by the connections of a pool, so that one detects a failover for all. */
  readonly servers?: Servers;
};

/** A connection to the one of several servers that accepts writes. */
export class ServerClient extends Client {
  readonly #servers: Servers;
  readonly #url: string;
  readonly #age: number;

  constructor({ connectionString = '', servers = new Servers(connectionString), ...config }: ServerClientConfig = {}) {
    const { url, age } = servers;
    super({ ...config, connectionString: url });
    this.#servers = servers;
    this.#url = url;
    this.#age = age;
    // Until a pool adds its listener, an unhandled error event would crash the process.
    this.on('error', () => {});
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) servers.outlive(age);
    });
  }

  /** Whether it was opened before its server stopped accepting writes. */
  get isOutlived(): boolean {
    return this.#age !== this.#servers.age;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads
  override connect(callback?: any): any {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(() => callback(), callback);
  }

  async #connect(): Promise<void> {
    try {
      await super.connect();
      if (this.#servers.mustWrite) await this.#refuseReadOnly();
    } catch (error) {
      this.#servers.passOver(this.#url);
      throw error;
    }
  }

  async #refuseReadOnly(): Promise<void> {
    const { rows } = await this.query('show transaction_read_only');
    if (rows[0].transaction_read_only === 'off') return;
    await this.end();
    throw Object.assign(new Error('this server takes no writes'), { code: READ_ONLY });
  }
}

/** Closes released connections to a server that no longer accepts writes. */
export function leaveOutlived(pool: Pool): void {
  pool.on('release', (_error, client) => {
    if (client instanceof ServerClient && client.isOutlived) void client.end().catch(() => {});
  });
}

/**
 * Tries each server once, so that the start does not use a standby that is listed first. If none accepts writes, the
 * next query fails.
 */
export async function findWriter(servers: Servers): Promise<void> {
  for (let left = servers.count; left > 0; left -= 1) {
    const client = new ServerClient({ servers });
    client.on('error', () => {});
    const found = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (found) return;
  }
}

/** Options that the pool passes to each connection. */
export type ConnectionOptions = ServerClientConfig & {
  /** False: no prepared statements, because the next one may run on another connection. */
  readonly prepares?: boolean;
  /** The connection is closed after this time without a reply; absent: never. */
  readonly answerMs?: number;
};

/**
 * A connection that prepares marked statements by name (for PGlite the mark is only a comment), and that is closed if a
 * reply does not arrive: a dead machine sends nothing, and callers must not wait forever.
 */
export class PreparingClient extends ServerClient {
  readonly #prepares: boolean;
  readonly #answerMs: number | undefined;
  constructor({ prepares = true, answerMs, ...config }: ConnectionOptions = {}) {
    super(config);
    this.#prepares = prepares;
    this.#answerMs = answerMs;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads end in any
  override query(config: any, values?: any, callback?: any): any {
    const isMarked = this.#prepares && typeof config === 'string' && isPrepared(config) && Array.isArray(values);
    const answer: unknown = isMarked ? this.#queryByName(config, values) : super.query(config, values, callback);
    if (this.#answerMs !== undefined && answer instanceof Promise) this.#limit(answer, this.#answerMs);
    return answer;
  }

  /** Like the driver's named query, without its copying of every property. */
  #queryByName(text: string, values: unknown[]): Promise<unknown> {
    const query = Object.assign(new Query(text, values), { name: nameOf(text) });
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
      super.query(query as never, settle as never);
    });
  }

  #limit(answer: Promise<unknown>, ms: number): void {
    // After blocking the event loop, replies that have already arrived are read first.
    const timer = setTimeout(() => setImmediate(() => !isAnswered && this.#giveUp(ms)), ms);
    let isAnswered = false;
    const end = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    answer.then(end, end);
  }

  #giveUp(ms: number): void {
    const { connection } = this as unknown as { connection: { stream: Duplex } };
    connection.stream.destroy(new NoAnswer(ms));
  }
}

const names = new Map<string, string>();

/** A name always stands for the same text, on every connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}
