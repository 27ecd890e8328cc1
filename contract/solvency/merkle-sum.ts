/**
 * The Merkle sum tree over what members are owed (docs/solvency.md): how its bytes are made. Server, browser and command line share this file, so it brings no hash function: SHA-256 is given.
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

/** What a member is owed in a snapshot: a leaf of version 1, the hash that every part stands under in version 2. */
export type LeafContent = {
  readonly snapshotNo: bigint;
  readonly referralCode: string;
  /** Micros, by account. */
  readonly balances: Readonly<Record<LeafAccount, bigint>>;
  /** 32 bytes that only the member and the server know: without them balances could be guessed from the hash. */
  readonly nonce: Uint8Array;
};

/** 1: a leaf a member. 2: balances are split into leaves of random size, with padding. */
export type SnapshotVersion = 1 | 2;

/** What a snapshot says of itself, apart from its own hash. Sums in micros. */
export type SnapshotContent = {
  readonly version: SnapshotVersion;
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
const MEMBER = 4;

/** What completes a level with an odd number of nodes: it owes nothing and stands for nobody. */
export const emptyNode = (sha256: Sha256): SumNode => ({ sum: 0n, hash: sha256(Uint8Array.of(EMPTY)) });

/**
 * A leaf commits to who it is of, in which snapshot, and to each balance. 5 $ in the primary wallet and 2 $ in the profit
 * wallet: a sum of 7 000 000.
 */
export function leafNode(leaf: LeafContent, sha256: Sha256): SumNode {
  return { sum: owedTo(leaf), hash: sha256(fields(LEAF, contentOf('tradewind/leaf/1', leaf))) };
}

/** What every part of a member's balances commits to, and what only the member and the server can compute. */
export const memberHash = (member: LeafContent, sha256: Sha256): Uint8Array =>
  sha256(fields(MEMBER, contentOf('tradewind/member/2', member)));

/**
 * A leaf of version 2 is a part of what a member is owed, or padding: then nobody's hash stands in the place of a member's,
 * and the amount is zero. Without that hash one cannot be told from the other.
 *
 * @param part counted from 1: the same amount twice makes two leaves
 */
export function partNode(hash: Uint8Array, part: number, amount: bigint, sha256: Sha256): SumNode {
  const bytes = fields(LEAF, [PART, hash, NUMBER, NUMBER]);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(bytes.length - 20, BigInt(part));
  view.setBigInt64(bytes.length - 8, amount);
  return { sum: amount, hash: sha256(bytes) };
}

/** 5 $ and 2 $ in two accounts: 7 000 000. */
export const owedTo = ({ balances }: LeafContent): bigint =>
  leafAccounts.reduce((sum, name) => sum + balances[name], 0n);

const contentOf = (kind: string, { snapshotNo, referralCode, balances, nonce }: LeafContent): Uint8Array[] => [
  text(kind),
  int8(snapshotNo),
  text(referralCode),
  ...leafAccounts.map((name) => int8(balances[name])),
  nonce,
];

/**
 * A node commits to the sums and the hashes of both its children. With only the total in it, a cheat could shift sums
 * between them. 7 000 000 and 3 000 000 make 10 000 000.
 */
export function parentNode(left: SumNode, right: SumNode, sha256: Sha256): SumNode {
  const bytes = fields(NODE, [NUMBER, left.hash, NUMBER, right.hash]);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(5, left.sum);
  view.setBigInt64(21 + left.hash.length, right.sum);
  return { sum: left.sum + right.sum, hash: sha256(bytes) };
}

/** The hash that the next snapshot is chained to, and that is worth keeping: it commits to all the others. */
export const snapshotHash = (snapshot: SnapshotContent, sha256: Sha256): Uint8Array =>
  sha256(
    fields(SNAPSHOT, [
      text(`tradewind/snapshot/${snapshot.version}`),
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

/** `hex(Uint8Array.of(10, 255)) === '0aff'` */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Eight bytes that are written over. Millions of nodes are hashed: none of them makes arrays of its own. */
const NUMBER = new Uint8Array(8);

function fields(kind: number, contents: readonly Uint8Array[]): Uint8Array {
  let length = 1;
  for (const content of contents) length += 4 + content.length;
  const bytes = new Uint8Array(length);
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

const encoder = new TextEncoder();
const text = (value: string): Uint8Array => encoder.encode(value);
const PART = text('tradewind/leaf/2');
