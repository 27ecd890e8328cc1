import { expect, test } from 'vitest';
import { workerCluster } from '../database.ts';
import { stormChecks } from './check-storm.ts';

// `npm run faults` storms for five minutes.
test('books that are checked while they are sealed, traded on and paid from are never found wrong, and a planted fault is found by one check', {
  timeout: 120_000,
}, async () => {
  const { checks, seals, trades, faults } = await stormChecks(workerCluster(), 10);
  expect(faults).toEqual([]);
  expect(Math.min(checks, seals, trades)).toBeGreaterThan(1);
});
