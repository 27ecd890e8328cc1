import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#test/kit/property-runs.ts';
import { aKeptSeal, aSeal } from '../../web/test/solvency-seal.ts';
import { checkLeaf, snapshotFault } from './check-leaf.ts';
import {
  emptyNode,
  hex,
  type LeafContent,
  leafAccounts,
  leafNode,
  levelsOf,
  parentNode,
  type SumNode,
  SumTree,
  snapshotHash,
} from './merkle-sum.ts';
import type { SolvencySnapshot, SplitLeaf, WholeLeaf } from './proof.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const zeros = new Uint8Array(32);

/** Balances of one member; the nonce is derived from the code. */
const leafOf = (referralCode: string, primary: bigint, profit = 0n): LeafContent => ({
  snapshotNo: 3n,
  referralCode,
  balances: { primary, profit, trade_escrow: 0n, investment: 0n, withdrawal_hold: 0n },
  nonce: sha256(new TextEncoder().encode(referralCode)),
});

/** A server that seals any given leaves, valid or not, and claims the given liabilities. */
function seal(contents: readonly LeafContent[], claims: { liabilities?: bigint; leaves?: number; no?: bigint } = {}) {
  const levels: SumNode[][] = [contents.map((content) => leafNode(content, sha256))];
  for (let below = levels[0] as SumNode[]; below.length > 1; below = levels.at(-1) as SumNode[]) {
    const above: SumNode[] = [];
    for (let at = 0; at < below.length; at += 2)
      above.push(parentNode(below[at] as SumNode, below[at + 1] ?? emptyNode(sha256), sha256));
    levels.push(above);
  }
  const root = (levels.at(-1) as SumNode[])[0] as SumNode;
  const snapshot = signed(root, claims.liabilities ?? root.sum, claims.leaves ?? contents.length, claims.no ?? 3n);
  const leaf = (position: number): WholeLeaf => {
    const content = contents[position] as LeafContent;
    return {
      referral_code: content.referralCode,
      balances_micros: texts(content.balances),
      nonce: hex(content.nonce),
      position,
      path: levels.slice(0, -1).map((level, height) => {
        const node = level[(position >> height) ^ 1] ?? emptyNode(sha256);
        return { sum_micros: node.sum.toString(), hash: hex(node.hash) };
      }),
    };
  };
  return { snapshot, leaf, root };
}

const texts = (balances: LeafContent['balances']) =>
  Object.fromEntries(leafAccounts.map((name) => [name, balances[name].toString()])) as WholeLeaf['balances_micros'];

/** A snapshot with any content, whose own hash is correct. */
function signed(root: SumNode, liabilities: bigint, leaves: number, no: bigint): SolvencySnapshot {
  const content = {
    version: 1 as const,
    no,
    marketDay: '2026-03-04',
    takenAtMs: BigInt(Date.parse('2026-11-21T00:00:00.000Z')),
    leaves: BigInt(leaves),
    root,
    liabilities,
    sealNo: 7n,
    sealHash: zeros,
    previousHash: zeros,
  };
  return {
    version: 1,
    no: no.toString(),
    market_day: content.marketDay,
    taken_at: '2026-11-21T00:00:00.000Z',
    leaves,
    sum_micros: root.sum.toString(),
    root: hex(root.hash),
    liabilities_micros: liabilities.toString(),
    ledger_seal: { no: '7', hash: hex(zeros) },
    previous_hash: hex(zeros),
    hash: hex(snapshotHash(content, sha256)),
  };
}

const check = (snapshot: SolvencySnapshot, leaf: WholeLeaf, ownCode: string) =>
  checkLeaf(snapshot, { snapshot, leaf }, ownCode, sha256).fault;

const five = ['ANNA', 'BEN', 'CARA', 'DAN', 'EVE'].map((code, at) => leafOf(code, BigInt(at + 1) * 1_000_000n, 5n));
const honest = seal(five);

