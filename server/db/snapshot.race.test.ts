import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import type { Database, Db } from './connect.ts';
import { inSnapshot } from './tx.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.runScript('create table public.counted (number int); insert into public.counted values (1)');
});
afterAll(() => database.close());

async function read(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`select number from public.counted`.execute(db);
  return rows[0]?.number;
}

test('reads of one snapshot see one state, whatever is committed between them', async () => {
  const seen = await inSnapshot(database.db, async (tx) => {
    const before = await read(tx);
    await sql`update public.counted set number = number + 1`.execute(database.db);
    return [before, await read(tx)];
  });
  expect(seen).toEqual([1, 1]);
  expect(await read(database.db)).toBe(2);
});

test('nothing is written in one', async () => {
  const write = inSnapshot(database.db, (tx) => sql`update public.counted set number = 0`.execute(tx));
  await expect(write).rejects.toThrow(/read-only transaction/);
});
