import { expect, test } from 'vitest';
import { workerCluster } from '../database.ts';
import { killInsidePayout, payoutSteps } from './payout-kill.ts';

// `npm run faults` has each step many times; restart.pg.test.ts of payouts ends a worker at every query and call.
test('a server killed while its order is taken does not order again, and finds what it ordered', {
  timeout: 240_000,
}, async () => {
  const ordering = payoutSteps.filter(({ call, laterMs }) => call === 'createPayout' && laterMs === 0);
  const report = await killInsidePayout(workerCluster(), 1, ordering);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
});
