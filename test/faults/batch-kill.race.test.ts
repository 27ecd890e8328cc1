import { expect, test } from 'vitest';
import { workerCluster } from '#test/database/database.ts';
import { killInsideBatch } from './batch-kill.ts';

test('a server killed around a batch repeats no order, and books each fill and each trade once', {
  timeout: 240_000,
}, async () => {
  const report = await killInsideBatch(workerCluster(), 1);
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
});
