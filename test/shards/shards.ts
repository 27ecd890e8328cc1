import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Database, Db } from '#server/db/connect.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';

/** A separate ledger, with the accounts, trades and qualifications of its members. */
export type Shard = { readonly no: number; readonly database: Database; readonly context: Context };

export type Shards = {
  /** Transfers of the house alone are posted in the first. */
  readonly shards: readonly [Shard, ...Shard[]];
  /** Aggregates the shards' sums, and moves no money. */
  readonly coordinator: Shard;
  readonly of: (memberId: bigint) => Shard;
  readonly close: () => Promise<void>;
};

const SPREAD = 2_654_435_761n;

/** A multiplicative hash, which spreads neighbours in the tree with their consecutive ids. */
const shardNo = (memberId: bigint, count: number): number =>
  Number((((memberId * SPREAD) & 0xffffffffn) * BigInt(count)) >> 32n);

/** The same in SQL. */
const isOfShard = ({ no }: Shard, count: number): RawBuilder<boolean> =>
  sql<boolean>`((member_id * ${SPREAD}::bigint) & 4294967295) * ${count}::int >> 32 = ${no}::int`;

/** Databases of one cluster, each with all migrations. */
export async function openShards(count: number): Promise<Shards> {
  const open = async (no: number): Promise<Shard> => {
    const database = await openTestDatabase();
    return { no, database, context: testContext(database) };
  };
  const shards: Shard[] = [];
  for (let no = 0; no < count; no += 1) shards.push(await open(no));
  const coordinator = await open(-1);
  return {
    shards: shards as [Shard, ...Shard[]],
    coordinator,
    of: (memberId) => shards[shardNo(memberId, count)] as Shard,
    close: async () => {
      for (const { database } of [...shards, coordinator]) await database.close();
    },
  };
}

/** Rows as PostgreSQL's own JSON, whose integers are exact. */
export async function takeRows(db: Db, rows: RawBuilder<unknown>): Promise<string> {
  const taken = await sql<{ text: string }>`
    select coalesce(jsonb_agg(to_jsonb(taken)), '[]')::text as text from (${rows}) as taken`.execute(db);
  return taken.rows[0]?.text ?? '[]';
}

export async function putRows(db: Db, table: string, rows: string): Promise<void> {
  const name = sql.raw(table);
  await sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${rows}::jsonb)`.execute(db);
}

/** Sums of one level: each shard sends what its members add for their ancestors, in whichever shard those are. */
export async function exchangeLevel({ shards, coordinator }: Shards, level: number): Promise<void> {
  const { db } = coordinator.context;
  const ofLevel = sql`select * from income.level_sum where level = ${level}::int`;
  for (const { context } of shards) {
    const rows = await takeRows(context.db, ofLevel);
    await sql`
      insert into income.level_sum as s select * from jsonb_populate_recordset(null::income.level_sum, ${rows}::jsonb)
      on conflict (level, member_id) do update set traders = s.traders + excluded.traders, volume = s.volume + excluded.volume,
        trade_fees = s.trade_fees + excluded.trade_fees, performance_fees = s.performance_fees + excluded.performance_fees,
        active_change = s.active_change + excluded.active_change`.execute(db);
  }
  for (const shard of shards) {
    await sql`delete from income.level_sum where level = ${level}::int`.execute(shard.context.db);
    await putRows(
      shard.context.db,
      'income.level_sum',
      await takeRows(db, sql`${ofLevel} and ${isOfShard(shard, shards.length)}`),
    );
  }
}
