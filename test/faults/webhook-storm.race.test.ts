import { expect, test } from 'vitest';
import { workerCluster } from '#test/database/database.ts';
import { stormWebhooks } from './webhook-storm.ts';

// `npm run faults webhooks` has 10 000 deliveries and more kills.
test('webhooks sent five times, shuffled, 32 concurrently, with a kill in between credit each deposit once', {
  timeout: 180_000,
}, async () => {
  const report = await stormWebhooks(workerCluster(), { deposits: 18, kills: 1 });
  expect(report.faults).toEqual([]);
  expect(report.deliveries).toBeGreaterThan(200);
});
