import { setImmediate } from 'node:timers/promises';
import type { PGlite, Transaction as PGliteTransaction } from '@electric-sql/pglite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

/**
 * Kysely's own PGlite dialect shares one connection object between all callers, so an unrelated query runs inside
 * whatever transaction is open and is lost if that rolls back. Here each caller has its own connection, and PGlite's
 * lock serializes them (docs/decisions/0003-pglite-dialect.md).
 */
export class PGliteDialect implements Dialect {
  readonly #pglite: PGlite;
  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }
  createDriver(): Driver {
    return new PGliteDriver(this.#pglite);
  }
  createQueryCompiler() {
    return new PostgresQueryCompiler();
  }
  createAdapter() {
    return new PostgresAdapter();
  }
  createIntrospector(db: Kysely<unknown>) {
    return new PostgresIntrospector(db);
  }
}

class PGliteDriver implements Driver {
  readonly #pglite: PGlite;
  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }
  async init(): Promise<void> {
    await this.#pglite.waitReady;
  }
  async acquireConnection(): Promise<PGliteConnection> {
    return new PGliteConnection(this.#pglite);
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PGliteConnection).begin();
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PGliteConnection).end('commit');
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PGliteConnection).end('rollback');
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

class RolledBack extends Error {}

class PGliteConnection implements DatabaseConnection {
  readonly #pglite: PGlite;
  #tx: PGliteTransaction | undefined;
  #finish: ((how: 'commit' | 'rollback') => void) | undefined;
  #finished: Promise<void> | undefined;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await (this.#tx ?? this.#pglite).query<R>(query.sql, query.parameters as unknown[]);
    // The engine runs in this thread and never yields: a long run of queries would block incoming requests.
    await setImmediate();
    return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) };
  }

  // biome-ignore lint/correctness/useYield: PGlite cannot stream; the interface wants a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('PGlite cannot stream');
  }

  async begin(): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<'commit' | 'rollback'>();
    this.#finish = ended.resolve;
    this.#finished = this.#pglite
      .transaction(async (tx) => {
        this.#tx = tx;
        begun.resolve();
        if ((await ended.promise) === 'rollback') throw new RolledBack();
      })
      .catch((error: unknown) => {
        begun.reject(error);
        if (!(error instanceof RolledBack)) throw error;
      });
    // The caller gets the rejection of a failed COMMIT from end(); here it only must not be unhandled.
    this.#finished.catch(() => {});
    await begun.promise;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#finish?.(how);
    await this.#finished;
    this.#tx = undefined;
  }
}
