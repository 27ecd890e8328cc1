import assert from 'node:assert';
import { leafHash, nodeHash } from './merkle.ts';

/** A step from a leaf to the root: the hash that stands beside it. */
export type PathStep = { readonly side: 'left' | 'right'; readonly hash: Buffer };

type Subtree = { readonly size: number; readonly root: Buffer; readonly hasLeaf: boolean };

/**
 * The path from one leaf to the root of the tree that `MerkleTree` builds, over leaves that come one by one, in memory that
 * grows with the logarithm of their number. Of three leaves, the path of the first is the second leaf, and then the third,
 * both on its right.
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

/** What a leaf and its path come to. */
export const rootOfPath = (leaf: Buffer, steps: readonly PathStep[]): Buffer =>
  steps.reduce(
    (root, { side, hash }) => (side === 'left' ? nodeHash(hash, root) : nodeHash(root, hash)),
    leafHash(leaf),
  );
