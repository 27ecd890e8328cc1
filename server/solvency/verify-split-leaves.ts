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
import { type Found, listWrongNodes, nameOf } from './list-wrong-nodes.ts';
import { sha256 } from './show-snapshot.ts';
import { hmacWith, padsOf, snapshotKeys } from './snapshot-keys.ts';
import type { Snapshot } from './snapshot-sql.ts';
import { type CountedRow, listBlocks, listCounted } from './split-tree-sql.ts';

/** What is hashed without a pause for others. */
const BLOCKS_AT_ONCE = 100;
const MEMBERS_AT_ONCE = 1_000;
const PADDING_AT_ONCE = 500;

/**
 * A tree of version 2. Its leaves, as they are stored, must come to the root, and must be the parts of what the rows of
 * members say and the padding, each once: both are made anew here.
 */
export async function verifySplitLeaves(tx: Tx, snapshot: Snapshot, serverKey: Buffer): Promise<Found[]> {
  const discrepancies: Found[] = [];
  const found = (subject: string, message: string) =>
    discrepancies.push({ subject: `${subject}${nameOf(snapshot)}`, message });
  const blocks = new Blocks();
  const tree = new SumTree(sha256);
  let leaves = 0;
  let last: Uint8Array = Buffer.alloc(32);
  const readBlocks = (from: number) => listBlocks(tx, snapshot.no, from, BLOCKS_AT_ONCE);
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
  const readMembers = (from: number) => listCounted(tx, snapshot.no, from, MEMBERS_AT_ONCE);
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
    if (no % PADDING_AT_ONCE === 0) await setImmediate();
  }
  for (const at of blocks.listWrong())
    found(`block ${at} of `, 'has other leaves than the parts of balances and the padding');
  return [...discrepancies, ...(await listWrongNodes(tx, snapshot, BLOCK_LEVEL))];
}

/**
 * All chunks of rows, each read by the number of those before it. The database reads the next one while this one is hashed,
 * which must be done in one go: nobody would be told meanwhile that reading failed.
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
 * Compares the leaves that are there with those that should be, block by block, and holds no leaf: of each block a sum
 * over those seen and those expected, which is zero where they are the same. What is added is keyed with random bytes of
 * this run, so that nobody can have chosen leaves whose sums agree.
 */
class Blocks {
  /** The key, and room for a node after it. */
  readonly #keyed = Buffer.concat([randomBytes(32), Buffer.alloc(40)]);
  /** The first hash of each, and its first bytes as a number, which alone decide nearly always. */
  readonly #first: Buffer[] = [];
  readonly #begins: number[] = [];
  readonly #sums: bigint[] = [];

  get count(): number {
    return this.#first.length;
  }

  add(nodes: readonly SumNode[]): void {
    // In memory of its own: a piece of Node's pool would keep all of that.
    const first = Buffer.allocUnsafeSlow(32);
    first.set((nodes[0] as SumNode).hash);
    this.#first.push(first);
    this.#begins.push(first.readUIntBE(0, 6));
    this.#sums.push(nodes.reduce((sum, node) => sum ^ this.#digest(node), 0n));
  }

  /** In the last block that begins at it or before. */
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

function memberOf(snapshotNo: bigint, { code, balances }: CountedRow, nonce: Uint8Array) {
  const named = leafAccounts.map((name, at) => [name, balances[at] ?? 0n]);
  return { snapshotNo, referralCode: code, balances: Object.fromEntries(named) as Record<LeafAccount, bigint>, nonce };
}
