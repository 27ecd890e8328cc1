import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg, { Pool, type PoolConfig, TypeOverrides } from 'pg';
import { lockFolder } from './folder-lock.ts';

export { FolderInUse } from './folder-lock.ts';

import { PGliteDialect } from './pglite-dialect.ts';
import { PreparingClient } from './prepared.ts';

/** Queries are plain SQL (`sql<Row>\`…\``), so no table types are declared here. */
export type Db = Kysely<unknown>;
/** What a query needs: the database or an open transaction of it. */
export type Tx = Transaction<unknown>;

export type Database = {
  readonly db: Db;
  readonly engine: 'pglite' | 'postgres';
  /** The driver underneath, for jobs (pg-boss) and LISTEN. Exactly one of the two is there. */
  readonly pglite?: PGlite;
  readonly pool?: Pool;
  /** Runs several statements at once, without parameters. */
  readonly runScript: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const INT8 = 20;
const INT8_ARRAY = 1016;

/** int8 is a BigInt on both engines; every other type is alike already (docs: traps of the two drivers). */
const parseInt8 = (text: string) => BigInt(text);

export function connectPostgres(url: string, options: PoolConfig = {}): Database {
  const types = new TypeOverrides();
  const parseTexts = pg.types.getTypeParser(INT8_ARRAY as never) as (text: string) => (string | null)[];
  types.setTypeParser(INT8, parseInt8);
  types.setTypeParser(INT8_ARRAY, (text: string) =>
    parseTexts(text).map((item) => (item === null ? null : BigInt(item))),
  );
  // Statements over index ranges look dear to the planner and take a millisecond; compiling them takes half a second.
  const noJit = { options: '-c jit=off' };
  const pool = new Pool({ connectionString: url, max: 10, types, Client: PreparingClient, ...noJit, ...options });
  // Without these listeners a restarting PostgreSQL would end this process; the next query reports the fault.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    engine: 'postgres',
    pool,
    runScript: async (text) => {
      await pool.query(text);
    },
    close: () => db.destroy(),
  };
}

/** Opens the embedded database in a folder, or in memory. Locks the folder against a second process. */
export async function connectEmbedded(folder: string | undefined, snapshot?: Blob): Promise<Database> {
  const unlock = folder === undefined ? () => {} : lockFolder(folder);
  const options = { parsers: { [INT8]: parseInt8 }, ...(snapshot ? { loadDataDir: snapshot } : {}) };
  const pglite = await PGlite.create(folder === undefined ? 'memory://' : `${folder}/pglite`, options);
  const db = new Kysely<unknown>({ dialect: new PGliteDialect(pglite) });
  return {
    db,
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

/** PostgreSQL when a URL is given, else the embedded one in the folder. */
export async function connect(config: { databaseUrl: string | undefined; dataDir: string }): Promise<Database> {
  return config.databaseUrl === undefined ? connectEmbedded(config.dataDir) : connectPostgres(config.databaseUrl);
}