describe('an honest snapshot', () => {
  test('counts every member, and gives each a path to the same root', () => {
    for (const [position, { referralCode }] of five.entries()) {
      const { fault, paths } = checkLeaf(
        honest.snapshot,
        { snapshot: honest.snapshot, leaf: honest.leaf(position) },
        referralCode,
        sha256,
      );
      expect(fault).toBeUndefined();
      const nodes = paths[0] ?? [];
      expect(nodes).toHaveLength(4);
      expect(nodes.at(-1)).toEqual(honest.root);
      expect(nodes[0]?.sum).toBe(BigInt(position + 1) * 1_000_000n + 5n);
    }
    expect(honest.root.sum).toBe(15_000_025n);
  });

  test('of any number of members has a path for each, and the same root when built leaf by leaf', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 1, maxLength: 40 }), (amounts) => {
        const contents = amounts.map((amount, at) => leafOf(`M${at}`, amount));
        const { snapshot, leaf, root } = seal(contents);
        for (const at of contents.keys()) expect(check(snapshot, leaf(at), `M${at}`)).toBeUndefined();
        const tree = new SumTree(sha256);
        for (const content of contents) tree.add(leafNode(content, sha256));
        expect(tree.root()).toEqual(root);
      }),
      { numRuns: runs(40) },
    );
  });

  test('of one member has that leaf as its root', () => {
    const alone = seal([leafOf('ANNA', 7n)]);
    expect(check(alone.snapshot, alone.leaf(0), 'ANNA')).toBeUndefined();
    expect(alone.leaf(0).path).toEqual([]);
  });

  test('without leaves has no root', () => {
    expect(new SumTree(sha256).root()).toBeUndefined();
  });

  test.each([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [1_000_000, 20],
  ])('of %d leaves has them %d levels below the root', (leaves, levels) => {
    expect(levelsOf(leaves)).toBe(levels);
  });
});

