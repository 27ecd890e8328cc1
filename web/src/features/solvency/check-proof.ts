import { sha256 } from '@noble/hashes/sha2.js';
import {
  type CheckedLeaf,
  checkLeaf,
  hex,
  type LeafText,
  type SealFault,
  type SnapshotText,
  snapshotFault,
} from '#contract/solvency/merkle-sum.ts';

export type OwnLeaf = { readonly snapshot: SnapshotText; readonly leaf: LeafText | null };

/** What came of the check in this browser. `waiting`: no seal yet, or none that counts this member. */
export type SealCheck =
  | { readonly state: 'waiting'; readonly isFirst: boolean }
  | { readonly state: 'counted'; readonly steps: readonly Step[] }
  | { readonly state: 'wrong'; readonly fault: SealFault };

export type Step = { readonly label: string; readonly hash: string };

/**
 * The member's own check (docs/solvency.md). What is published is asked for apart from the leaf, and the code comes from the
 * sign-in: neither is taken from what is checked.
 */
export function checkSeal(published: SnapshotText | null, own: OwnLeaf | null, ownCode: string): SealCheck {
  if (published === null || own === null) return { state: 'waiting', isFirst: published === null };
  if (own.leaf === null) {
    const fault = own.snapshot.hash === published.hash ? snapshotFault(published, sha256) : 'other_snapshot';
    return fault === undefined ? { state: 'waiting', isFirst: false } : { state: 'wrong', fault };
  }
  const checked = checkLeaf(published, { snapshot: own.snapshot, leaf: own.leaf }, ownCode, sha256);
  if (checked.fault !== undefined) return { state: 'wrong', fault: checked.fault };
  return { state: 'counted', steps: stepsOf(checked, own.leaf) };
}

const SHOWN = 2;

/** `3c91 07be 5d20 e07a`: enough of a hash to compare by eye. */
const shortHash = (hash: string): string => (hash.slice(0, 16).match(/.{4}/g) ?? []).join(' ');

/** The leaf, its neighbours on the way up, and the root; a long way is drawn together in the middle. */
function stepsOf({ nodes }: CheckedLeaf, { path, position }: LeafText): Step[] {
  const siblings = path.map(({ hash }, level) => ({
    label: `${level + 1}, ${(position >> level) % 2 === 0 ? 'right' : 'left'}`,
    hash: shortHash(hash),
  }));
  const [first, last] = [path[SHOWN]?.hash, path.at(-1)?.hash];
  const middle =
    path.length > SHOWN + 1
      ? [{ label: `${SHOWN + 1} to ${path.length}`, hash: `${first?.slice(0, 4)} … ${last?.slice(-4)}` }]
      : siblings.slice(SHOWN);
  const ends = [nodes[0], nodes.at(-1)].map((node) => (node ? shortHash(hex(node.hash)) : ''));
  return [
    { label: 'Leaf', hash: ends[0] ?? '' },
    ...siblings.slice(0, SHOWN),
    ...middle,
    { label: 'Root', hash: ends[1] ?? '' },
  ];
}

/** What does not fit, in words for the member. */
export const faultWords: Readonly<Record<SealFault, string>> = {
  unreadable: 'The seal cannot be read.',
  not_yours: 'The leaf you were given is somebody else’s.',
  other_snapshot: 'You were given another seal than the one that is published.',
  negative: 'An amount below zero was counted.',
  too_large: 'A sum in the seal is too large to be true.',
  wrong_path: 'The seal has no leaf at this place.',
  wrong_root: 'Your balances do not lead to the published root.',
  wrong_sum: 'The sums on the way do not come to the published one.',
  hidden_member: 'The seal counts less than the ledger owes: somebody is missing in it.',
  wrong_seal: 'The seal was changed after it was made.',
};
