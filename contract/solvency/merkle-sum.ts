import type { SolvencyLeaf, SolvencySnapshot } from './proof.ts';

/**
 * The Merkle sum tree over what members are owed (docs/solvency.md): how its bytes are made, and the check a member makes
 * of their own leaf. Server, browser and command line share this file, so it brings no hash function: SHA-256 is given.
 *
 * Every field is written with its length in four bytes before it; numbers are eight bytes, big endian; each kind of
 * content begins with a byte of its own, so that no node can be passed off as a leaf, nor a leaf as a node.
 */

/** SHA-256, from whatever is at hand. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

export type SumNode = { readonly sum: bigint; readonly hash: Uint8Array };

/** Accounts of a member, in the order in which a leaf commits to their balances. */
export const leafAccounts = ['primary', 'profit', 'trade_escrow', 'investment', 'withdrawal_hold'] as const;
export type LeafAccount = (typeof leafAccounts)[number];

export type LeafContent = {
  readonly snapshotNo: bigint;
  readonly referralCode: string;
  /** Micros, by account. */
  readonly balances: Readonly<Record<LeafAccount, bigint>>;
  /** 32 bytes that only the member and the server know: without them balances could be guessed from the hash. */
  readonly nonce: Uint8Array;
};

/** What a snapshot says of itself, apart from its own hash. Sums in micros. */
export type SnapshotContent = {
  readonly no: bigint;
  readonly marketDay: string;
  readonly takenAtMs: bigint;
  readonly leaves: bigint;
  readonly root: SumNode;
  /** What the ledger says that members are owed, added up from its flows and not from the leaves. */
  readonly liabilities: bigint;
  /** The last seal of the ledger before it; number 0 and 32 zero bytes when there was none. */
  readonly sealNo: bigint;
  readonly sealHash: Uint8Array;
  /** Of the snapshot before; 32 zero bytes for the first. */
  readonly previousHash: Uint8Array;
};

const LEAF = 0;
const NODE = 1;
const EMPTY = 2;
const SNAPSHOT = 3;

/** The largest sum that eight bytes with a sign carry. */
const MOST = 2n ** 63n - 1n;

/** Leaves a tree of this software can have, and thereby the longest path. */
const MOST_LEVELS = 40;

/** What completes a level with an odd number of nodes: it owes nothing and stands for nobody. */
export const emptyNode = (sha256: Sha256): SumNode => ({ sum: 0n, hash: sha256(Uint8Array.of(EMPTY)) });

/**
 * A leaf commits to who it is of, in which snapshot, and to each balance. 5 $ in the primary wallet and 2 $ in the profit
 * wallet: a sum of 7 000 000.
 */
export function leafNode(leaf: LeafContent, sha256: Sha256): SumNode {
  const balances = leafAccounts.map((name) => leaf.balances[name]);
  const content = [
    text('tradewind/leaf/1'),
    int8(leaf.snapshotNo),
    text(leaf.referralCode),
    ...balances.map(int8),
    leaf.nonce,
  ];
  return { sum: balances.reduce((sum, balance) => sum + balance, 0n), hash: sha256(fields(LEAF, content)) };
}

/**
 * A node commits to the sums and the hashes of both its children. With only the total in it, a cheat could shift sums
 * between them. 7 000 000 and 3 000 000 make 10 000 000.
 */
export const parentNode = (left: SumNode, right: SumNode, sha256: Sha256): SumNode => ({
  sum: left.sum + right.sum,
  hash: sha256(fields(NODE, [int8(left.sum), left.hash, int8(right.sum), right.hash])),
});

/** The hash that the next snapshot is chained to, and that is worth keeping: it commits to all the others. */
export const snapshotHash = (snapshot: SnapshotContent, sha256: Sha256): Uint8Array =>
  sha256(
    fields(SNAPSHOT, [
      text('tradewind/snapshot/1'),
      int8(snapshot.no),
      text(snapshot.marketDay),
      int8(snapshot.takenAtMs),
      int8(snapshot.leaves),
      int8(snapshot.root.sum),
      snapshot.root.hash,
      int8(snapshot.liabilities),
      int8(snapshot.sealNo),
      snapshot.sealHash,
      snapshot.previousHash,
    ]),
  );

