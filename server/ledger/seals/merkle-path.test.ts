import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MerklePath, MerkleTree, rootOfPath, sha256 } from './merkle.ts';

const leavesOf = (count: number) => Array.from({ length: count }, (_, at) => sha256(Buffer.from(`leaf ${at}`)));

function rootOf(leaves: readonly Buffer[]): Buffer {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

function pathOf(leaves: readonly Buffer[], index: number) {
  const path = new MerklePath(index);
  for (const leaf of leaves) path.add(leaf);
  return path.finish();
}

test('the path of every leaf of every tree leads to its root', () => {
  for (let count = 1; count <= 33; count += 1) {
    const leaves = leavesOf(count);
    const root = rootOf(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const found = pathOf(leaves, index);
      expect(found.leaves).toBe(count);
      expect(rootOfPath(leaf, found.steps)).toEqual(root);
    }
  }
});

test('of three leaves the first has two steps, both on its right, and the third one, on its left', () => {
  const leaves = leavesOf(3);
  expect(pathOf(leaves, 0).steps.map(({ side }) => side)).toEqual(['right', 'right']);
  expect(pathOf(leaves, 2).steps.map(({ side }) => side)).toEqual(['left']);
});

test('another leaf under the same path leads elsewhere', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (count, at) => {
      const leaves = leavesOf(count);
      const index = at % count;
      const { steps } = pathOf(leaves, index);
      expect(rootOfPath(sha256(Buffer.from('forged')), steps)).not.toEqual(rootOf(leaves));
    }),
  );
});

test('a leaf that is not there has no path', () => {
  expect(() => pathOf(leavesOf(3), 3)).toThrow('one of those that were added');
});
