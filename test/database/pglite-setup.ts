import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { connectEmbedded } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';

/** A migrated embedded database as a file, which test files load faster than they could migrate. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-pglite-'));
  const database = await connectEmbedded(undefined, await makeSmallDatabase());
  await migrate(database);
  for (const statement of lightening) await database.runScript(statement);
  const dump = await database.pglite?.dumpDataDir('none');
  await database.close();
  if (dump === undefined) throw new Error('no dump');
  const file = join(folder, 'snapshot.tar');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
  project.provide('pgliteSnapshot', file);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Uses a first WAL segment of 1 MB instead of 16, since each test file copies it. */
async function makeSmallDatabase(): Promise<Blob> {
  const pglite = await PGlite.create('memory://', { initDbStartParams: ['--wal-segsize=1'] });
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  return dump;
}

/** Skips what tests do not need at each opening, which halves the time it takes. */
const lightening = [
  "alter system set shared_buffers = '16MB'",
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'checkpoint',
];
