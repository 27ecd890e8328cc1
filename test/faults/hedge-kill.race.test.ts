import { expect, test } from 'vitest';
import { workerCluster } from '../database.ts';
import { killInsideHedge } from './hedge-kill.ts';

test('a server killed around sending hedge orders doubles none and books each fill once', {
  timeout: 240_000,
}, async () => {
  const report = await killInsideHedge(workerCluster(), 1);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
});
