import type { Sha256, SumNode } from '#contract/solvency/merkle-sum.ts';

/** Height of a block: nodes of this level store the leaves below them. */
export const BLOCK_LEVEL = 5;
/** A leaf in a block is its hash, then its amount in eight bytes. */
const LEAF_BYTES = 40;
const HASH_BYTES = 32;

export const PARTS = 2;
const MIN_LEAVES = 1024;
const SPLIT = 5;
const LOWEST_63_BITS = 2n ** 63n - 1n;

/** Splits a balance into two parts of random size, derived from the member's hash, which requires the nonce. */
export function splitBalance(memberHash: Uint8Array, total: bigint, sha256: Sha256): bigint[] {
  const random = sha256(Uint8Array.of(SPLIT, ...memberHash));
  const view = new DataView(random.buffer, random.byteOffset);
  const one = total === 0n ? 0n : (view.getBigInt64(0) & LOWEST_63_BITS) % total;
  return [one, total - one];
}

/**
 * Number of leaves for a number of parts: the next power of two, which reveals the number of members only within a
 * factor of two. The rest is padding. `treeSize(1025) === 2048`
 */
export const treeSize = (parts: number): number => Math.max(MIN_LEAVES, 2 ** Math.ceil(Math.log2(parts)));

/** Leaves of a block, in order. */
export function readBlock(bytes: Uint8Array): SumNode[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / LEAF_BYTES }, (_, no) => {
    const at = no * LEAF_BYTES;
    return { hash: bytes.subarray(at, at + HASH_BYTES), sum: view.getBigInt64(at + HASH_BYTES) };
  });
}
