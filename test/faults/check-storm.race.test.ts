import { expect, test } from 'vitest';
import { workerCluster } from '#test/database/database.ts';
import { stormChecks } from './check-storm.ts';

// `npm run faults` runs for five minutes.
test('reconciliation during sealing, trading and payments has no discrepancies, and detects a planted fault', {
  timeout: 120_000,
}, async () => {
  const { checks, seals, trades, faults } = await stormChecks(workerCluster(), 10);
  expect(faults).toEqual([]);
  expect(Math.min(checks, seals, trades)).toBeGreaterThan(1);
});
