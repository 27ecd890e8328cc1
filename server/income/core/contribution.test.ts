import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contributedPartsOf, type PoolTrader, poolContributionOf, upTo } from './contribution.ts';
import { weeklyCap } from './weekly.ts';

test.each([
  // fee, fees, fill, put
  [400_000n, 10_000_000n, 1_000_000n, 40_000n],
  // Rounded down, and of a session without fees nothing.
  [1n, 3n, 2n, 0n],
  [0n, 0n, 0n, 0n],
  // The execution cost used up the whole fill.
  [400_000n, 400_000n, 0n, 0n],
])('a fee of %s in fees of %s that fill a pool with %s put %s in', (fee, fees, fill, put) => {
  expect(poolContributionOf({ fee, fees, fill })).toBe(put);
});

test('a contribution is split evenly among qualifying ancestors, and nobody else has a part', () => {
  const traders: PoolTrader[] = [
    { contribution: 4_000_001n, upline: [3n, 2n, 1n] },
    { contribution: 7n, upline: [4n, 1n] },
    { contribution: 5n, upline: [2n, 1n] },
  ];
  expect(contributedPartsOf(traders, new Set([2n, 3n, 5n]))).toEqual(
    new Map([
      [2n, 2_000_000n + 5n],
      [3n, 2_000_000n],
      [5n, 0n],
    ]),
  );
});

const LEVELS = 10;
const micros = fc.bigInt({ min: 0n, max: 10n ** 12n });

/** Nodes by their parent, −1 for the company: chains of accounts as well as wide teams. */
const forest = fc
  .array(fc.record({ bend: fc.nat(), isChained: fc.boolean() }), { minLength: 1, maxLength: 60 })
  .map((nodes) => nodes.map(({ bend, isChained }, index) => (isChained ? index - 1 : (bend % (index + 1)) - 1)));

/** Every node with its contribution, whether it qualifies, and its maximum payment, such as a rank's monthly income. */
const world = forest.chain((above) =>
  fc.record({
    above: fc.constant(above),
    nodes: fc.array(fc.record({ put: fc.oneof(fc.constant(0n), micros), qualifies: fc.boolean(), rankPays: micros }), {
      minLength: above.length,
      maxLength: above.length,
    }),
    /** Contributions from outside these nodes, and rounding remainders. */
    others: micros,
    capBps: fc.integer({ min: 1, max: 10_000 }),
    heads: fc.array(fc.nat({ max: above.length - 1 }), { minLength: 1, maxLength: 4 }),
  }),
);

const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n);
const uplineOf = (above: readonly number[], index: number): bigint[] => {
  const ids: bigint[] = [];
  for (let at = above[index] ?? -1; at >= 0 && ids.length < LEVELS; at = above[at] ?? -1) ids.push(BigInt(at));
  return ids;
};

/** Some nodes with all their descendants, so that accounts they sponsor are in the group at any depth. */
function groupOf(above: readonly number[], heads: readonly number[]): Set<bigint> {
  const group = new Set(heads.map(BigInt));
  for (const [index, sponsor] of above.entries()) if (group.has(BigInt(sponsor))) group.add(BigInt(index));
  return group;
}

test('no closed group of accounts gets more from a pool than its own fees contributed, whatever the forest, ranks and activity', () => {
  fc.assert(
    fc.property(world, ({ above, nodes, others, capBps, heads }) => {
      const traders = nodes.map(({ put }, index) => ({ contribution: put, upline: uplineOf(above, index) }));
      const qualified = new Set(nodes.flatMap(({ qualifies }, index) => (qualifies ? [BigInt(index)] : [])));
      const parts = contributedPartsOf(traders, qualified);
      const fill = sum(nodes.map(({ put }) => put)) + others;
      const cap = weeklyCap(fill, capBps);
      const week = new Map([...parts].map(([id, part]) => [id, upTo(part, cap)]));
      const month = new Map([...parts].map(([id, part]) => [id, upTo(part, nodes[Number(id)]?.rankPays ?? 0n)]));
      const group = groupOf(above, heads);
      const put = sum(nodes.flatMap((node, index) => (group.has(BigInt(index)) ? [node.put] : [])));
      for (const paid of [parts, week, month]) {
        expect(sum([...paid].flatMap(([id, amount]) => (group.has(id) ? [amount] : []))) <= put).toBe(true);
        // The unpaid rest is released and is never negative.
        expect(sum(paid.values()) <= fill).toBe(true);
      }
      expect([...parts.keys()].every((id) => qualified.has(id))).toBe(true);
      expect([...week.values()].every((amount) => amount <= cap)).toBe(true);
    }),
  );
});

test('the contributions of a session are never more than its fill', () => {
  const session = fc.record({
    fees: fc.array(micros, { minLength: 1, maxLength: 30 }),
    bps: fc.bigInt({ min: 0n, max: 10_000n }),
  });
  fc.assert(
    fc.property(session, ({ fees, bps }) => {
      const all = sum(fees);
      const fill = (all * bps) / 10_000n;
      const puts = fees.map((fee) => poolContributionOf({ fee, fees: all, fill }));
      expect(sum(puts) <= fill).toBe(true);
      expect(fill - sum(puts) < BigInt(fees.length)).toBe(true);
    }),
  );
});
