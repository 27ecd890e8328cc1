import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientConfig, type Pool, Query } from 'pg';
import { NoAnswer } from './faults.ts';
import { isPrepared } from './rows.ts';
import { Servers } from './servers.ts';

const READ_ONLY = '25006';

export type ServerClientConfig = ClientConfig & {
  /** Shared by the connections of a pool, so that one finds out for all; else those of the address alone. */
  readonly servers?: Servers;
};

/** A connection to the one of several servers that takes writes. */
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
    // Until a pool takes it over nobody else listens, and an error that nobody hears would end the process.
    this.on('error', () => {});
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) servers.outlive(age);
    });
  }

  /** Whether it was made before its server was found to take no writes any more. */
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

/** A server that takes no writes any more is not asked again over connections that were made before. */
export function leaveOutlived(pool: Pool): void {
  pool.on('release', (_error, client) => {
    if (client instanceof ServerClient && client.isOutlived) void client.end().catch(() => {});
  });
}

/**
 * Tries each server once, so that the start does not begin at a standby that is named first. Where none takes writes,
 * whoever asks next is told the fault.
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

/** What the pool hands on to each of its connections. */
export type ConnectionOptions = ServerClientConfig & {
  /** False: statements are not kept by name, because the next one may meet another connection. */
  readonly prepares?: boolean;
  /** After how long without an answer the connection is failed permanently; never, when left out. */
  readonly answerMs?: number;
};

/**
 * A connection that gives marked statements a name, by which PostgreSQL keeps them (PGlite only sees a comment), and that
 * is given up when an answer does not come: a machine that is gone says nothing, and whoever waits has to hear something.
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

  /** As the driver's own query with a name, which copies what it is given property by property first. */
  #queryByName(text: string, values: unknown[]): Promise<unknown> {
    const query = Object.assign(new Query(text, values), { name: nameOf(text) });
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
      super.query(query as never, settle as never);
    });
  }

  #limit(answer: Promise<unknown>, ms: number): void {
    // A process that was busy for as long reads what has come meanwhile, before it gives up.
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

/** A name belongs to one text for ever, on whatever connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}
