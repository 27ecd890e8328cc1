import {
  emptyNode,
  hex,
  type LeafAccount,
  type LeafContent,
  leafAccounts,
  leafNode,
  levelsOf,
  memberHash,
  owedTo,
  parentNode,
  partNode,
  type Sha256,
  type SnapshotContent,
  type SumNode,
  snapshotHash,
} from './merkle-sum.ts';
import type { SolvencyLeaf, SolvencySnapshot } from './proof.ts';

/** A member's verification of their own leaves (docs/solvency.md), in a browser or on the command line. */

/** The largest sum that fits a signed 64-bit integer. */
const MAX = 2n ** 63n - 1n;

/** Bounds the number of leaves of a tree, and so the length of a path. */
const MAX_LEVELS = 40;
const MAX_PARTS = 8;

/** Files saved before version 2 existed have no version. */
export type KeptSnapshot = Omit<SolvencySnapshot, 'version'> & { readonly version?: SolvencySnapshot['version'] };
export type KeptLeaf = SolvencyLeaf;
export type KeptProof = { readonly snapshot: KeptSnapshot; readonly leaf: KeptLeaf };

/** Faults of a snapshot or one of its leaves. */
export type SealFault =
  /** Malformed. */
  | 'unreadable'
  /** The leaf is somebody else's: it may have been shown to two members. */
  | 'not_yours'
  /** The snapshot delivered with it is not the published one. */
  | 'other_snapshot'
  /** A negative amount, which would hide what others are owed. */
  | 'negative'
  /** The parts of a balance do not add up to it. */
  | 'wrong_split'
  /** A sum that does not fit a signed 64-bit integer. */
  | 'too_large'
  /** A path that is impossible for this position in a tree of this size. */
  | 'wrong_path'
  /** The path does not end at the published root. */
  | 'wrong_root'
  /** It does, but the sums along it do not add up to the published sum. */
  | 'wrong_sum'
  /** The sum of the leaves differs from the ledger's liabilities: a member was left out or invented. */
  | 'hidden_member'
  /** The snapshot's own hash does not match its content. */
  | 'wrong_seal';

export type CheckedLeaf = {
  readonly fault: SealFault | undefined;
  /** The nodes computed from each leaf, as far as the check got: leaf first, root last. */
  readonly paths: readonly (readonly SumNode[])[];
};

/** Checks a snapshot on its own: its hash, and its sum against the ledger's liabilities. */
export function snapshotFault(snapshot: KeptSnapshot, sha256: Sha256): SealFault | undefined {
  const content = readSnapshot(snapshot);
  if (typeof content === 'string') return content;
  if (hex(snapshotHash(content, sha256)) !== snapshot.hash) return 'wrong_seal';
  return content.root.sum === content.liabilities ? undefined : 'hidden_member';
}

/**
 * A member's verification. Leaves are recomputed from the member's own code and the stated balances, and each path is
 * followed to the root, checking every sum. The result must equal the published root and sum. The snapshot gives the
 * version of its leaves; one without a version was saved before version 2 existed.
 *
 * Two leaves of 7 and 3: the first one's path is `[3]`, and the root's sum 10. With `[−4]` it would be 3: refused.
 *
 * @param published the snapshot as returned by the public call
 * @param ownCode the member's own referral code, from any source except the leaf
 */
export function checkLeaf(published: KeptSnapshot, given: KeptProof, ownCode: string, sha256: Sha256): CheckedLeaf {
  const none = (fault: SealFault): CheckedLeaf => ({ fault, paths: [] });
  if (given.snapshot.hash !== published.hash) return none('other_snapshot');
  const head = snapshotFault(published, sha256);
  if (head !== undefined) return none(head);
  const snapshot = readSnapshot(published) as SnapshotContent;
  const member = readMember(given.leaf, snapshot.no);
  if (typeof member === 'string') return none(member);
  if (member.referralCode !== ownCode) return none('not_yours');
  if (owedTo(member) > MAX) return none('too_large');
  const leaves = snapshot.version === 1 ? readWhole(given.leaf, member, sha256) : readParts(given.leaf, member, sha256);
  if (typeof leaves === 'string') return none(leaves);
  const paths: (readonly SumNode[])[] = [];
  for (const leaf of leaves) {
    const { fault, nodes } = climb(leaf, Number(snapshot.leaves), sha256);
    paths.push(nodes);
    if (fault !== undefined) return { fault, paths };
    const root = nodes.at(-1) as SumNode;
    if (hex(root.hash) !== published.root) return { fault: 'wrong_root', paths };
    if (root.sum !== snapshot.root.sum) return { fault: 'wrong_sum', paths };
  }
  return { fault: undefined, paths };
}

type ReadLeaf = { readonly start: SumNode; readonly position: number; readonly path: readonly SumNode[] };

