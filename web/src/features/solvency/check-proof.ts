import { sha256 } from '@noble/hashes/sha2.js';
import { type CheckedLeaf, checkLeaf, hex, type SealFault, snapshotFault } from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf, SolvencySnapshot } from '#contract/solvency/proof.ts';
import { t } from '../../api/texts.ts';

export type OwnLeaf = { readonly snapshot: SolvencySnapshot; readonly leaf: SolvencyLeaf | null };

/** The result in this browser. `waiting`: no proof yet, or none that includes this member. */
export type SealCheck =
  | { readonly state: 'waiting'; readonly isFirst: boolean }
  | { readonly state: 'counted'; readonly steps: readonly Step[] }
  | { readonly state: 'wrong'; readonly fault: SealFault };

export type Step = { readonly label: string; readonly hash: string };

/**
 * The member's check (docs/solvency.md). The published proof is fetched apart from the leaf, and the code comes from the
 * sign-in: neither is taken from what is checked.
 */
export function checkSeal(published: SolvencySnapshot | null, own: OwnLeaf | null, ownCode: string): SealCheck {
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

/** The leaf, its siblings up to the root, and the root; the middle of a long path is abbreviated. */
function stepsOf({ nodes }: CheckedLeaf, { path, position }: SolvencyLeaf): Step[] {
  const siblings = path.map(({ hash }, level) => ({
    label: (position >> level) % 2 === 0 ? t`${level + 1}, right` : t`${level + 1}, left`,
    hash: shortHash(hash),
  }));
  const [first, last] = [path[SHOWN]?.hash, path.at(-1)?.hash];
  const middle =
    path.length > SHOWN + 1
      ? [{ label: t`${SHOWN + 1} to ${path.length}`, hash: `${first?.slice(0, 4)} … ${last?.slice(-4)}` }]
      : siblings.slice(SHOWN);
  const ends = [nodes[0], nodes.at(-1)].map((node) => (node ? shortHash(hex(node.hash)) : ''));
  return [
    { label: t`Leaf`, hash: ends[0] ?? '' },
    ...siblings.slice(0, SHOWN),
    ...middle,
    { label: t`Root`, hash: ends[1] ?? '' },
  ];
}

export const faultWords: Readonly<Record<SealFault, string>> = {
  unreadable: t`The proof cannot be read.`,
  not_yours: t`The leaf belongs to another member.`,
  other_snapshot: t`Your proof differs from the published one.`,
  negative: t`The proof contains a negative amount.`,
  too_large: t`A sum in the proof is too large.`,
  wrong_path: t`The proof has no leaf at this position.`,
  wrong_root: t`Your balances do not match the published root.`,
  wrong_sum: t`The sums do not match the published total.`,
  hidden_member: t`The total differs from the liabilities in the ledger. Members may be missing.`,
  wrong_seal: t`The proof was changed after it was created.`,
};
