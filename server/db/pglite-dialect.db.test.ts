import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { listRows, listValues } from './rows.ts';
import { inTransaction } from './tx.ts';

const database = closeAfterAll(await openTestDatabase());
await database.runScript('create table public.note (text text primary key)');

const write = (text: string) => sql`insert into public.note (text) values (${text})`;
const read = () => listValues(database.db)<string>`select text from public.note order by text`;

test('a query from outside neither joins an open transaction nor is rolled back with it', async () => {
  const inside = Promise.withResolvers<void>();
  const mayFail = Promise.withResolvers<void>();
  const failing = inTransaction(database.db, async (tx) => {
    await write('inside').execute(tx);
    inside.resolve();
    await mayFail.promise;
    throw new Error('rolled back');
  });
  await inside.promise;
  const outside = write('outside').execute(database.db);
  mayFail.resolve();
  await expect(failing).rejects.toThrow('rolled back');
  await outside;
  expect(await read()).toEqual(['outside']);
});

test('concurrent transactions end independently', async () => {
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((text) =>
      inTransaction(database.db, async (tx) => {
        await write(text).execute(tx);
        if (text === 'b') throw new Error('only this one');
      }),
    ),
  );
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(await read()).toEqual(['a', 'c', 'd', 'outside']);
});

test('a failed statement ends its transaction and leaves the connection usable', async () => {
  await expect(inTransaction(database.db, (tx) => write('a').execute(tx))).rejects.toMatchObject({ code: '23505' });
  expect(await read()).toContain('a');
});

test('int8 is a BigInt, numeric is text, timestamptz is a Date and jsonb is parsed', async () => {
  const rows = await listRows(database.db)`
    select 9007199254740993::int8 as int8, array[1, 2]::int8[] as many, 1.50::numeric as numeric,
      '2026-03-04T12:00:00Z'::timestamptz as at, ${JSON.stringify({ a: [1] })}::jsonb as json, null::int8 as none`;
  expect(rows[0]).toEqual({
    int8: 9007199254740993n,
    many: [1n, 2n],
    numeric: '1.50',
    at: new Date('2026-03-04T12:00:00Z'),
    json: { a: [1] },
    none: null,
  });
});

test('BigInt, Date, arrays and null are accepted as parameters', async () => {
  const { rows } = await sql`
    select ${5n}::int8 as one, ${[1n, 2n]}::int8[] as many, ${['a', null]}::text[] as texts,
      ${new Date('2026-03-04T12:00:00Z')}::timestamptz as at, ${null}::int8 as none`.execute(database.db);
  expect(rows[0]).toEqual({
    one: 5n,
    many: [1n, 2n],
    texts: ['a', null],
    at: new Date('2026-03-04T12:00:00Z'),
    none: null,
  });
});
