import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectPostgres } from '#server/db/connect.ts';
import { type Cluster, findPostgresPrograms } from '#test/database/postgres-cluster.ts';
import { startMigratedCluster, TEMPLATE } from '#test/database/postgres-setup.ts';
import { unpackBrowser } from '#test/e2e/browser.ts';
import { type DemoPlace, MADE, makeDemoWorldIn } from '#test/e2e/demo-place.ts';
import { scratchFolder } from './scratch-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    demoPlace: DemoPlace;
  }
}

/**
 * Prepares the place of the browser tests' worlds. The demo world takes a while to create and is started here, while
 * tests without a browser still run; the journeys of `npm test` do not need it.
 */
export default async function setup(project: TestProject) {
  // Unpacks the browser first: workers doing so in parallel would start each other's incomplete file.
  await unpackBrowser();
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-demo-'));
  const cluster = findPostgresPrograms() === undefined ? undefined : await openCluster();
  const place: DemoPlace = { folder, postgresUrl: cluster?.url('postgres') ?? null };
  project.provide('demoPlace', place);
  const made = project.name === 'journeys' ? undefined : makeDemoWorldIn(place);
  return async () => {
    await made;
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function openCluster(): Promise<Cluster> {
  const cluster = await startMigratedCluster();
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 });
  await admin.runScript(`create database ${MADE} template ${TEMPLATE}`);
  await admin.close();
  return cluster;
}
