import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type LeafAccount,
  leafAccounts,
  memberHash,
  owedTo,
  partNode,
  type SumNode,
  SumTree,
} from '#contract/solvency/merkle-sum.ts';
import type { Tx } from '#server/db/connect.ts';
import { BLOCK_LEVEL, readBlock, splitBalance, treeSize } from './core/split-leaves.ts';
import { type Discrepancy, listWrongNodes, nameOf } from './list-wrong-nodes.ts';
import { sha256 } from './show-snapshot.ts';
import { hmacWith, padsOf, snapshotKeys } from './snapshot-keys.ts';
import type { Snapshot } from './snapshot-sql.ts';
import { type CountedRow, listBlocks, listCounted } from './split-tree-sql.ts';

/** Numbers of rows and leaves hashed before yielding to the event loop. */
const BLOCKS_CHUNK = 100;
const MEMBERS_CHUNK = 1_000;
const PADDING_CHUNK = 500;

/**
 * Verifies a version 2 tree: its stored leaves must yield the root, and must be exactly the parts of the members' rows
 * and the padding, which are both recomputed here.
 */
export async function verifySplitLeaves(tx: Tx, snapshot: Snapshot, serverKey: Buffer): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  const found = (subject: string, message: string) =>
    discrepancies.push({ subject: `${subject}${nameOf(snapshot)}`, message });
  const blocks = new Blocks();
  const tree = new SumTree(sha256);
  let leaves = 0;
  let last: Uint8Array = Buffer.alloc(32);
  const readBlocks = (from: number) => listBlocks(tx, snapshot.no, from, BLOCKS_CHUNK);
  for await (const chunk of readAhead(readBlocks)) {
    for (const stored of chunk) {
      const ownTree = new SumTree(sha256);
      const nodes = readBlock(stored.leaves);
      for (const node of nodes) {
        if (node.sum < 0n) found(`leaf ${leaves} of `, 'has a negative amount');
        if (Buffer.compare(last, node.hash) >= 0) found(`leaf ${leaves} of `, 'was moved');
        ownTree.add(node);
        last = node.hash;
        leaves += 1;
      }
      const top = ownTree.root() as SumNode;
      if (top.sum !== stored.sum || !stored.hash.equals(top.hash) || stored.position !== blocks.count)
        found(`node ${stored.position} of level ${BLOCK_LEVEL} of `, 'is not what the leaves below it make');
      blocks.add(nodes);
      tree.add(top);
    }
  }
  const root = tree.root();
  if (leaves !== snapshot.leaves) found('', `has ${leaves} leaves, but states ${snapshot.leaves}`);
  if (root?.sum !== snapshot.rootSum || !snapshot.rootHash.equals(root.hash))
    found('', 'does not match the root of its leaves');
  const keys = snapshotKeys(serverKey, snapshot.no);
  const [noncePads, paddingPads] = [padsOf(keys.nonce), padsOf(keys.padding)];
  let [counted, parts] = [0, 0];
  const readMembers = (from: number) => listCounted(tx, snapshot.no, from, MEMBERS_CHUNK);
  for await (const chunk of readAhead(readMembers)) {
    for (const row of chunk) {
      const member = memberOf(snapshot.no, row, hmacWith(noncePads, row.memberId));
      const hash = memberHash(member, sha256);
      if (owedTo(member) !== row.sum || !row.hash.equals(hash) || row.position !== counted)
        found(`member ${row.memberId} of `, 'was modified or moved');
      for (const [at, amount] of splitBalance(hash, owedTo(member), sha256).entries()) {
        blocks.expect(partNode(hash, at + 1, amount, sha256));
        parts += 1;
      }
      counted += 1;
    }
  }
  if (treeSize(parts) !== snapshot.leaves)
    found('', `has ${parts} parts of balances, which do not make ${snapshot.leaves} leaves`);
  for (let no = 1; no <= snapshot.leaves - parts; no += 1) {
    blocks.expect(partNode(hmacWith(paddingPads, BigInt(no)), 1, 0n, sha256));
    if (no % PADDING_CHUNK === 0) await setImmediate();
  }
  for (const at of blocks.listWrong())
    found(`block ${at} of `, 'has other leaves than the parts of balances and the padding');
  return [...discrepancies, ...(await listWrongNodes(tx, snapshot, BLOCK_LEVEL))];
}

/**
 * Reads rows in chunks by offset, prefetching the next chunk while the caller hashes one. The caller must process a
 * chunk synchronously: a failed prefetch would otherwise be an unhandled rejection.
 */
async function* readAhead<Row>(read: (from: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let from = 0;
  let next = read(from);
  for (let chunk = await next; chunk.length > 0; chunk = await next) {
    from += chunk.length;
    next = read(from);
    yield chunk;
  }
}

/**
 * Compares stored with expected leaves by block without holding them in memory: a checksum per block over both, which
 * is zero when they are the same. The checksum is keyed with random bytes of this run, so that no one can craft
 * colliding leaves.
 */
class Blocks {
  /** The key, followed by space for a node. */
  readonly #keyed = Buffer.concat([randomBytes(32), Buffer.alloc(40)]);
  /** First hash of each block, and its leading bytes as a number, which nearly always suffice for comparison. */
  readonly #first: Buffer[] = [];
  readonly #begins: number[] = [];
  readonly #sums: bigint[] = [];

  get count(): number {
    return this.#first.length;
  }

  add(nodes: readonly SumNode[]): void {
    // Allocated separately: a slice of Node's pool would keep the whole pool alive.
    const first = Buffer.allocUnsafeSlow(32);
    first.set((nodes[0] as SumNode).hash);
    this.#first.push(first);
    this.#begins.push(first.readUIntBE(0, 6));
    this.#sums.push(nodes.reduce((sum, node) => sum ^ this.#digest(node), 0n));
  }

  /** Adds an expected leaf to its block: the last whose first hash is not greater. */
  expect(node: SumNode): void {
    const begin = Buffer.from(node.hash.buffer, node.hash.byteOffset, 6).readUIntBE(0, 6);
    let [low, high] = [0, this.#first.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const difference =
        (this.#begins[middle] as number) - begin || Buffer.compare(this.#first[middle] as Buffer, node.hash);
      if (difference <= 0) low = middle;
      else high = middle;
    }
    this.#sums[low] = (this.#sums[low] ?? 0n) ^ this.#digest(node);
  }

  listWrong(): number[] {
    return this.#sums.flatMap((sum, at) => (sum === 0n ? [] : [at]));
  }

  #digest({ hash, sum }: SumNode): bigint {
    this.#keyed.set(hash, 32);
    this.#keyed.writeBigInt64BE(sum, 64);
    const digest = sha256(this.#keyed);
    return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
  }
}

export function memberOf(snapshotNo: bigint, { code, balances }: CountedRow, nonce: Uint8Array) {
  const named = leafAccounts.map((name, at) => [name, balances[at] ?? 0n]);
  return { snapshotNo, referralCode: code, balances: Object.fromEntries(named) as Record<LeafAccount, bigint>, nonce };
}
