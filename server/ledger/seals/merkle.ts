import { createHash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export const sha256 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const leafHash = (leaf: Buffer): Buffer => sha256(LEAF, leaf);
export const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(NODE, left, right);

/**
 * The root of a Merkle tree over leaves that come one by one, in memory that grows with the logarithm of their number.
 * The shape is RFC 6962's: each subtree is the largest full one that fits. Leaves and inner nodes are hashed in
 * domains of their own, so that no inner node can be passed off as a leaf.
 */
export class MerkleTree {
  /** Full subtrees still waiting for a sibling of their size, largest first. */
  readonly #waiting: { size: number; root: Buffer }[] = [];

  add(leaf: Buffer): void {
    let node = { size: 1, root: leafHash(leaf) };
    for (let left = this.#waiting.at(-1); left?.size === node.size; left = this.#waiting.at(-1)) {
      this.#waiting.pop();
      node = { size: left.size * 2, root: nodeHash(left.root, node.root) };
    }
    this.#waiting.push(node);
  }

  /** Of no leaves: the hash of nothing. */
  root(): Buffer {
    return (
      this.#waiting
        .map((subtree) => subtree.root)
        .reduceRight<Buffer | undefined>(
          (right, left) => (right === undefined ? left : nodeHash(left, right)),
          undefined,
        ) ?? sha256()
    );
  }
}
