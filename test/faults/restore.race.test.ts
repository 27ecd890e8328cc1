import { expect, test } from 'vitest';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { rehearseRestore } from './restore.ts';

test('a restore to a point in time has all acknowledged before it, nothing later, and a valid ledger', async () => {
  const { before, after, faults } = await rehearseRestore(1000, scratchFolder());
  expect(faults).toEqual([]);
  expect(before).toBeGreaterThan(0);
  expect(after).toBeGreaterThan(0);
}, 120_000);
