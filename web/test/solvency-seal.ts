import { sha256 } from '@noble/hashes/sha2.js';
import {
  emptyNode,
  hex,
  type LeafContent,
  leafAccounts,
  leafNode,
  parentNode,
  type SumNode,
  snapshotHash,
} from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf, SolvencySnapshot } from '#contract/solvency/proof.ts';

const zeros = '0'.repeat(64);

/** The balances of the page's mock, of whom the seal is shown to. */
const own: LeafContent['balances'] = {
  primary: 5_718_635_000n,
  profit: 862_087_400n,
  trade_escrow: 0n,
  investment: 2_797_030_500n,
  withdrawal_hold: 300_000_000n,
};
const nothing = { primary: 0n, profit: 0n, trade_escrow: 0n, investment: 0n, withdrawal_hold: 0n };

/** A seal of as many members, the given one at place 5, everybody else owed 1 $. */
export function aSeal(referralCode: string, members = 20): { snapshot: SolvencySnapshot; leaf: SolvencyLeaf } {
  const contentOf = (at: number): LeafContent => ({
    snapshotNo: 9n,
    referralCode: at === 5 ? referralCode : `TW${at}`,
    balances: at === 5 ? own : { ...nothing, primary: 1_000_000n },
    nonce: new Uint8Array(32).fill(at),
  });
  const levels: SumNode[][] = [Array.from({ length: members }, (_, at) => leafNode(contentOf(at), sha256))];
  for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? []) {
    const pairs = Array.from({ length: Math.ceil(below.length / 2) }, (_, at) => below.slice(at * 2, at * 2 + 2));
    levels.push(pairs.map(([left, right]) => parentNode(left as SumNode, right ?? emptyNode(sha256), sha256)));
  }
  const root = levels.at(-1)?.[0] as SumNode;
  const head = {
    no: '9',
    market_day: '2026-03-04',
    taken_at: '2026-11-21T00:00:00.000Z',
    leaves: members,
    sum_micros: root.sum.toString(),
    root: hex(root.hash),
    liabilities_micros: root.sum.toString(),
    ledger_seal: { no: '0', hash: zeros },
    previous_hash: zeros,
  };
  const content = {
    no: 9n,
    marketDay: head.market_day,
    takenAtMs: BigInt(Date.parse(head.taken_at)),
    leaves: BigInt(members),
    root,
    liabilities: root.sum,
    sealNo: 0n,
    sealHash: new Uint8Array(32),
    previousHash: new Uint8Array(32),
  };
  const path = levels.slice(0, -1).map((level, height) => level[(5 >> height) ^ 1] ?? emptyNode(sha256));
  const balances = leafAccounts.map((name) => [name, own[name].toString()]);
  return {
    snapshot: { ...head, hash: hex(snapshotHash(content, sha256)) },
    leaf: {
      referral_code: referralCode,
      balances_micros: Object.fromEntries(balances) as SolvencyLeaf['balances_micros'],
      nonce: hex(contentOf(5).nonce),
      position: 5,
      path: path.map(({ sum, hash }) => ({ sum_micros: sum.toString(), hash: hex(hash) })),
    },
  };
}
