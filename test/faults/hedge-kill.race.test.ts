import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, findPostgresPrograms, startCluster } from '../postgres-cluster.ts';
import { killInsideHedge } from './hedge-kill.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(findPostgresPrograms() as string);
});

afterAll(() => cluster.stop());

test('a server killed around sending hedge orders doubles none and books each fill once', {
  timeout: 240_000,
}, async () => {
  const report = await killInsideHedge(cluster, 1);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
});
