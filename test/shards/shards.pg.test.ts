import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { payDue } from '#server/income/periods/pay-due.ts';
import {
  getHouseBalances,
  type HouseClass,
  openMemberAccounts,
  sealLedger,
  verifyLedger,
} from '#server/ledger/index.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import type { ModelMember } from '../income/model.ts';
import { seedFunds, seedMarket, seedMembers, seedSession, seedTree, tradeOf } from '../income/seed.ts';
import { payWeek, shareBonuses } from './sharded-incomes.ts';
import { openShards } from './shards.ts';

/** A week of three sessions in a deep and wide tree, in one ledger and over shards (docs/scale.md). */
const SHARDS = 16;
const MEMBERS = 400;
const [FIRST_DAY, ...LATER_DAYS] = ['2026-01-19', '2026-01-21', '2026-01-23'] as const;
const DAYS = [FIRST_DAY, ...LATER_DAYS];
const WEEK_OVER = '2026-01-26T08:00:00Z';

const members: ModelMember[] = Array.from({ length: MEMBERS + 1 }, (_, n) => ({
  id: BigInt(n + 1),
  sponsorId: n === 0 ? null : n < 9 ? 1n : BigInt(n % 3 === 0 ? Math.ceil(n / 5) : n),
}));
const ids = members.slice(1).map(({ id }) => id);

/** Three of four members trade in a session; amounts and proceeds follow a fixed sequence. */
const tradesOf = (session: number, who: readonly bigint[]) =>
  who
    .filter((id) => (Number(id) + session) % 4 !== 0)
    .map((id) => {
      const amount = 50_000_000n + ((id * 7_919_777n + BigInt(session) * 104_729n) % 900_000_000n);
      return tradeOf(id, amount, (amount * (850n + ((id * 31n + BigInt(session) * 17n) % 400n))) / 1000n);
    });

const one = await openTestDatabase();
const world = await openShards(SHARDS);
const { shards, coordinator } = world;
const digests: { inputs: string; outputs: string }[] = [];
let weekDigest = '';

afterAll(async () => {
  await one.close();
  await world.close();
});

beforeAll(async () => {
  const context = testContext(one);
  const ruleOf = (db: Db) => sql`update income.period_rule set begins_on = '2026-01-05' where rule = 2`.execute(db);
  await ruleOf(one.db);
  await seedMembers(context, members);
  for (const [session, day] of DAYS.entries()) await seedSession(context, { day, trades: tradesOf(session, ids) });
  await seedMarket(context, WEEK_OVER);
  await payDue(context);
  await sealLedger(context);

  for (const shard of [...shards, coordinator]) {
    await ruleOf(shard.context.db);
    await seedTree(shard.context, members);
    const own = ids.filter((id) => world.of(id) === shard);
    if (shard === coordinator) await inTransaction(shard.context.db, (tx) => openMemberAccounts(tx, ids));
    else await seedFunds(shard.context, own);
    for (const [session, day] of DAYS.entries())
      await seedSession(shard.context, { day, trades: shard === coordinator ? [] : tradesOf(session, own) });
    await seedMarket(shard.context, WEEK_OVER);
  }
  for (const day of DAYS) digests.push(await shareBonuses(world, day));
  weekDigest = await payWeek(world, FIRST_DAY);
  for (const { context } of shards) await sealLedger(context);
});

const listOf = async <Row>(db: Db, query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(db)).rows;

const inAllShards = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await Promise.all(shards.map(({ context }) => listOf(context.db, query)))).flat();

const byText = (rows: readonly object[]): string[] => rows.map((row) => Object.values(row).join(' ')).sort();

const houseOfShards = () => Promise.all(shards.map(({ context }) => getHouseBalances(context.db)));

const addUp = (parts: readonly Record<HouseClass, bigint>[]) =>
  Object.fromEntries(
    Object.keys(parts[0] ?? {}).map((name) => [name, parts.reduce((sum, part) => sum + part[name as HouseClass], 0n)]),
  );

