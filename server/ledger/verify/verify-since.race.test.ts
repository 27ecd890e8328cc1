import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { testContext } from '#test/worlds/builders.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { deposit, openLedger, place, postOne } from '../ledger-world.test-setup.ts';
import { post } from '../posting/post.ts';
import { sealLedger } from '../seals/seal.ts';
import { findLastSeal } from '../seals/seal-sql.ts';
import { verifyLedgerPart } from './verify.ts';

const database = await openLedger(1n, 2n);
const { db } = database;
const context = testContext(database);

/** Begins a transaction, which takes its number; posts `transfer` and commits when the caller says so. */
async function begin(transfer: ReturnType<typeof deposit>) {
  const begun = Promise.withResolvers<void>();
  const mayPost = Promise.withResolvers<void>();
  const committed = inTransaction(db, async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx);
    begun.resolve();
    await mayPost.promise;
    await post(tx, [transfer]);
  });
  await begun.promise;
  return () => {
    mayPost.resolve();
    return committed;
  };
}

test('lines since a seal are compared in posting order, whatever their transaction numbers', async () => {
  await postOne(db, deposit('deposit', 1n, 1000n));
  const early = await begin(place('early', 1n, 6n));
  const sealed = await begin(deposit('sealed', 2n, 1n));
  await postOne(db, place('late', 1n, 6n));
  await early();
  // `early` is sealed; `late`, which precedes it on the statement, is not: `sealed` took its number before `late`.
  await sealLedger(context);
  await sealed();
  await postOne(db, place('latest', 1n, 6n));
  const mark = await findLastSeal(db);
  expect(await verifyLedgerPart(db, 'statements', mark)).toEqual([]);
  expect(await verifyLedgerPart(db, 'statements')).toEqual([]);

  await tamper(database, "update ledger.transfer set from_balance_after = from_balance_after + 1 where key = 'early'");
  const found = await verifyLedgerPart(db, 'statements', mark);
  expect(found.map(({ subject }) => subject)).toEqual(['primary of member 1', 'primary of member 1']);
});