describe('a cheating snapshot', () => {
  test('that shows one leaf to two members is refused by the second', () => {
    expect(check(honest.snapshot, honest.leaf(0), 'ANNA')).toBeUndefined();
    expect(check(honest.snapshot, honest.leaf(0), 'BEN')).toBe('not_yours');
    // With the other member's code in place of the first, the leaf hash differs.
    expect(check(honest.snapshot, { ...honest.leaf(0), referral_code: 'BEN' }, 'BEN')).toBe('wrong_root');
  });

  test('with a negative balance is refused by its neighbour and by its owner', () => {
    const cheat = seal([leafOf('ANNA', 10n), leafOf('GHOST', -8n)], { liabilities: 2n });
    expect(check(cheat.snapshot, cheat.leaf(0), 'ANNA')).toBe('negative');
    expect(check(cheat.snapshot, cheat.leaf(1), 'GHOST')).toBe('negative');
  });

  test('with a negative sum higher up is refused by everybody whose path meets it', () => {
    const leaves = [leafOf('ANNA', 10n), leafOf('BEN', 20n), leafOf('GHOST', -25n), leafOf('DAN', 1n)];
    const cheat = seal(leaves, { liabilities: 6n });
    expect(check(cheat.snapshot, cheat.leaf(0), 'ANNA')).toBe('negative');
    expect(check(cheat.snapshot, cheat.leaf(1), 'BEN')).toBe('negative');
  });

  test('whose sums overflow is refused', () => {
    const most = 2n ** 63n - 1n;
    const leaf = {
      ...honest.leaf(0),
      path: [{ sum_micros: most.toString(), hash: hex(zeros) }, ...honest.leaf(0).path.slice(1)],
    };
    expect(check(honest.snapshot, leaf, 'ANNA')).toBe('too_large');
    const beyond = { ...leaf, path: [{ sum_micros: (most + 1n).toString(), hash: hex(zeros) }, ...leaf.path.slice(1)] };
    expect(check(honest.snapshot, beyond, 'ANNA')).toBe('too_large');
    const whole = { ...honest.leaf(0), balances_micros: texts(leafOf('ANNA', most, 1n).balances) };
    expect(check(honest.snapshot, whole, 'ANNA')).toBe('too_large');
  });

  test('with a sum other than its root’s is refused', () => {
    const less = signed({ ...honest.root, sum: honest.root.sum - 1_000_000n }, honest.root.sum - 1_000_000n, 5, 3n);
    expect(check(less, honest.leaf(0), 'ANNA')).toBe('wrong_sum');
  });

  test('that omits a member is refused by everybody, because the ledger owes more than its root', () => {
    const owed = honest.root.sum;
    const cheat = seal(five.slice(0, 4), { liabilities: owed });
    for (const at of [0, 1, 2, 3])
      expect(check(cheat.snapshot, cheat.leaf(at), five[at]?.referralCode ?? '')).toBe('hidden_member');
    expect(snapshotFault(cheat.snapshot, sha256)).toBe('hidden_member');
  });

  test('that hides a member in place of the empty node is refused by its neighbour', () => {
    const three = seal(five.slice(0, 3));
    const six = seal([...five, leafOf('FAY', 9n)], { leaves: 5 });
    expect(check(three.snapshot, three.leaf(2), 'CARA')).toBeUndefined();
    expect(check(six.snapshot, six.leaf(4), 'EVE')).toBe('wrong_path');
  });

  test('that gives a member no neighbour where there is one is refused', () => {
    const four = seal(five.slice(0, 3), { leaves: 4 });
    expect(check(four.snapshot, four.leaf(2), 'CARA')).toBe('wrong_path');
  });

  const { path, balances_micros } = honest.leaf(0);
  test.each<[string, Partial<WholeLeaf>, string]>([
    ['with a shorter path', { path: path.slice(1) }, 'wrong_path'],
    ['with a longer path', { path: [...path, ...path] }, 'wrong_path'],
    ['with an endless path', { path: Array(5000).fill(path[0]) }, 'wrong_path'],
    ['with a leaf beyond the last one', { position: 5 }, 'wrong_path'],
    ['with a leaf before the first one', { position: -1 }, 'wrong_path'],
    ['with a leaf between two', { position: 0.5 }, 'wrong_path'],
    ['that moves the leaf', { position: 1 }, 'wrong_root'],
    [
      'that shows a member less than it sealed',
      { balances_micros: { ...balances_micros, primary: '999999' } },
      'wrong_root',
    ],
    [
      'with a smaller sum for a neighbour than the sealed one',
      { path: path.map((step, at) => (at === 1 ? { ...step, sum_micros: '1' } : step)) },
      'wrong_root',
    ],
  ])('%s is refused', (_what, change, fault) => {
    expect(check(honest.snapshot, { ...honest.leaf(0), ...change }, 'ANNA')).toBe(fault);
  });

  test('that answers with the path of another snapshot is refused', () => {
    const other = seal(
      five.map((content) => ({ ...content, snapshotNo: 2n })),
      { no: 2n },
    );
    expect(check(honest.snapshot, other.leaf(0), 'ANNA')).toBe('wrong_root');
    const given = { snapshot: other.snapshot, leaf: other.leaf(0) };
    expect(checkLeaf(honest.snapshot, given, 'ANNA', sha256).fault).toBe('other_snapshot');
  });

  test('that passes an inner node off as a leaf is refused: leaves and nodes are hashed differently', () => {
    const [left, right] = [leafNode(five[0] as LeafContent, sha256), leafNode(five[1] as LeafContent, sha256)];
    const parent = parentNode(left, right, sha256);
    expect(hex(parent.hash)).not.toBe(hex(leafNode({ ...(five[0] as LeafContent), nonce: parent.hash }, sha256).hash));
    expect(hex(emptyNode(sha256).hash)).not.toBe(hex(sha256(new Uint8Array())));
  });

  test.each([
    ['no', '4'],
    ['market_day', '2026-03-05'],
    ['taken_at', '2026-11-21T00:00:00.001Z'],
    ['leaves', 6],
    ['sum_micros', '15000024'],
    ['root', hex(zeros)],
    ['liabilities_micros', '15000026'],
    ['ledger_seal', { no: '8', hash: hex(zeros) }],
    ['previous_hash', 'ff'.repeat(32)],
  ])('whose %s was changed after sealing is refused', (field, value) => {
    expect(snapshotFault({ ...honest.snapshot, [field]: value }, sha256)).toBe('wrong_seal');
  });

  test('that cannot be parsed is refused', () => {
    const leaf = honest.leaf(0);
    const broken: unknown[] = [
      { ...leaf, nonce: 'AB' },
      { ...leaf, referral_code: 5 },
      { ...leaf, path: undefined },
      { ...leaf, path: [{ sum_micros: '1e9', hash: hex(zeros) }] },
      { ...leaf, path: [{ sum_micros: '1', hash: 'zz'.repeat(32) }] },
      { ...leaf, balances_micros: { primary: '1' } },
    ];
    for (const one of broken) expect(check(honest.snapshot, one as WholeLeaf, 'ANNA')).toBe('unreadable');
    const heads: Partial<Record<keyof SolvencySnapshot, unknown>>[] = [
      { leaves: 0 },
      { leaves: 1.5 },
      { taken_at: 'noon' },
      { market_day: 'today' },
      { sum_micros: 'x' },
      { liabilities_micros: 5 },
      { root: '' },
      { ledger_seal: undefined },
      { previous_hash: null },
    ];
    for (const change of heads)
      expect(snapshotFault({ ...honest.snapshot, ...change } as SolvencySnapshot, sha256)).toBe('unreadable');
    expect(snapshotFault({ ...honest.snapshot, sum_micros: '-1' }, sha256)).toBe('negative');
  });
});