/** From a leaf to the root; the last node of an odd level can only be paired with the empty node. */
function climb({ start, position, path }: ReadLeaf, leaves: number, sha256: Sha256) {
  const nodes = [start];
  if (!Number.isSafeInteger(position) || position < 0 || position >= leaves || path.length !== levelsOf(leaves))
    return { fault: 'wrong_path' as const, nodes };
  const nothing = hex(emptyNode(sha256).hash);
  let [node, place, width] = [start, position, leaves];
  for (const sibling of path) {
    const isEmpty = sibling.sum === 0n && hex(sibling.hash) === nothing;
    if ((place ^ 1) >= width !== isEmpty) return { fault: 'wrong_path' as const, nodes };
    node = place % 2 === 0 ? parentNode(node, sibling, sha256) : parentNode(sibling, node, sha256);
    if (node.sum > MAX) return { fault: 'too_large' as const, nodes };
    nodes.push(node);
    [place, width] = [Math.floor(place / 2), Math.ceil(width / 2)];
  }
  return { fault: undefined, nodes };
}

function readSnapshot(snapshot: KeptSnapshot): SnapshotContent | SealFault {
  const version = snapshot.version ?? 1;
  if (version !== 1 && version !== 2) return 'unreadable';
  const [sum, liabilities] = [readSum(snapshot.sum_micros), readSum(snapshot.liabilities_micros)];
  if (typeof sum === 'string') return sum;
  if (typeof liabilities === 'string') return liabilities;
  const [no, sealNo] = [readSum(snapshot.no), readSum(snapshot.ledger_seal?.no)];
  const [root, sealHash] = [readHash(snapshot.root), readHash(snapshot.ledger_seal?.hash)];
  const [previousHash, takenAtMs] = [readHash(snapshot.previous_hash), Date.parse(snapshot.taken_at)];
  const isRead = typeof no === 'bigint' && typeof sealNo === 'bigint' && root && sealHash && previousHash;
  const isCounted = Number.isSafeInteger(snapshot.leaves) && snapshot.leaves > 0 && snapshot.leaves <= 2 ** 30;
  if (!isRead || !isCounted || Number.isNaN(takenAtMs) || !/^\d{4}-\d{2}-\d{2}$/.test(snapshot.market_day))
    return 'unreadable';
  return {
    version,
    no,
    marketDay: snapshot.market_day,
    takenAtMs: BigInt(takenAtMs),
    leaves: BigInt(snapshot.leaves),
    root: { sum, hash: root },
    liabilities,
    sealNo,
    sealHash,
    previousHash,
  };
}

function readMember(leaf: KeptLeaf, snapshotNo: bigint): LeafContent | SealFault {
  const balances: [LeafAccount, bigint][] = [];
  for (const name of leafAccounts) {
    const balance = readSum(leaf.balances_micros?.[name]);
    if (typeof balance === 'string') return balance;
    balances.push([name, balance]);
  }
  const nonce = readHash(leaf.nonce);
  if (nonce === undefined || typeof leaf.referral_code !== 'string') return 'unreadable';
  return {
    snapshotNo,
    referralCode: leaf.referral_code,
    balances: Object.fromEntries(balances) as Record<LeafAccount, bigint>,
    nonce,
  };
}

function readWhole(leaf: KeptLeaf, member: LeafContent, sha256: Sha256): ReadLeaf[] | SealFault {
  if (!('path' in leaf)) return 'unreadable';
  const path = readPath(leaf.path);
  return typeof path === 'string' ? path : [{ start: leafNode(member, sha256), position: leaf.position, path }];
}

function readParts(leaf: KeptLeaf, member: LeafContent, sha256: Sha256): ReadLeaf[] | SealFault {
  if (!('parts' in leaf) || !Array.isArray(leaf.parts)) return 'unreadable';
  if (leaf.parts.length > MAX_PARTS) return 'wrong_split';
  const own = memberHash(member, sha256);
  const leaves: ReadLeaf[] = [];
  for (const [at, part] of leaf.parts.entries()) {
    const [amount, path] = [readSum(part?.amount_micros), readPath(part?.path)];
    if (typeof amount === 'string') return amount;
    if (typeof path === 'string') return path;
    leaves.push({ start: partNode(own, at + 1, amount, sha256), position: part.position, path });
  }
  const isWhole = leaves.reduce((sum, { start }) => sum + start.sum, 0n) === owedTo(member);
  return leaves.length > 0 && isWhole ? leaves : 'wrong_split';
}

function readPath(given: unknown): SumNode[] | SealFault {
  if (!Array.isArray(given)) return 'unreadable';
  if (given.length > MAX_LEVELS) return 'wrong_path';
  const path: SumNode[] = [];
  for (const step of given) {
    const [sum, hash] = [readSum(step?.sum_micros), readHash(step?.hash)];
    if (typeof sum === 'string') return sum;
    if (hash === undefined) return 'unreadable';
    path.push({ sum, hash });
  }
  return path;
}

function readSum(given: unknown): bigint | SealFault {
  if (typeof given !== 'string' || !/^-?\d{1,40}$/.test(given)) return 'unreadable';
  const sum = BigInt(given);
  if (sum < 0n) return 'negative';
  return sum > MAX ? 'too_large' : sum;
}

function readHash(given: unknown): Uint8Array | undefined {
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/.test(given)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(given.slice(at * 2, at * 2 + 2), 16));
}
