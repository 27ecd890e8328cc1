import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MerklePath, MerkleTree, rootOfPath, sha256 } from './merkle.ts';

const rootOf = (leaves: readonly Buffer[]): string => {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root().toString('hex');
};

/** RFC 6962 section 2.1 literally: split at the largest power of two below the number of leaves. */
function recursive(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), first);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.of(1), recursive(leaves.slice(0, split)), recursive(leaves.slice(split)));
}

const leaves = (count: number) => Array.from({ length: count }, (_, index) => sha256(Buffer.from(String(index))));

test('the roots match the certificate transparency test vectors of RFC 6962', () => {
  const vectors = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  expect(roots.map((_, count) => rootOf(vectors.slice(0, count).map((hex) => Buffer.from(hex, 'hex'))))).toEqual(roots);
});

test.for([0, 1, 2, 3, 5, 8, 100, 257])(
  'adding %i leaves one by one gives the same root as hashing them at once',
  (count) => {
    expect(rootOf(leaves(count))).toBe(recursive(leaves(count)).toString('hex'));
  },
);

test('changing, omitting, inserting or moving a leaf gives another root', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(), (count, at) => {
      const all = leaves(count);
      const place = at % (count - 1);
      const other = sha256(Buffer.from('other'));
      const changes = [
        all.with(place, other),
        all.toSpliced(place, 1),
        all.toSpliced(place, 0, other),
        all.toSpliced(place, 2, all[place + 1] as Buffer, all[place] as Buffer),
      ];
      expect(changes.map(rootOf)).not.toContain(rootOf(all));
    }),
  );
});

test('an inner node cannot be passed off as a leaf', () => {
  const [a, b] = leaves(2) as [Buffer, Buffer];
  const inner = Buffer.concat([sha256(Buffer.of(0), a), sha256(Buffer.of(0), b)]);
  expect(rootOf([inner])).not.toBe(rootOf([a, b]));
});

function pathOf(leaves: readonly Buffer[], index: number) {
  const path = new MerklePath(index);
  for (const leaf of leaves) path.add(leaf);
  return path.finish();
}

test('the path of every leaf of every tree leads to its root', () => {
  for (let count = 1; count <= 33; count += 1) {
    const all = leaves(count);
    const root = rootOf(all);
    for (const [index, leaf] of all.entries()) {
      const found = pathOf(all, index);
      expect(found.leaves).toBe(count);
      expect(rootOfPath(leaf, found.steps).toString('hex')).toBe(root);
    }
  }
});

test('of three leaves the first has two path steps, both on its right, and the third has one, on its left', () => {
  const all = leaves(3);
  expect(pathOf(all, 0).steps.map(({ side }) => side)).toEqual(['right', 'right']);
  expect(pathOf(all, 2).steps.map(({ side }) => side)).toEqual(['left']);
});

test('another leaf under the same path leads to another root', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (count, at) => {
      const all = leaves(count);
      const index = at % count;
      const { steps } = pathOf(all, index);
      expect(rootOfPath(sha256(Buffer.from('forged')), steps).toString('hex')).not.toBe(rootOf(all));
    }),
  );
});

test('a missing leaf has no path', () => {
  expect(() => pathOf(leaves(3), 3)).toThrow('one of those that were added');
});