describe('a proof of version 2', () => {
  const CODE = 'TW7K3QMX9D';
  const { snapshot, leaf } = aSeal(CODE);
  const split = (change: Partial<SplitLeaf>) =>
    checkLeaf(snapshot, { snapshot, leaf: { ...leaf, ...change } }, CODE, sha256);
  const parts = (change: (part: SplitLeaf['parts'][number], at: number) => object) =>
    split({ parts: leaf.parts.map((part, at) => ({ ...part, ...change(part, at) })) }).fault;

  test('has a path from every part to the root', () => {
    const { fault, paths } = split({});
    expect(fault).toBeUndefined();
    expect(paths).toHaveLength(3);
    for (const path of paths) expect(hex(path.at(-1)?.hash ?? zeros)).toBe(snapshot.root);
  });

  test('does not invalidate a stored proof of version 1', () => {
    const kept = aKeptSeal(CODE);
    expect(checkLeaf(kept.snapshot, kept, CODE, sha256).fault).toBeUndefined();
    expect(checkLeaf({ ...kept.snapshot, version: 1 }, kept, CODE, sha256).fault).toBeUndefined();
    // The hash commits to the version as well.
    expect(checkLeaf({ ...kept.snapshot, version: 2 }, kept, CODE, sha256).fault).toBe('wrong_seal');
    expect(checkLeaf(snapshot, { snapshot, leaf: kept.leaf }, CODE, sha256).fault).toBe('unreadable');
    const whole = { snapshot: kept.snapshot, leaf };
    expect(checkLeaf(kept.snapshot, whole, CODE, sha256).fault).toBe('unreadable');
  });

  test('that omits a part, or shows none or too many, is refused', () => {
    expect(split({ parts: leaf.parts.slice(1) }).fault).toBe('wrong_split');
    expect(split({ parts: [] }).fault).toBe('wrong_split');
    expect(split({ parts: Array(9).fill(leaf.parts[0]) }).fault).toBe('wrong_split');
  });

  test('that shows one leaf for two parts is refused: each commits to its number', () => {
    const [first, second] = leaf.parts;
    const half = leaf.parts.map((part) => ({ ...part, amount_micros: first?.amount_micros ?? '' }));
    const balances_micros = { ...leaf.balances_micros, primary: '12000000000' };
    expect(split({ parts: half, balances_micros }).fault).toBe('wrong_split');
    expect(split({ parts: [second, first, leaf.parts[2]] as SplitLeaf['parts'] }).fault).toBe('wrong_root');
  });

  test.each<[string, (part: SplitLeaf['parts'][number], at: number) => object, string]>([
    ['a negative part', (_, at) => (at === 0 ? { amount_micros: '-1' } : {}), 'negative'],
    [
      'parts that cancel each other out',
      ({ amount_micros }, at) =>
        at < 2 ? { amount_micros: String(BigInt(amount_micros) + (at === 0 ? 1n : -1n)) } : {},
      'wrong_root',
    ],
    ['another leaf index', () => ({ position: 6 }), 'wrong_root'],
    ['a shorter path', ({ path }) => ({ path: path.slice(1) }), 'wrong_path'],
    ['no path', () => ({ path: undefined }), 'unreadable'],
    [
      'a negative neighbour',
      ({ path }) => ({ path: [{ ...path[0], sum_micros: '-1' }, ...path.slice(1)] }),
      'negative',
    ],
  ])('with %s is refused', (_what, change, fault) => {
    expect(parts(change)).toBe(fault);
  });
});
