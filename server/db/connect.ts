import type { PGlite } from '@electric-sql/pglite';
import { Kysely, type Transaction } from 'kysely';
import pg, { Pool, type PoolConfig, TypeOverrides } from 'pg';
import type { Config } from '#server/config.ts';
import { traceStatements } from '#server/telemetry/spans.ts';
import { describeFileFault, lockFolder } from './folder-lock.ts';

export { FolderInUse } from './folder-lock.ts';

import { answerMs, type DatabaseLimits, type PoolLimits, serverLimits } from './limits.ts';
import { PGliteDialect } from './pglite-dialect.ts';
import { LimitedDialect } from './postgres-dialect.ts';
import { PoolSemaphore } from './semaphore.ts';
import { type ConnectionOptions, findWriter, leaveOutlived, PreparingClient, ServerClient } from './server-client.ts';
import { Servers } from './servers.ts';

/** Queries are plain SQL (`sql<Row>\`…\``), so no table types are declared here. */
export type Db = Kysely<unknown>;
/** An open transaction. Queries that run inside or outside one take a `Db`. */
export type Tx = Transaction<unknown>;

export type Database = {
  /** For requests: short limits, because a client is waiting. */
  readonly db: Db;
  /** For jobs, checks and the start, which may take minutes. The same as `db` without limits. */
  readonly jobs: Db;
  /** Reserved for probes and the console's overview, which must respond when all other connections are in use. */
  readonly reserved: Db;
  readonly engine: 'pglite' | 'postgres';
  /** The underlying driver of `db`, for metrics. Exactly one of the two is set. */
  readonly pglite?: PGlite;
  readonly pool?: Pool;
  /** The configuration for another pool to the same servers: that of pg-boss. */
  readonly pooled?: PoolConfig;
  /** Direct connections, which keep session state (LISTEN), past any pooler. */
  readonly sessions?: Servers;
  /** Requests waiting for a connection of `db`. */
  readonly countWaiting?: () => number;
  /** Runs a script of several statements, without parameters and without a time limit. */
  readonly runScript: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const BYTEA = 17;
const INT8 = 20;
const INT8_ARRAY = 1016;

/** int8 is a BigInt and bytea a Buffer on both engines; all other types agree already. */
const parseInt8 = (text: string) => BigInt(text);
const parseBytea = (text: string) => Buffer.from(text.slice(2), 'hex');

/** The PostgreSQL servers, and what their connections support. */
type Target = {
  readonly url: string;
  readonly servers: Servers;
  readonly sessions: Servers;
  /** False behind a transaction pooler: connections keep neither prepared statements nor settings. */
  readonly prepares: boolean;
};

function targetOf(url: string, listenUrl = url, prepares = true): Target {
  const servers = new Servers(url);
  return { url, servers, sessions: listenUrl === url ? servers : new Servers(listenUrl), prepares };
}

/** One pool for everything, without time limits, for tests and benchmarks. */
export function connectPostgres(url: string, options: PoolConfig = {}): Database {
  const target = targetOf(url);
  const pool = openPool(target, options);
  const db = new Kysely<unknown>({ dialect: new LimitedDialect({ pool }), ...traceStatements() });
  return { db, jobs: db, reserved: db, engine: 'postgres', pool, ...besides(target), close: () => db.destroy() };
}

/** The same, to the server that accepts writes, even if others are down or listed first. */
export async function connectWriter(url: string, options: PoolConfig): Promise<Database> {
  const database = connectPostgres(url, options);
  await findWriter(database.sessions as Servers);
  return database;
}

/** A pool for each purpose, with its limits. Connections are opened on demand. */
function connectLimited(target: Target, limits: DatabaseLimits): Database {
  const open = (of: PoolLimits, semaphore?: PoolSemaphore) => {
    const pool = openLimited(target, of);
    return {
      pool,
      db: new Kysely<unknown>({
        dialect: new LimitedDialect({ pool, limits: of, ...(semaphore && { semaphore }) }),
        ...traceStatements(),
      }),
    };
  };
  const semaphore = new PoolSemaphore(limits.requests);
  const { pool, db } = open(limits.requests, semaphore);
  const [jobs, reserved] = [open(limits.jobs).db, open(limits.reserved).db];
  const close = async () => void (await Promise.all([db, jobs, reserved].map((one) => one.destroy())));
  const countWaiting = () => pool.waitingCount + semaphore.waiting;
  return { db, jobs, reserved, engine: 'postgres', pool, countWaiting, ...besides(target), close };
}

const openLimited = (target: Target, limits: PoolLimits): Pool =>
  openPool(target, {
    max: limits.connections,
    connectionTimeoutMillis: limits.waitMs,
    keepAlive: true,
    idleTimeoutMillis: IDLE_MS,
    answerMs: answerMs(limits),
    ...(target.prepares && {
      options: [NO_JIT, ...serverLimits(limits).map(([name, ms]) => `-c ${name}=${ms}`)].join(' '),
    }),
  });

/**
 * How long an idle connection stays open. A new one costs 20 to 40 ms, while PostgreSQL starts a process, reads the
 * catalog and plans the statement; a much longer time risks that a network device drops it silently.
 */
const IDLE_MS = 60_000;

/** Index range scans look expensive to the planner but take a millisecond; JIT compiling them takes half a second. */
const NO_JIT = '-c jit=off';

const pooledAt = ({ url: connectionString, servers, prepares }: Target) => ({
  connectionString,
  servers,
  prepares,
  Client: PreparingClient,
});

function openPool(target: Target, options: PoolConfig & ConnectionOptions): Pool {
  const types = new TypeOverrides();
  const parseTexts = pg.types.getTypeParser(INT8_ARRAY as never) as (text: string) => (string | null)[];
  types.setTypeParser(INT8, parseInt8);
  types.setTypeParser(INT8_ARRAY, (text: string) =>
    parseTexts(text).map((item) => (item === null ? null : BigInt(item))),
  );
  const noJit = target.prepares ? { options: NO_JIT } : {};
  const pool = new Pool({ ...pooledAt(target), max: 10, types, ...noJit, ...options });
  // Without these listeners a restart of PostgreSQL would crash this process; the next query reports the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  leaveOutlived(pool);
  return pool;
}

const besides = (target: Target): Pick<Database, 'pooled' | 'sessions' | 'runScript'> => ({
  pooled: pooledAt(target),
  sessions: target.sessions,
  // On its own connection, without limits, because schema changes can be slow.
  runScript: async (text) => {
    const client = new ServerClient({ servers: target.sessions });
    client.on('error', () => {});
    await client.connect();
    const unlimited = 'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0';
    await client
      .query(unlimited)
      .then(() => client.query(text))
      .finally(() => client.end());
  },
});

/** Opens the embedded database, in a folder that it locks against other processes, or in memory. */
export async function connectEmbedded(folder: string | undefined, snapshot?: Blob): Promise<Database> {
  const unlock = folder === undefined ? () => {} : lockFolder(folder);
  const options = {
    parsers: { [INT8]: parseInt8, [BYTEA]: parseBytea },
    ...(snapshot ? { loadDataDir: snapshot } : {}),
  };
  // Loaded here, because it is not needed with a PostgreSQL server.
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create(folder === undefined ? 'memory://' : `${folder}/pglite`, options).catch(
    (fault) => {
      unlock();
      throw describeFileFault(folder ?? '', fault);
    },
  );
  const db = new Kysely<unknown>({ dialect: new PGliteDialect(pglite), ...traceStatements() });
  return {
    db,
    jobs: db,
    reserved: db,
    engine: 'pglite',
    pglite,
    runScript: async (text) => {
      await pglite.exec(text);
    },
    close: async () => {
      await db.destroy();
      await pglite.close();
      unlock();
    },
  };
}

/** A few connections with the reader role of the metrics; undefined if they use the server's role. */
export async function connectReader({
  databaseReaderUrl,
  databasePrepared,
  databaseLimits: { reserved },
  dataDir,
}: Pick<Config, 'databaseReaderUrl' | 'databasePrepared' | 'databaseLimits' | 'dataDir'>): Promise<
  Database | undefined
> {
  if (databaseReaderUrl === undefined) return undefined;
  const databaseLimits = { requests: reserved, jobs: reserved, reserved };
  return connect({
    databaseUrl: databaseReaderUrl,
    databaseListenUrl: undefined,
    databasePrepared,
    databaseLimits,
    dataDir,
  });
}

/** The pools of a read-only standby, which need not be available now. */
export function connectReplica({
  databaseReadUrl,
  databasePrepared,
  databaseLimits,
}: Pick<Config, 'databaseReadUrl' | 'databasePrepared' | 'databaseLimits'>): Database | undefined {
  if (databaseReadUrl === undefined) return undefined;
  return connectLimited(targetOf(databaseReadUrl, databaseReadUrl, databasePrepared), databaseLimits);
}

/** Connects to PostgreSQL if a URL is given, else to the embedded database in the folder. */
export async function connect({
  databaseUrl,
  databaseListenUrl,
  databasePrepared,
  databaseLimits,
  dataDir,
}: Pick<
  Config,
  'databaseUrl' | 'databaseListenUrl' | 'databasePrepared' | 'databaseLimits' | 'dataDir'
>): Promise<Database> {
  if (databaseUrl === undefined) return connectEmbedded(dataDir);
  const target = targetOf(databaseUrl, databaseListenUrl, databasePrepared);
  await Promise.all([target.servers, target.sessions].map(findWriter));
  return connectLimited(target, databaseLimits);
}
