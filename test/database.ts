import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import { connectEmbedded, connectPostgres, type Database } from '#server/db/connect.ts';
import { TEMPLATE } from './postgres-setup.ts';

/**
 * A fresh, migrated database on the engine of the running test project. Call it in `beforeAll` (or per test where
 * isolation matters) and close it in `afterAll`.
 */
export async function openTestDatabase(): Promise<Database> {
  return inject('engine') === 'pglite' ? openEmbedded() : openPostgres();
}

async function openEmbedded(): Promise<Database> {
  return connectEmbedded(undefined, new Blob([readFileSync(inject('pgliteSnapshot'))]));
}

async function openPostgres(): Promise<Database> {
  const adminUrl = clusterOfThisWorker();
  const name = `t_${randomBytes(8).toString('hex')}`;
  const admin = connectPostgres(adminUrl, { max: 1 });
  await admin.runScript(`create database ${name} template ${TEMPLATE}`);
  await admin.close();
  return connectPostgres(adminUrl.replace(/\/postgres$/, `/${name}`), { max: 30 });
}

/** Workers are numbered from 1; each has a cluster to itself. */
export function clusterOfThisWorker(): string {
  const urls = inject('postgresUrls');
  return urls[Number(process.env.VITEST_POOL_ID ?? 1) % urls.length] as string;
}
