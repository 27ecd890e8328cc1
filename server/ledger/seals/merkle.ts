import assert from 'node:assert';
import { createHash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export const sha256 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const leafHash = (leaf: Buffer): Buffer => sha256(LEAF, leaf);
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(NODE, left, right);

/**
 * Computes the root of a Merkle tree from a stream of leaves in O(log n) memory. The shape is RFC 6962's: each subtree
 * is the largest full one that fits. Leaves and inner nodes have separate hash domains, so no inner node can pass as a
 * leaf.
 */
export class MerkleTree {
  /** Full subtrees without a sibling of their size yet, largest first. */
  readonly #waiting: { size: number; root: Buffer }[] = [];

  add(leaf: Buffer): void {
    let node = { size: 1, root: leafHash(leaf) };
    for (let left = this.#waiting.at(-1); left?.size === node.size; left = this.#waiting.at(-1)) {
      this.#waiting.pop();
      node = { size: left.size * 2, root: nodeHash(left.root, node.root) };
    }
    this.#waiting.push(node);
  }

  /** Without leaves: the hash of the empty string. */
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

/** A step from a leaf to the root: the sibling's hash and its side. */
export type PathStep = { readonly side: 'left' | 'right'; readonly hash: Buffer };

type Subtree = { readonly size: number; readonly root: Buffer; readonly hasLeaf: boolean };

/**
 * The audit path from one leaf to the root of the tree that `MerkleTree` builds, from a stream of leaves in O(log n)
 * memory. Among three leaves, the path of the first is the second, then the third, both on its right.
 */
export class MerklePath {
  readonly #index: number;
  readonly #waiting: Subtree[] = [];
  readonly #steps: PathStep[] = [];
  #leaves = 0;

  /** @param index of the leaf, from 0 */
  constructor(index: number) {
    this.#index = index;
  }

  add(leaf: Buffer): void {
    let node: Subtree = { size: 1, root: leafHash(leaf), hasLeaf: this.#leaves === this.#index };
    this.#leaves += 1;
    for (let left = this.#waiting.at(-1); left?.size === node.size; left = this.#waiting.at(-1)) {
      this.#waiting.pop();
      node = this.#join(left, node);
    }
    this.#waiting.push(node);
  }

  /** Called once, after the last leaf. */
  finish(): { readonly leaves: number; readonly steps: readonly PathStep[] } {
    assert(this.#index < this.#leaves, 'the leaf is one of those that were added');
    this.#waiting.reduceRight((right, left) => this.#join(left, right));
    return { leaves: this.#leaves, steps: this.#steps };
  }

  #join(left: Subtree, right: Subtree): Subtree {
    if (left.hasLeaf) this.#steps.push({ side: 'right', hash: right.root });
    if (right.hasLeaf) this.#steps.push({ side: 'left', hash: left.root });
    return {
      size: left.size + right.size,
      root: nodeHash(left.root, right.root),
      hasLeaf: left.hasLeaf || right.hasLeaf,
    };
  }
}

/** The root that a leaf and its path produce. */
export const rootOfPath = (leaf: Buffer, steps: readonly PathStep[]): Buffer =>
  steps.reduce(
    (root, { side, hash }) => (side === 'left' ? nodeHash(hash, root) : nodeHash(root, hash)),
    leafHash(leaf),
  );
