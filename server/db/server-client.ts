import type { EventEmitter } from 'node:events';
import { Client, type ClientConfig, type Pool } from 'pg';
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
