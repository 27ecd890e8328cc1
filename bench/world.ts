import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { prepare } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, openMemberAccounts, postFrom } from '#server/ledger/index.ts';
import { migrateAs } from '#server/migrate-database.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { createRoleDatabase } from '#test/database/postgres-roles.ts';
import { recordMarket, still } from '#test/recorded/recorded-market.ts';
import { runOn } from './measure.ts';

const MEMBERS_PER_BATCH = 10_000;
export const START = '2026-03-04T12:20:00Z';
/** The company is member 1; members of a benchmark follow. */
export const FIRST_MEMBER = 2;

export type World = {
  /** The superuser's connection, for work outside the program, such as vacuum and table copies. */
  readonly database: Database;
  readonly context: Context;
  /** The server role's connection. */
  readonly url: string;
  readonly recording: { readonly folder: string; readonly remove: () => void };
  /** Ends it: its database is dropped. */
  readonly remove: () => Promise<void>;
};

/** Prices rise for a third of the coins and fall for the others, so that trades of every kind settle. */
export async function openWorld(cluster: Cluster, name: string, members: number, balance: bigint): Promise<World> {
  const { superuser, serving } = await createServed(cluster, name);
  const recording = recordMarket({
    from: '2026-03-04T00:00:00Z',
    minutes: 1440,
    candle: (symbol, at) => still(at.getUTCHours() < 14 ? '100' : symbol < 'd' ? '108.5' : '93.25'),
  });
  const { database: served, context } = connectWorld(serving, recording.folder);
  const admin = connectPostgres(superuser, { max: 2 });
  const close = async () => void (await Promise.all([served.close(), admin.close()]));
  const database = { ...admin, close };
  await prepare(context);
  await inBatches(members, (first, last) => addMembers(context, first, last, balance));
  await database.runScript('vacuum analyze');
  const remove = async () => {
    await close();
    await runOn(cluster, `drop database ${name}`);
    recording.remove();
  };
  return { database, context, url: serving, recording, remove };
}

/** `npm run bench -- NAME --as-owner`: everything as the owning superuser, to measure the cost of roles. */
const isAsOwner = process.argv.includes('--as-owner');

/** A migrated database, used through the server role that owns nothing (`deploy/roles.sql`). */
export async function createServed(cluster: Cluster, name: string): Promise<{ superuser: string; serving: string }> {
  if (!isAsOwner) {
    const { superuser, app } = await createRoleDatabase(cluster, name);
    return { superuser, serving: app };
  }
  await runOn(cluster, `create database ${name}`);
  const url = cluster.url(name);
  await migrateAs(url);
  return { superuser: url, serving: url };
}

export function connectWorld(url: string, folder: string): Pick<World, 'database' | 'context'> {
  const database = connectPostgres(url);
  const env = { MARKET_FEED: 'replay', REPLAY_DATA: folder, MARKET_START: START, MARKET_SPEED: '3600' };
  const log = pino({ level: 'error' });
  return { database, context: { db: database.db, config: readConfig(env), now: () => new Date(), log } };
}

/** Inserted directly: signing up is not measured. */
async function addMembers(context: Context, first: bigint, last: bigint, balance: bigint): Promise<void> {
  const ids = Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index));
  await inTransaction(context.db, async (tx) => {
    await sql`
      insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
      select 'TW' || lpad(n::text, 8, '0'), 1, 'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
      from unnest(${ids}::bigint[]) n`.execute(tx);
    await openMemberAccounts(tx, ids);
    await postFrom(
      tx,
      sql`
        select 'bench/' || n, ${houseAccount('gateway')}, ${memberAccount(sql`n`, 'primary')}, ${balance}::bigint, 'deposit', 'bench',
          ${new Date(START)}::timestamptz, null::text
        from unnest(${ids}::bigint[]) n`,
    );
  });
}

/** Inserts members in batches of some thousand. */
export async function inBatches(count: number, work: (first: bigint, last: bigint) => Promise<void>): Promise<void> {
  const end = FIRST_MEMBER + count;
  for (let first = FIRST_MEMBER; first < end; first += MEMBERS_PER_BATCH) {
    await work(BigInt(first), BigInt(Math.min(first + MEMBERS_PER_BATCH, end) - 1));
  }
}

/** Sign-in tokens, one per member; their last use was just recorded, as it is once a minute. */
export async function signInMembers({ db }: Context, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  await sql`
    insert into identity.auth_session (token_hash, member_id, device, address, created_at, last_used_at, expires_at)
    select decode(hash, 'hex'), n + ${FIRST_MEMBER} - 1, 'bench', '127.0.0.1', now(), now(), now() + interval '1 day'
    from unnest(${hashes}::text[]) with ordinality as sign_in(hash, n)`.execute(db);
  return tokens;
}
