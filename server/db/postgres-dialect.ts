import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import type { Pool } from 'pg';
import { outcomeOf } from './faults.ts';
import { type PoolLimits, serverLimits } from './limits.ts';
import type { PoolSemaphore } from './semaphore.ts';

type Options = {
  readonly pool: Pool;
  readonly limits?: PoolLimits;
  readonly semaphore?: PoolSemaphore;
};

/** Kysely's dialect for PostgreSQL with timeouts, and a limit of connections per caller. */
export class LimitedDialect extends PostgresDialect {
  readonly #options: Options;
  constructor(options: Options) {
    super(options);
    this.#options = options;
  }
  override createDriver(): Driver {
    return new LimitedDriver(this.#options);
  }
}

class LimitedDriver extends PostgresDriver {
  readonly #semaphore: PoolSemaphore | undefined;
  readonly #releases = new WeakMap<DatabaseConnection, () => void>();
  /** Connections with a read-only transaction, whose outcome is never unknown. */
  readonly #reading = new WeakSet<DatabaseConnection>();
  readonly #setLimits: string;

  constructor({ pool, limits, semaphore }: Options) {
    super({ pool });
    this.#semaphore = semaphore;
    const set = limits === undefined ? [] : serverLimits(limits);
    this.#setLimits = set.map(([name, ms]) => ` set local ${name} = ${ms};`).join('');
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#semaphore?.acquire();
    try {
      const connection = await super.acquireConnection();
      if (release !== undefined) this.#releases.set(connection, release);
      return connection;
    } catch (error) {
      release?.();
      throw error;
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const release = this.#releases.get(connection);
    this.#releases.delete(connection);
    await super.releaseConnection(connection as never);
    release?.();
  }

  /** Sends the limits with BEGIN in one round trip, because PgBouncer does not keep session settings. */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.accessMode === 'read only') this.#reading.add(connection);
    else this.#reading.delete(connection);
    if (this.#setLimits === '') return super.beginTransaction(connection, settings);
    const { isolationLevel, accessMode } = settings;
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    const begin = `start transaction${isolation}${accessMode === undefined ? '' : ` ${accessMode}`}`;
    await connection.executeQuery(CompiledQuery.raw(`${begin};${this.#setLimits}`));
  }

  /** @throws OutcomeUnknown if COMMIT was sent and its reply never arrived */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      throw this.#reading.has(connection) ? error : outcomeOf(error);
    }
  }

  /** A lost connection has rolled back by itself; the caller must get the original error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection as never).catch(() => {});
  }
}
