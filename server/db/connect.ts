import type { PGlite } from '@electric-sql/pglite';
import { Kysely, type Transaction } from 'kysely';
import pg, { Pool, type PoolConfig, TypeOverrides } from 'pg';
import type { Config } from '#server/config.ts';
import { traceStatements } from '#server/spans.ts';
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
/** What a query needs: the database or an open transaction of it. */
export type Tx = Transaction<unknown>;

export type Database = {
  /** Of requests: its limits are short, because somebody waits for the answer. */
  readonly db: Db;
  /** Of jobs, checks and the start, which may take minutes. The same as `db` where there are no limits. */
  readonly jobs: Db;
  /** Kept free for probes and the console's overview, which have to answer when all others are taken. */
  readonly reserved: Db;
  readonly engine: 'pglite' | 'postgres';
  /** The driver underneath (of `db`), for metrics. Exactly one of the two is there. */
  readonly pglite?: PGlite;
  readonly pool?: Pool;
  /** What another pool to the same servers is made of: that of pg-boss. */
  readonly pooled?: PoolConfig;
  /** Where connections keep what they were told (LISTEN): PostgreSQL itself. */
  readonly sessions?: Servers;
  /** Requests that wait for a connection of `db`. */
  readonly countWaiting?: () => number;
  /** Runs several statements at once, without parameters and without a limit of time. */
  readonly runScript: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const BYTEA = 17;
const INT8 = 20;
const INT8_ARRAY = 1016;

/** int8 is a BigInt and bytea a Buffer on both engines; every other type is alike already. */
const parseInt8 = (text: string) => BigInt(text);
const parseBytea = (text: string) => Buffer.from(text.slice(2), 'hex');

/** Where PostgreSQL is, and what connections there are good for. */
type Place = {
  readonly url: string;
  readonly servers: Servers;
  readonly sessions: Servers;
  /** False: a transaction may meet any connection, so none is told anything for later, neither statements nor settings. */
  readonly prepares: boolean;
};

function placeOf(url: string, listenUrl = url, prepares = true): Place {
  const servers = new Servers(url);
  return { url, servers, sessions: listenUrl === url ? servers : new Servers(listenUrl), prepares };
}

/** One pool for everything, without limits of time: tests and benches. */
export function connectPostgres(url: string, options: PoolConfig = {}): Database {
  const place = placeOf(url);
  const pool = openPool(place, options);
  const db = new Kysely<unknown>({ dialect: new LimitedDialect({ pool }), ...traceStatements() });
  return { db, jobs: db, reserved: db, engine: 'postgres', pool, ...besides(place), close: () => db.destroy() };
}

/** A pool for each purpose, with its limits. Connections are made when they are needed. */
function connectLimited(place: Place, limits: DatabaseLimits): Database {
  const open = (of: PoolLimits, semaphore?: PoolSemaphore) => {
    const pool = openLimited(place, of);
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
  return { db, jobs, reserved, engine: 'postgres', pool, countWaiting, ...besides(place), close };
}

const openLimited = (place: Place, limits: PoolLimits): Pool =>
  openPool(place, {
    max: limits.connections,
    connectionTimeoutMillis: limits.waitMs,
    keepAlive: true,
    idleTimeoutMillis: KEPT_MS,
    answerMs: answerMs(limits),
    ...(place.prepares && {
      options: [NO_JIT, ...serverLimits(limits).map(([name, ms]) => `-c ${name}=${ms}`)].join(' '),
    }),
  });

/**
 * How long a connection that nobody needs is kept. Whoever comes after it was closed waits 20 to 40 ms longer, until PostgreSQL
 * has begun a process, read its catalog and planned the statement; much longer, and what lies between drops it unsaid.
 */
const KEPT_MS = 60_000;

/** Statements over index ranges look dear to the planner and take a millisecond; compiling them takes half a second. */
const NO_JIT = '-c jit=off';

const pooledAt = ({ url: connectionString, servers, prepares }: Place) => ({
  connectionString,
  servers,
  prepares,
  Client: PreparingClient,
});

function openPool(place: Place, options: PoolConfig & ConnectionOptions): Pool {
  const types = new TypeOverrides();
  const parseTexts = pg.types.getTypeParser(INT8_ARRAY as never) as (text: string) => (string | null)[];
  types.setTypeParser(INT8, parseInt8);
  types.setTypeParser(INT8_ARRAY, (text: string) =>
    parseTexts(text).map((item) => (item === null ? null : BigInt(item))),
  );
  const noJit = place.prepares ? { options: NO_JIT } : {};
  const pool = new Pool({ ...pooledAt(place), max: 10, types, ...noJit, ...options });
  // Without these listeners a restarting PostgreSQL would end this process; the next query reports the fault.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  leaveOutlived(pool);
  return pool;
}

const besides = (place: Place): Pick<Database, 'pooled' | 'sessions' | 'runScript'> => ({
  pooled: pooledAt(place),
  sessions: place.sessions,
  // On a connection of its own: what changes a schema may take as long as it takes.
  runScript: async (text) => {
    const client = new ServerClient({ servers: place.sessions });
    client.on('error', () => {});
    await client.connect();
    await client.query(text).finally(() => client.end());
  },
});

/** Opens the embedded database in a folder, or in memory. Locks the folder against a second process. */
export async function connectEmbedded(folder: string | undefined, snapshot?: Blob): Promise<Database> {
  const unlock = folder === undefined ? () => {} : lockFolder(folder);
  const options = {
    parsers: { [INT8]: parseInt8, [BYTEA]: parseBytea },
    ...(snapshot ? { loadDataDir: snapshot } : {}),
  };
  // Loaded here: who has a server of its own needs none of it.
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

/** A few connections of the role that metrics read as; undefined when they read as the server does. */
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

/** The pools of a standby that is only read, whether it answers at the moment or not. */
export function connectReplica({
  databaseReadUrl,
  databasePrepared,
  databaseLimits,
}: Pick<Config, 'databaseReadUrl' | 'databasePrepared' | 'databaseLimits'>): Database | undefined {
  if (databaseReadUrl === undefined) return undefined;
  return connectLimited(placeOf(databaseReadUrl, databaseReadUrl, databasePrepared), databaseLimits);
}

/** PostgreSQL when a URL is given, else the embedded one in the folder. */
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
  const place = placeOf(databaseUrl, databaseListenUrl, databasePrepared);
  await Promise.all([place.servers, place.sessions].map(findWriter));
  return connectLimited(place, databaseLimits);
}
