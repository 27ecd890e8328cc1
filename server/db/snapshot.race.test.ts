import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import type { Db } from './connect.ts';
import { findValue } from './rows.ts';
import { inSnapshot } from './tx.ts';

const database = closeAfterAll(await openTestDatabase());
await database.runScript('create table public.counted (number int); insert into public.counted values (1)');

async function read(db: Db): Promise<number | undefined> {
  return findValue(db)<number>`select number from public.counted`;
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

test('a snapshot refuses writes', async () => {
  const write = inSnapshot(database.db, (tx) => sql`update public.counted set number = 0`.execute(tx));
  await expect(write).rejects.toThrow(/read-only transaction/);
});
