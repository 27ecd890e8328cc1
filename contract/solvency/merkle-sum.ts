/**
 * The encoding of the Merkle sum tree over what members are owed (docs/solvency.md). Server, browser and command line
 * share this file, so SHA-256 is passed in.
 *
 * Every field is prefixed with its length in four bytes; numbers are eight bytes, big endian; each kind of content
 * begins with its own tag byte, so that no node can be passed off as a leaf or a leaf as a node.
 */

/** SHA-256 of the platform. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

export type SumNode = { readonly sum: bigint; readonly hash: Uint8Array };

/** A member's accounts, in the order in which a leaf commits to their balances. */
export const leafAccounts = ['primary', 'profit', 'trade_escrow', 'investment', 'withdrawal_hold'] as const;
export type LeafAccount = (typeof leafAccounts)[number];

/** What a member is owed in a snapshot: a leaf in version 1, the member hash that every part includes in version 2. */
export type LeafContent = {
  readonly snapshotNo: bigint;
  readonly referralCode: string;
  /** Micros, by account. */
  readonly balances: Readonly<Record<LeafAccount, bigint>>;
  /** 32 bytes known only to the member and the server, so that balances cannot be guessed from the hash. */
  readonly nonce: Uint8Array;
};

/** 1: one leaf per member. 2: balances are split into leaves of random size, with padding. */
export type SnapshotVersion = 1 | 2;

/** The content of a snapshot without its own hash. Sums in micros. */
export type SnapshotContent = {
  readonly version: SnapshotVersion;
  readonly no: bigint;
  readonly marketDay: string;
  readonly takenAtMs: bigint;
  readonly leaves: bigint;
  readonly root: SumNode;
  /** The ledger's liabilities to members, summed from its flows and not from the leaves. */
  readonly liabilities: bigint;
  /** The last ledger seal before it; number 0 and 32 zero bytes if there was none. */
  readonly sealNo: bigint;
  readonly sealHash: Uint8Array;
  /** Hash of the previous snapshot; 32 zero bytes for the first. */
  readonly previousHash: Uint8Array;
};

const LEAF = 0;
const NODE = 1;
const EMPTY = 2;
const SNAPSHOT = 3;
const MEMBER = 4;

/** Completes a level with an odd number of nodes: its sum is zero and it belongs to nobody. */
export const emptyNode = (sha256: Sha256): SumNode => ({ sum: 0n, hash: sha256(Uint8Array.of(EMPTY)) });

/**
 * A leaf commits to its member, its snapshot and each balance. $5 in the primary wallet and $2 in the profit wallet:
 * a sum of 7 000 000.
 */
export function leafNode(leaf: LeafContent, sha256: Sha256): SumNode {
  return { sum: owedTo(leaf), hash: sha256(fields(LEAF, contentOf('tradewind/leaf/1', leaf))) };
}

/** Every part of a member's balances commits to it, and only the member and the server can compute it. */
export const memberHash = (member: LeafContent, sha256: Sha256): Uint8Array =>
  sha256(fields(MEMBER, contentOf('tradewind/member/2', member)));

/**
 * A leaf of version 2 is a part of what a member is owed, or padding: then the hash belongs to no member and the amount
 * is zero. Without knowledge of the hash the two are indistinguishable.
 *
 * @param part counted from 1, so that equal amounts make different leaves
 */
export function partNode(hash: Uint8Array, part: number, amount: bigint, sha256: Sha256): SumNode {
  const bytes = fields(LEAF, [PART, hash, NUMBER, NUMBER]);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(bytes.length - 20, BigInt(part));
  view.setBigInt64(bytes.length - 8, amount);
  return { sum: amount, hash: sha256(bytes) };
}

/** $5 and $2 in two accounts: 7 000 000. */
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
 * A node commits to the sums and hashes of both children. If it held only the total, a cheat could shift sums between
 * them. 7 000 000 and 3 000 000 make 10 000 000.
 */
export function parentNode(left: SumNode, right: SumNode, sha256: Sha256): SumNode {
  const bytes = fields(NODE, [NUMBER, left.hash, NUMBER, right.hash]);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(5, left.sum);
  view.setBigInt64(21 + left.hash.length, right.sum);
  return { sum: left.sum + right.sum, hash: sha256(bytes) };
}

/** The hash to which the next snapshot is chained. Worth saving, because it commits to all earlier ones. */
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

/** Computes the root of a tree from a stream of leaves, in memory proportional to its height. */
export class SumTree {
  readonly #sha256: Sha256;
  /** For each level, the left node of a pair whose right node is still missing. */
  readonly #waiting: (SumNode | undefined)[] = [];
  #leaves = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(leaf: SumNode): void {
    this.#leaves += 1;
    this.#put(0, leaf);
  }

  /** Undefined without leaves. Finishes the tree: no leaf can be added afterwards. */
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

/** A reused buffer of eight bytes: with millions of nodes to hash, none allocates its own. */
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
