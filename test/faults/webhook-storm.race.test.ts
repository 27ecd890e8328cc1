import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, findPostgresPrograms, startCluster } from '../postgres-cluster.ts';
import { stormWebhooks } from './webhook-storm.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(findPostgresPrograms() as string);
});

afterAll(() => cluster.stop());

// `npm run faults webhooks` has 10 000 deliveries and more kills.
test('webhooks five times each, shuffled, 32 at once, with a kill in between: each deposit has once what arrived', {
  timeout: 180_000,
}, async () => {
  const report = await stormWebhooks(cluster, { deposits: 18, kills: 1 });
  expect(report.faults).toEqual([]);
  expect(report.deliveries).toBeGreaterThan(200);
});
