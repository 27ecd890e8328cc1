import { expect, test } from 'vitest';
import type { Tx } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { writeAudit } from './index.ts';

const database = closeAfterAll(await openTestDatabase());

const listEntries = (subject: string) => listRows(database.db)<Record<string, unknown>>`
    select actor_kind, actor_id, action, subject, before, after, address from audit.entry
    where subject = ${subject} order by id`;

test('an entry records who did what to what, before and after, and from where', async () => {
  await inTransaction(database.db, async (tx) => {
    await writeAudit(tx, {
      actor: { kind: 'operator', id: 3n },
      action: 'member.freeze',
      subject: 'member:17',
      before: { frozen: false },
      after: { frozen: true, amountMicros: 9_007_199_254_740_993n },
      address: '192.0.2.7',
    });
    await writeAudit(tx, { actor: { kind: 'system', id: null }, action: 'member.unfreeze', subject: 'member:17' });
  });
  const nothing = { actor_id: null, before: null, after: null, address: null };
  expect(await listEntries('member:17')).toEqual([
    {
      actor_kind: 'operator',
      actor_id: 3n,
      action: 'member.freeze',
      subject: 'member:17',
      before: { frozen: false },
      after: { frozen: true, amountMicros: '9007199254740993' },
      address: '192.0.2.7',
    },
    { ...nothing, actor_kind: 'system', action: 'member.unfreeze', subject: 'member:17' },
  ]);
});

test('an entry is rolled back with the change it records', async () => {
  const failing = inTransaction(database.db, async (tx) => {
    await writeAudit(tx, { actor: { kind: 'member', id: 1n }, action: 'member.register', subject: 'member:99' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await listEntries('member:99')).toEqual([]);
});

test('an entry outside a transaction is a programming error', async () => {
  const entry = { actor: { kind: 'member', id: 1n }, action: 'x', subject: 'member:98' } as const;
  await expect(writeAudit(database.db as Tx, entry)).rejects.toThrow('belongs in the transaction');
  expect(await listEntries('member:98')).toEqual([]);
});

test.each(['update audit.entry set action = action', 'delete from audit.entry', 'truncate audit.entry'])(
  'the database refuses: %s',
  async (statement) => {
    await expect(database.runScript(statement)).rejects.toMatchObject({ code: 'TWA01' });
  },
);

test('the database refuses an actor without an id, except the system', async () => {
  const insert = (kind: string, id: string) =>
    database.runScript(
      `insert into audit.entry (actor_kind, actor_id, action, subject) values ('${kind}', ${id}, 'a', 's')`,
    );
  await expect(insert('member', 'null')).rejects.toMatchObject({ constraint: 'entry_actor' });
  await expect(insert('system', '1')).rejects.toMatchObject({ constraint: 'entry_actor' });
  await expect(insert('robot', '1')).rejects.toMatchObject({ constraint: 'entry_actor_kind' });
});
