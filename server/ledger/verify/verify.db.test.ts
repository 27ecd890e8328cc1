import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { testContext } from '#test/builders.ts';
import { openTestDatabase } from '#test/database.ts';
import { deposit, openMembers, place, postAll } from '../ledger-world.test-setup.ts';
import { sealLedger } from '../seals/seal.ts';
import type { Finding } from './finding.ts';
import { verifyLedger } from './verify.ts';

/** One edit of each kind is found on either engine; that none is missed, and each is named, is asked in verify.pg.test.ts. */
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await openMembers(database.db, [1n]);
  await postAll(database.db, [deposit('deposit', 1n, 1000n)]);
  await sealLedger(testContext(database));
  await postAll(database.db, [place('place', 1n, 400n)]);
});
afterAll(() => database.close());

class Undo extends Error {}

/** What verification says after a statement of somebody who switched the triggers off; undone at once. */
async function findAfter(statement: string): Promise<Finding[]> {
  let findings: Finding[] = [];
  const run = inTransaction(database.db, async (tx: Tx) => {
    for (const one of ['set local session_replication_role = replica', statement]) await sql.raw(one).execute(tx);
    findings = await verifyLedger(tx);
    throw new Undo();
  });
  await expect(run).rejects.toThrow(Undo);
  return findings;
}

test('an untouched ledger verifies', async () => {
  expect(await verifyLedger(database.db)).toEqual([]);
});

test.for([
  ['an edited transfer', "update ledger.transfer set note = '' where key = 'deposit'", 'seal 1'],
  ['a missing transfer', "delete from ledger.transfer where key = 'place'", 'primary of member 1'],
  ['an edited balance', 'update ledger.account set balance = balance + 1 where id = 33', 'primary of member 1'],
  ['an edited seal', 'update ledger.seal set horizon = horizon - 1', 'seal 1'],
  [
    'an edited checkpoint',
    'update ledger.checkpoint set balance = balance + 1 where class = 6',
    'checkpoint of gateway at seal 1',
  ],
] as const)('%s is found and named', async ([, statement, named]) => {
  expect((await findAfter(statement)).map(({ subject }) => subject)).toContain(named);
});