test('every shard has members, and incomes cross from the trades of one shard to members of another', async () => {
  expect(new Set(ids.map((id) => world.of(id).no)).size).toBe(SHARDS);
  const apart = members.filter(({ id, sponsorId }) => sponsorId !== null && world.of(id) !== world.of(sponsorId));
  expect(apart.length).toBeGreaterThan(MEMBERS / 2);
});

test('each member account has the same balance in 16 shards as in one ledger', async () => {
  const query = sql<{ id: bigint; balance: bigint }>`select id, balance::bigint as balance from ledger.account`;
  const balances = byText(await inAllShards(query));
  expect(balances).toEqual(byText(await listOf(one.db, query)));
  expect(balances).toHaveLength(MEMBERS * 5);
});

test('each statement has the same lines in the same order with the same running balances', async () => {
  const query = sql<{ member: bigint; lines: string }>`
    select coalesce(nullif(from_account >> 5, 0), to_account >> 5) as member,
      string_agg(concat_ws(' ', from_account, to_account, reason, amount, from_balance_after, to_balance_after), ', ' order by id) as lines
    from ledger.transfer where from_account >= 32 or to_account >= 32 group by 1`;
  const statements = byText(await inAllShards(query));
  expect(statements).toEqual(byText(await listOf(one.db, query)));
  expect(statements.join()).toContain('weekly_income');
  expect(statements.join()).toContain('team_profit');
});

test('house accounts and their sealed checkpoints, summed over the shards, equal those of one ledger', async () => {
  expect(addUp(await houseOfShards())).toEqual(await getHouseBalances(one.db));
  const query = sql<{ class: number; balance: bigint }>`
    select class, balance from ledger.checkpoint where seal_no = (select max(no) from ledger.seal) and balance <> 0`;
  const sums = new Map<number, bigint>();
  for (const { class: no, balance } of await inAllShards(query)) sums.set(no, (sums.get(no) ?? 0n) + balance);
  const checkpoints = (await listOf(one.db, query)).map((row) => [row.class, row.balance] as const);
  expect([...sums].filter(([, balance]) => balance !== 0n).sort()).toEqual(checkpoints.sort());
});

test('fees are fully distributed and no pool is negative in total, though parts of paying shards are', async () => {
  const parts = await houseOfShards();
  const house = addUp(parts);
  expect([house.trade_fees, house.performance_fees]).toEqual([0n, 0n]);
  for (const pool of ['pool_weekly', 'pool_monthly', 'pool_rewards'] as const)
    expect(house[pool]).toBeGreaterThanOrEqual(0n);
  expect(parts.filter((part) => part.pool_weekly < 0n).length).toBeGreaterThan(SHARDS / 2);
});

test('runs and the week have the same digests: who traded, every line, every sum', async () => {
  const runs = sql<{ inputs: string; outputs: string }>`
    select inputs_hash as inputs, outputs_hash as outputs from income.bonus_run order by session_day`;
  expect(digests).toEqual(await listOf(one.db, runs));
  const [week] = await listOf(one.db, sql<{ hash: string }>`select outputs_hash as hash from income.period_run`);
  expect(weekDigest).toBe(week?.hash);
});

test('no transfer crosses shards: each is of one member of the shard, or of the house alone', async () => {
  for (const shard of shards) {
    const touched = await listOf(
      shard.context.db,
      sql<{ one: bigint; other: bigint }>`
        select distinct from_account >> 5 as one, to_account >> 5 as other from ledger.transfer`,
    );
    for (const { one, other } of touched) {
      const both = [one, other].filter((member) => member !== 0n);
      expect(new Set(both).size).toBeLessThanOrEqual(1);
      for (const member of both) expect(world.of(member)).toBe(shard);
    }
  }
});

test('each shard verifies by itself: hashes, seals, statements, and member balances against the house', async () => {
  for (const { context } of shards) expect(await verifyLedger(context.db)).toEqual([]);
  expect(await verifyLedger(one.db)).toEqual([]);
});
