import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startCluster } from '#test/database/postgres-cluster.ts';
import { tryForgeries } from './walk.ts';
import { playWalk } from './walk-world.ts';

test('forgeries by the server’s role and the owner are refused or detected; an untouched copy verifies', async () => {
  const cluster = await startCluster();
  closeAfterAll({ close: () => cluster.stop() });
  const world = closeAfterAll(await playWalk(cluster, 'walk', { members: 6, minutes: 6, tradesPerMinute: 6 }));
  const { before, outcomes, beyond } = await tryForgeries(cluster, world);
  expect(before).toEqual([]);
  expect(outcomes.filter(({ result }) => result === 'missed')).toEqual([]);
  const refused = outcomes.filter(({ result }) => result === 'refused');
  expect(refused.length).toBeGreaterThan(15);
  expect(new Set(refused.map(({ forger }) => forger))).toEqual(new Set(['app']));
  expect(outcomes.filter(({ by }) => by.includes('was published at')).map(({ name }) => name)).toEqual([
    expect.stringContaining('the newest seal of the ledger'),
    expect.stringContaining('the newest seal of the audit log'),
    expect.stringContaining('the newest seal of the proofs of liabilities'),
  ]);
  expect(beyond.result).toBe('missed');
});
