import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { sealAudit, verifyAudit, writeAudit } from './index.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
  return () => database.close();
});

const write = (...subjects: string[]) =>
  inTransaction(database.db, async (tx) => {
    for (const subject of subjects) {
      await writeAudit(tx, {
        actor: { kind: 'operator', id: 3n },
        action: 'member.freeze',
        subject,
        before: { frozen: false },
        after: { frozen: true, why: 'é ✓ "' },
      });
    }
  });
const seal = () => sealAudit(testContext(database));
/** As an attacker with the database: past its own guard. */
const tamper = (statements: string) =>
  database.runScript(`alter table audit.entry alter column id drop identity if exists;
    begin; set local session_replication_role = replica; ${statements}; commit;`);
const verify = async () => (await verifyAudit(database.db)).map(({ subject, message }) => `${subject} ${message}`);

describe('sealing', () => {
  test('covers what came since the previous seal and is chained to it; without new entries there is none', async () => {
    expect(await seal()).toBeUndefined();
    await write('member:1', 'member:2');
    const first = await seal();
    expect(first).toMatchObject({ no: 1n, entryCount: 2n, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await seal()).toBeUndefined();
    await write('member:3');
    const second = await sealAudit(testContext(database, testClock('2026-03-04T12:01:00Z')));
    expect(second).toMatchObject({ no: 2n, entryCount: 1n });
    const { rows } = await sql<{ previous: string; sealed_at: Date }>`
      select encode(previous_hash, 'hex') as previous, sealed_at from audit.seal where no = 2`.execute(database.db);
    expect(rows).toEqual([{ previous: first?.hash, sealed_at: new Date('2026-03-04T12:01:00Z') }]);
    expect(await verify()).toEqual([]);
  });

  test('more entries than one chunk are sealed as one', async () => {
    await database.runScript(`
      insert into audit.entry (actor_kind, action, subject)
      select 'system', 'test.made', 'member:' || n from generate_series(1, 4001) n`);
    expect(await seal()).toMatchObject({ no: 1n, entryCount: 4001n });
    expect(await verify()).toEqual([]);
  });

  test('many seals are verified in one pass', async () => {
    for (let no = 1; no <= 30; no += 1) {
      await write(`member:${no}`);
      await seal();
    }
    const read: string[] = [];
    const counted = database.db.withPlugin({
      transformQuery: ({ node }) => {
        read.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    expect(await verifyAudit(counted)).toEqual([]);
    expect(read.length).toBeLessThan(10);
    await tamper(`update audit.entry set subject = 'member:99' where subject = 'member:17'`);
    expect(await verify()).toEqual([expect.stringContaining('audit seal 17 does not match the root of its entries')]);
  });

  test('an untouched log verifies with entries that no seal covers yet', async () => {
    await write('member:1');
    expect(await verify()).toEqual([]);
  });

  test('the database refuses to change a seal', async () => {
    await write('member:1');
    await seal();
    for (const statement of ['update audit.seal set no = no', 'delete from audit.seal', 'truncate audit.seal']) {
      await expect(database.runScript(statement)).rejects.toMatchObject({ code: 'TWA01' });
    }
  });
});

describe('verification detects', () => {
  const OTHER_ROOT =
    'audit seal 1 does not match the root of its entries: one was modified, removed, inserted or moved';
  beforeEach(async () => {
    await write('member:1', 'member:2');
    await write('member:3');
    await seal();
    await write('member:4');
    await seal();
  });

  test.each([
    ['id', '100'],
    ['actor_kind', "'member'"],
    ['actor_id', '4'],
    ['action', "'member.unfreeze'"],
    ['subject', "'member:9'"],
    ['before', 'null'],
    ['after', `'{"frozen": true}'`],
    ['address', "'192.0.2.1'"],
    ['created_at', "created_at + interval '1 microsecond'"],
  ])('an entry whose %s was changed', async (column, value) => {
    await tamper(`update audit.entry set ${column} = ${value} where subject = 'member:2'`);
    expect(await verify()).toEqual([OTHER_ROOT]);
  });

  test('an entry that was removed, or inserted among sealed ones', async () => {
    await tamper(`delete from audit.entry where subject = 'member:2'`);
    expect(await verify()).toEqual(['audit seal 1 covers 3 entries, but there are 2', OTHER_ROOT]);
    await tamper(`insert into audit.entry (id, actor_kind, action, subject, tx) 
      select max(id) + 1, 'system', 'a', 's', min(tx) from audit.entry`);
    expect(await verify()).toEqual([OTHER_ROOT]);
  });

  test('two entries that were swapped', async () => {
    await tamper(`
      update audit.entry set id = id + 100 where subject = 'member:1';
      update audit.entry set id = id - 1 where subject = 'member:2';
      update audit.entry set id = id - 99 where subject = 'member:1'`);
    expect(await verify()).toEqual([OTHER_ROOT]);
  });

  test('an entry that was moved from one seal to the next', async () => {
    await tamper(
      `update audit.entry set tx = (select max(tx) from audit.entry where subject = 'member:4') where subject = 'member:3'`,
    );
    const found = await verify();
    expect(found).toContain('audit seal 1 covers 3 entries, but there are 2');
    expect(found).toContain('audit seal 2 covers 1 entries, but there are 2');
  });

  test('an entry that claims a transaction before the first or after the last one', async () => {
    await tamper(`update audit.entry set tx = -5 where subject = 'member:3'`);
    expect(await verify()).toEqual([OTHER_ROOT]);
    await tamper(`update audit.entry set tx = 9000000000000000000 where subject = 'member:4'`);
    expect(await verify()).toContainEqual(
      expect.stringContaining('claims database transaction 9000000000000000000, which has not started'),
    );
  });

  test('a seal that was edited, even with a matching hash, and one that is missing', async () => {
    await tamper(`update audit.seal set sealed_at = sealed_at + interval '1 second' where no = 1`);
    expect(await verify()).toEqual(['audit seal 1 was modified: its hash does not match its fields']);
    await tamper(`update audit.seal set hash = sha256('anything') where no = 1`);
    expect(await verify()).toContain('audit seal 2 is not chained to seal 1');
    await tamper('delete from audit.seal where no = 1');
    expect(await verify()).toContain(
      'audit seal 2 follows seal 0: a seal between them is missing, or a number was modified',
    );
  });

  test('a database guard that is disabled or missing', async () => {
    await database.runScript('alter table audit.entry disable trigger entry_append_only');
    await database.runScript('drop trigger seal_append_only on audit.seal');
    expect(await verify()).toEqual([
      'append-only trigger on audit.entry is missing or disabled',
      'append-only trigger on audit.seal is missing or disabled',
    ]);
  });

  test('a log restored into a cluster with lower transaction numbers, where nothing more is sealed', async () => {
    await tamper('update audit.seal set horizon = horizon + 1000000000 where no = 2');
    expect(await verify()).toContainEqual(expect.stringContaining('the data was restored from another cluster'));
    await expect(seal()).rejects.toThrow('higher transaction numbers');
  });
});
