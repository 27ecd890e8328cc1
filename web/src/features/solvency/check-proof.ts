import { sha256 } from '@noble/hashes/sha2.js';
import {
  type CheckedLeaf,
  checkLeaf,
  type KeptSnapshot,
  type SealFault,
  snapshotFault,
} from '#contract/solvency/check-leaf.ts';
import { hex } from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf } from '#contract/solvency/proof.ts';
import { t } from '../../api/texts.ts';

export type OwnLeaf = { readonly snapshot: KeptSnapshot; readonly leaf: SolvencyLeaf | null };

/** The result in this browser. `waiting`: no proof yet, or none that includes this member. */
export type SealCheck =
  | { readonly state: 'waiting'; readonly isFirst: boolean }
  | { readonly state: 'counted'; readonly steps: readonly Step[] }
  | { readonly state: 'wrong'; readonly fault: SealFault };

/** `micros`: the leaf's part of the balances. */
export type Step = { readonly label: string; readonly hash: string; readonly micros: bigint | null };

/**
 * The member's check (docs/solvency.md). The published proof is fetched separately from the leaf, and the code comes
 * from the sign-in: neither is taken from the data being verified.
 */
export function checkSeal(published: KeptSnapshot | null, own: OwnLeaf | null, ownCode: string): SealCheck {
  if (published === null || own === null) return { state: 'waiting', isFirst: published === null };
  if (own.leaf === null) {
    const fault = own.snapshot.hash === published.hash ? snapshotFault(published, sha256) : 'other_snapshot';
    return fault === undefined ? { state: 'waiting', isFirst: false } : { state: 'wrong', fault };
  }
  const checked = checkLeaf(published, { snapshot: own.snapshot, leaf: own.leaf }, ownCode, sha256);
  if (checked.fault !== undefined) return { state: 'wrong', fault: checked.fault };
  return { state: 'counted', steps: stepsOf(checked) };
}

/** `3c91 07be 5d20 e07a`: enough of a hash to compare by eye. */
const shortHash = (hash: string): string => (hash.slice(0, 16).match(/.{4}/g) ?? []).join(' ');

/** The member's leaves, at different positions of the tree, and the root that all of them lead to. */
function stepsOf({ paths }: CheckedLeaf): Step[] {
  const leaves = paths.flatMap(([leaf], at) =>
    leaf ? [{ label: t`Leaf ${at + 1}`, hash: shortHash(hex(leaf.hash)), micros: leaf.sum }] : [],
  );
  const root = paths[0]?.at(-1);
  return [...leaves, { label: t`Root`, hash: root ? shortHash(hex(root.hash)) : '', micros: null }];
}

/** Parses a saved proof: a file written by *Download proof*, of this version or an earlier one. */
export function parseSavedProof(text: string): OwnLeaf | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || !('snapshot' in read) || !('leaf' in read)) return undefined;
  const { snapshot } = read as OwnLeaf;
  return /^[1-9]\d{0,17}$/.test(snapshot?.no) ? (read as OwnLeaf) : undefined;
}

export const faultLabels: Readonly<Record<SealFault, string>> = {
  unreadable: t`The proof cannot be read.`,
  not_yours: t`The leaf belongs to another member.`,
  other_snapshot: t`Your proof differs from the published one.`,
  negative: t`The proof contains a negative amount.`,
  too_large: t`A sum in the proof is too large.`,
  wrong_split: t`The parts do not add up to your balances.`,
  wrong_path: t`The proof has no leaf at this position.`,
  wrong_root: t`Your balances do not match the published root.`,
  wrong_sum: t`The sums do not match the published total.`,
  hidden_member: t`The total differs from the liabilities in the ledger. Members may be missing.`,
  wrong_seal: t`The proof was changed after it was created.`,
};
