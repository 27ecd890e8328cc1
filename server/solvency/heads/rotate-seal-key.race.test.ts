import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sealAudit } from '#server/audit/index.ts';
import { execute } from '#server/db/rows.ts';
import { makeKeyFile } from '#server/signing/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { takeDailySnapshot } from '../take-snapshot.ts';
import { openSealedWorld } from './heads-world.test-setup.ts';
import { rotateSealKey } from './rotate-seal-key.ts';
import { verifySignatures } from './verify-signatures.ts';

test.each([
  ['a seal is being signed', 'signing.signature', sealAudit],
  ['a proof of liabilities is being written', 'solvency.snapshot', takeDailySnapshot],
] as const)('a key rotated while %s signs only what comes after it', async (_, table, seal) => {
  const world = await openSealedWorld();
  const { db } = closeAfterAll(world.database);
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-key-'));
  closeAfterAll({ close: async () => rmSync(folder, { recursive: true }) });
  const file = join(folder, 'seal.key');
  makeKeyFile(file, world.sealKey);
  await world.note('member:99');
  await sql`update market.clock set at = at + interval '1 day'`.execute(db);

  const waits = async (count: number) => waitFor(async () => (await countLockWaits(db)) === count, `${count} wait`);
  const release = await holdOpen(db, (tx) => execute(tx)`lock table ${sql.table(table)} in share mode`);
  const sealing = seal(world.context);
  await waits(1);
  const rotating = rotateSealKey(world.context, file, false);
  await Promise.race([rotating, waits(2)]);
  await release();
  await sealing;
  expect(await verifySignatures(db, await rotating)).toEqual([]);
});
