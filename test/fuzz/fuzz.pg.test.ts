import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { workerCluster } from '#test/database/database.ts';
import { countOverdrawn, fuzz } from './fuzz.ts';
import { openFuzzWorld } from './world.ts';

const world = await openFuzzWorld(workerCluster(), 'fuzz_test');
afterAll(world.close);

const REQUESTS = 3000;

test('any request to any call is answered in time and as the contract says, and the ledger stays correct', {
  timeout: 600_000,
}, async () => {
  const report = await fuzz(world, { seed: 1, requests: REQUESTS, minutes: 8, lanes: 1 });
  expect(report.findings).toEqual([]);
  expect(report.requests).toBe(REQUESTS);
  expect(report.answers.size).toBeGreaterThan(250);
  expect(report.statuses.get(200)).toBeGreaterThan(REQUESTS / 10);
  expect(await verifyLedger(world.context.db)).toEqual([]);
  expect(await countOverdrawn(world)).toBe(0);
});
