import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectEmbedded } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';

/** A migrated embedded database as a file that each test file loads, which is faster than migrating again. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-pglite-'));
  const database = await connectEmbedded(undefined);
  await migrate(database);
  const dump = await database.pglite?.dumpDataDir('none');
  await database.close();
  if (dump === undefined) throw new Error('no dump');
  const file = join(folder, 'snapshot.tar');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
  project.provide('pgliteSnapshot', file);
  return () => rmSync(folder, { recursive: true, force: true });
}