/** Levels above the leaves. `levelsOf(1) === 0`, `levelsOf(5) === 3` */
export function levelsOf(leaves: number): number {
  let levels = 0;
  for (let nodes = leaves; nodes > 1; nodes = Math.ceil(nodes / 2)) levels += 1;
  return levels;
}

/** The root of a tree over leaves that come one by one, in memory that grows with its height. */
export class SumTree {
  readonly #sha256: Sha256;
  /** Of each level, the left one of a pair whose right one has not come yet. */
  readonly #waiting: (SumNode | undefined)[] = [];
  #leaves = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(leaf: SumNode): void {
    this.#leaves += 1;
    this.#put(0, leaf);
  }

  /** Undefined without leaves. Ends the tree: nothing is added afterwards. */
  root(): SumNode | undefined {
    const levels = levelsOf(this.#leaves);
    for (let level = 0; level < levels; level += 1)
      if (this.#waiting[level] !== undefined) this.#put(level, emptyNode(this.#sha256));
    return this.#waiting[levels];
  }

  #put(at: number, given: SumNode): void {
    let node = given;
    let level = at;
    for (let left = this.#waiting[level]; left !== undefined; left = this.#waiting[level]) {
      this.#waiting[level] = undefined;
      node = parentNode(left, node, this.#sha256);
      level += 1;
    }
    this.#waiting[level] = node;
  }
}

/** What is wrong with a snapshot or a leaf of it. */
export type SealFault =
  /** Not in the form it should have. */
  | 'unreadable'
  /** The leaf is somebody else's: it may have been shown to two members. */
  | 'not_yours'
  /** The snapshot it came with is not the one that is published. */
  | 'other_snapshot'
  /** An amount below zero hides what others are owed. */
  | 'negative'
  /** A sum that does not fit eight bytes. */
  | 'too_large'
  /** A path that a tree of so many leaves does not have at this place. */
  | 'wrong_path'
  /** The path does not end at the published root. */
  | 'wrong_root'
  /** It does, but the sums on it do not come to the published one. */
  | 'wrong_sum'
  /** The leaves come to another sum than the ledger owes: somebody was left out, or put in. */
  | 'hidden_member'
  /** The snapshot's own hash is not that of what it says. */
  | 'wrong_seal';

export type CheckedLeaf = {
  readonly fault: SealFault | undefined;
  /** What was computed on the way, as far as it went: the leaf first, the root last. */
  readonly nodes: readonly SumNode[];
};

/** The fault of a snapshot by itself, if it has one: its own hash, and its sum against what the ledger owes. */
export function snapshotFault(snapshot: SolvencySnapshot, sha256: Sha256): SealFault | undefined {
  const content = readSnapshot(snapshot);
  if (typeof content === 'string') return content;
  if (hex(snapshotHash(content, sha256)) !== snapshot.hash) return 'wrong_seal';
  return content.root.sum === content.liabilities ? undefined : 'hidden_member';
}

/**
 * The check a member makes. The leaf is recomputed from the member's own code and the balances it is said to hold; the path
 * is followed to the root, each sum looked at; what comes out must be the published root and the published sum.
 *
 * Two leaves of 7 and 3: the first one's path is `[3]`, and the root's sum 10. With `[−4]` it would be 3: refused.
 *
 * @param published the snapshot as the public call gives it
 * @param ownCode the member's own referral code, from anywhere but the leaf
 */
export function checkLeaf(
  published: SolvencySnapshot,
  given: { readonly snapshot: SolvencySnapshot; readonly leaf: SolvencyLeaf },
  ownCode: string,
  sha256: Sha256,
): CheckedLeaf {
  const none = (fault: SealFault): CheckedLeaf => ({ fault, nodes: [] });
  if (given.snapshot.hash !== published.hash) return none('other_snapshot');
  const head = snapshotFault(published, sha256);
  if (head !== undefined) return none(head);
  const snapshot = readSnapshot(published) as SnapshotContent;
  const leaf = readLeaf(given.leaf, snapshot.no);
  if (typeof leaf === 'string') return none(leaf);
  if (leaf.content.referralCode !== ownCode) return none('not_yours');
  const start = leafNode(leaf.content, sha256);
  if (start.sum > MOST) return none('too_large');
  const { fault, nodes } = climb(start, leaf, Number(snapshot.leaves), sha256);
  if (fault !== undefined) return { fault, nodes };
  const root = nodes.at(-1) as SumNode;
  if (hex(root.hash) !== published.root) return { fault: 'wrong_root', nodes };
  return { fault: root.sum === snapshot.root.sum ? undefined : 'wrong_sum', nodes };
}

type ReadLeaf = { readonly content: LeafContent; readonly position: number; readonly path: readonly SumNode[] };

/** From a leaf to the root; beside the last node of an odd level there can only be the empty one. */
function climb(start: SumNode, { position, path }: ReadLeaf, leaves: number, sha256: Sha256): CheckedLeaf {
  const nodes = [start];
  if (!Number.isSafeInteger(position) || position < 0 || position >= leaves || path.length !== levelsOf(leaves))
    return { fault: 'wrong_path', nodes };
  const nothing = hex(emptyNode(sha256).hash);
  let [node, place, width] = [start, position, leaves];
  for (const sibling of path) {
    const isEmpty = sibling.sum === 0n && hex(sibling.hash) === nothing;
    if ((place ^ 1) >= width !== isEmpty) return { fault: 'wrong_path', nodes };
    node = place % 2 === 0 ? parentNode(node, sibling, sha256) : parentNode(sibling, node, sha256);
    if (node.sum > MOST) return { fault: 'too_large', nodes };
    nodes.push(node);
    [place, width] = [Math.floor(place / 2), Math.ceil(width / 2)];
  }
  return { fault: undefined, nodes };
}

function readSnapshot(snapshot: SolvencySnapshot): SnapshotContent | SealFault {
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

function readLeaf(leaf: SolvencyLeaf, snapshotNo: bigint): ReadLeaf | SealFault {
  const balances: [LeafAccount, bigint][] = [];
  for (const name of leafAccounts) {
    const balance = readSum(leaf.balances_micros?.[name]);
    if (typeof balance === 'string') return balance;
    balances.push([name, balance]);
  }
  const nonce = readHash(leaf.nonce);
  if (nonce === undefined || typeof leaf.referral_code !== 'string' || !Array.isArray(leaf.path)) return 'unreadable';
  if (leaf.path.length > MOST_LEVELS) return 'wrong_path';
  const path: SumNode[] = [];
  for (const step of leaf.path) {
    const [sum, hash] = [readSum(step?.sum_micros), readHash(step?.hash)];
    if (typeof sum === 'string') return sum;
    if (hash === undefined) return 'unreadable';
    path.push({ sum, hash });
  }
  const content = {
    snapshotNo,
    referralCode: leaf.referral_code,
    balances: Object.fromEntries(balances) as Record<LeafAccount, bigint>,
    nonce,
  };
  return { content, position: leaf.position, path };
}

function readSum(given: unknown): bigint | SealFault {
  if (typeof given !== 'string' || !/^-?\d{1,40}$/.test(given)) return 'unreadable';
  const sum = BigInt(given);
  if (sum < 0n) return 'negative';
  return sum > MOST ? 'too_large' : sum;
}

function readHash(given: unknown): Uint8Array | undefined {
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/.test(given)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(given.slice(at * 2, at * 2 + 2), 16));
}

/** `hex(Uint8Array.of(10, 255)) === '0aff'` */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function fields(kind: number, contents: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(contents.reduce((length, content) => length + 4 + content.length, 1));
  const view = new DataView(bytes.buffer);
  bytes[0] = kind;
  let at = 1;
  for (const content of contents) {
    view.setUint32(at, content.length);
    bytes.set(content, at + 4);
    at += 4 + content.length;
  }
  return bytes;
}

function int8(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
