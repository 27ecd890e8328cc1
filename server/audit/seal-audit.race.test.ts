import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import { sealAudit, verifyAudit, writeAudit } from './index.ts';

const database = closeAfterAll(await openTestDatabase());

const write = (subject: string, meanwhile: () => Promise<unknown> = async () => {}) =>
  inTransaction(database.db, async (tx) => {
    await writeAudit(tx, { actor: { kind: 'system', id: null }, action: 'test.made', subject });
    await meanwhile();
  });

test('an entry whose transaction ends after later ones were sealed is in the next seal, not in none', async () => {
  let during: unknown;
  await write('slow', async () => {
    await write('quick');
    // The slow transaction is still running, so the quick one is not final either.
    during = await sealAudit(testContext(database));
  });
  expect(during).toBeUndefined();
  expect(await sealAudit(testContext(database))).toMatchObject({ entryCount: 2n });
  expect(await verifyAudit(database.db)).toEqual([]);
});

test('eight processes that write and seal concurrently make one unbroken chain over every entry', async () => {
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (let turn = 0; turn < 5; turn += 1) {
          await write(`round ${round} writer ${index} turn ${turn}`);
          await sealAudit(testContext(database));
        }
      }),
    );
  }
  await sealAudit(testContext(database));
  expect(await verifyAudit(database.db)).toEqual([]);
  expect(await sealAudit(testContext(database))).toBeUndefined();
});
