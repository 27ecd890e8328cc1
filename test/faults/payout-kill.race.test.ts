import { expect, test } from 'vitest';
import { workerCluster } from '#test/database/database.ts';
import { killInsidePayout, payoutSteps } from './payout-kill.ts';

// `npm run faults` runs each step many times; restart.pg.test.ts of payouts kills a worker at every query and call.
test('a server killed while the gateway accepts its payout does not repeat it, and finds it', {
  timeout: 240_000,
}, async () => {
  const ordering = payoutSteps.filter(({ call, laterMs }) => call === 'createPayout' && laterMs === 0);
  const report = await killInsidePayout(workerCluster(), 1, ordering);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
});
