import { sha256 } from '@noble/hashes/sha2.js';
import {
  emptyNode,
  hex,
  type LeafContent,
  leafAccounts,
  leafNode,
  memberHash,
  parentNode,
  partNode,
  type SumNode,
  snapshotHash,
} from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf, SolvencySnapshot, SplitLeaf, WholeLeaf } from '#contract/solvency/proof.ts';

const zeros = '0'.repeat(64);

/** The balances in the page's mock, of the member whose proof is shown. */
const own: LeafContent['balances'] = {
  primary: 5_718_635_000n,
  profit: 862_087_400n,
  trade_escrow: 0n,
  investment: 2_797_030_500n,
  withdrawal_hold: 300_000_000n,
};
const nothing = { primary: 0n, profit: 0n, trade_escrow: 0n, investment: 0n, withdrawal_hold: 0n };

const contentOf = (referralCode: string, nonce: number, balances = own): LeafContent => ({
  snapshotNo: 9n,
  referralCode,
  balances,
  nonce: new Uint8Array(32).fill(nonce),
});

/** The positions and amounts of the member's parts. */
const parts = [
  [5, 4_000_000_000n],
  [2, 677_752_900n],
  [17, 5_000_000_000n],
] as const;

/** A version 2 proof with that many leaves: three parts of the member, 1 $ of everybody else and padding. */
export function aSeal(referralCode: string, leaves = 32): { snapshot: SolvencySnapshot; leaf: SplitLeaf } {
  const content = contentOf(referralCode, 5);
  const hash = memberHash(content, sha256);
  const nodes = Array.from({ length: leaves }, (_, at) => {
    const no = parts.findIndex(([position]) => position === at);
    const [, amount] = parts[no] ?? [];
    if (amount !== undefined) return partNode(hash, no + 1, amount, sha256);
    return partNode(new Uint8Array(32).fill(at), 1, at % 3 === 0 ? 0n : 1_000_000n, sha256);
  });
  const levels = levelsAbove(nodes);
  return {
    snapshot: headOf(2, levels),
    leaf: {
      ...shownOf(content),
      parts: parts.map(([position, amount]) => ({
        amount_micros: amount.toString(),
        position,
        path: pathOf(levels, position),
      })),
    },
  };
}

/** A stored proof from before version 2: one leaf per member, the given one at place 5, and no version. */
export function aKeptSeal(referralCode: string, members = 20) {
  const contents = Array.from({ length: members }, (_, at) =>
    at === 5 ? contentOf(referralCode, at) : contentOf(`TW${at}`, at, { ...nothing, primary: 1_000_000n }),
  );
  const levels = levelsAbove(contents.map((content) => leafNode(content, sha256)));
  const { version: _, ...snapshot } = headOf(1, levels);
  const leaf: WholeLeaf = {
    ...shownOf(contents[5] as LeafContent),
    position: 5,
    path: pathOf(levels, 5),
  };
  return { snapshot, leaf };
}

function levelsAbove(leaves: readonly SumNode[]): (readonly SumNode[])[] {
  const levels: (readonly SumNode[])[] = [leaves];
  for (let below = leaves; below.length > 1; below = levels.at(-1) ?? []) {
    const pairs = Array.from({ length: Math.ceil(below.length / 2) }, (_, at) => below.slice(at * 2, at * 2 + 2));
    levels.push(pairs.map(([left, right]) => parentNode(left as SumNode, right ?? emptyNode(sha256), sha256)));
  }
  return levels;
}

const pathOf = (levels: readonly (readonly SumNode[])[], position: number): WholeLeaf['path'] =>
  levels.slice(0, -1).map((level, height) => {
    const { sum, hash } = level[(position >> height) ^ 1] ?? emptyNode(sha256);
    return { sum_micros: sum.toString(), hash: hex(hash) };
  });

function shownOf({ referralCode, balances, nonce }: LeafContent) {
  const named = leafAccounts.map((name) => [name, balances[name].toString()]);
  return {
    referral_code: referralCode,
    balances_micros: Object.fromEntries(named) as SolvencyLeaf['balances_micros'],
    nonce: hex(nonce),
  };
}

function headOf(version: 1 | 2, levels: readonly (readonly SumNode[])[]): SolvencySnapshot {
  const root = levels.at(-1)?.[0] as SumNode;
  const leaves = levels[0]?.length ?? 0;
  const head = {
    version,
    no: '9',
    market_day: '2026-03-04',
    taken_at: '2026-11-21T00:00:00.000Z',
    leaves,
    sum_micros: root.sum.toString(),
    root: hex(root.hash),
    liabilities_micros: root.sum.toString(),
    ledger_seal: { no: '0', hash: zeros },
    previous_hash: zeros,
  };
  const content = {
    version,
    no: 9n,
    marketDay: head.market_day,
    takenAtMs: BigInt(Date.parse(head.taken_at)),
    leaves: BigInt(leaves),
    root,
    liabilities: root.sum,
    sealNo: 0n,
    sealHash: new Uint8Array(32),
    previousHash: new Uint8Array(32),
  };
  return { ...head, hash: hex(snapshotHash(content, sha256)) };
}
