import { expect, test } from 'vitest';
import { workerCluster } from '#test/database/database.ts';
import { killInside } from './kill-rounds.ts';

// `npm run faults` has all phases and more kills; restart.any.test.ts, bonus-restart.db.test.ts and
// pay-period.pg.test.ts stop runs at every query.
test('a server killed during settlement, and again during distribution, loses nothing and repeats nothing', {
  timeout: 180_000,
}, async () => {
  const report = await killInside(workerCluster(), ['settlement', 'bonus'], 1, 1000);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(2);
});
