import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import { hex, leafAccounts, levelsOf, parentNode, partNode, type SumNode } from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf, solvencySeal } from '#contract/solvency/proof.ts';
import { listServerKeys } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { orRefuse } from '#server/refused.ts';
import { BLOCK_LEVEL, readBlock, splitBalance } from './core/split-leaves.ts';
import { keyOf } from './key-of-snapshot.ts';
import { sha256, showSnapshot } from './show-snapshot.ts';
import { nonceOf } from './snapshot-keys.ts';
import {
  findLastSnapshot,
  findLeaf,
  listPath,
  listRetainedSnapshots,
  listSlotsOf,
  type Snapshot,
  slotOf,
} from './snapshot-sql.ts';
import { findCounted, listBlocksOf, listUpperPaths } from './split-tree-sql.ts';

type OwnLeaf = DataOf<typeof solvencySeal.getOwnLeaf>;

/**
 * A member's proof in a snapshot, verifiable without the server: balances, nonce, parts, and the position and path of
 * each. Null before the first snapshot; `leaf` is null for a member who joined after it.
 *
 * @param no one of the last seven, whose leaves are retained; refuses `not_found` for others. The newest by default
 */
export async function getOwnLeaf({ db }: Context, memberId: bigint, no?: bigint): Promise<OwnLeaf> {
  // Retained trees are immutable, so this needs no transaction.
  const snapshot = await (no === undefined ? findLastSnapshot(db) : getRetained(db, no));
  return snapshot === undefined ? null : readOwnLeaf(db, snapshot, memberId);
}

async function getRetained(db: Db, no: bigint): Promise<Snapshot> {
  const snapshot = (await listRetainedSnapshots(db)).find((one) => one.no === no);
  return orRefuse(snapshot, 'not_found');
}

async function readOwnLeaf(db: Db, snapshot: Snapshot, memberId: bigint) {
  const serverKey = keyOf(await listServerKeys(db, 'solvency'), snapshot);
  const nonce = nonceOf(serverKey, snapshot.no, memberId).toString('hex');
  const leaf = await (snapshot.version === 1 ? readWhole : readParts)(db, snapshot, memberId, nonce);
  return { snapshot: showSnapshot(snapshot), leaf };
}

/** Snapshots that include a member and whose leaves are retained, newest first. */
export async function listOwnProofs(
  { db }: Context,
  memberId: bigint,
): Promise<DataOf<typeof solvencySeal.listOwnProofs>> {
  const including = await inSnapshot(db, async (tx) => {
    const slots = new Set(await listSlotsOf(tx, memberId));
    return (await listRetainedSnapshots(tx)).filter(({ no }) => slots.has(slotOf(no)));
  });
  return {
    items: including.map(showSnapshot).map(({ no, market_day, taken_at }) => ({ no, market_day, taken_at })),
  };
}

/** A leaf of version 1. */
async function readWhole(db: Db, { no, leaves }: Snapshot, memberId: bigint, nonce: string) {
  const leaf = await findLeaf(db, no, memberId);
  if (leaf === undefined) return null;
  const path = await listPath(db, no, leaf.position, levelsOf(leaves));
  return { ...showCounted(leaf), nonce, position: leaf.position, path: path.map(showNode) };
}

async function readParts(db: Db, { no, leaves }: Snapshot, memberId: bigint, nonce: string) {
  const member = await findCounted(db, no, memberId);
  if (member === undefined) return null;
  const parts = splitBalance(member.hash, member.sum, sha256).map((amount, at) =>
    partNode(member.hash, at + 1, amount, sha256),
  );
  const blocks = await listBlocksOf(
    db,
    no,
    parts.map(({ hash }) => hash),
  );
  const above = await listUpperPaths(db, no, [...new Set(blocks.map(({ position }) => position))], levelsOf(leaves));
  const shown = parts.map((part, at) => {
    const block = blocks[at];
    assert(block !== undefined, 'a block for every leaf');
    const nodes = readBlock(block.leaves);
    const index = nodes.findIndex(({ hash }) => Buffer.compare(hash, part.hash) === 0);
    assert(index >= 0, 'the part of a balance is a leaf');
    const upper = above.filter((node) => node.block === block.position);
    return {
      amount_micros: part.sum.toString(),
      position: block.position * nodes.length + index,
      path: [...pathInBlock(nodes, index), ...upper].map(showNode),
    };
  });
  return { ...showCounted(member), nonce, parts: shown };
}

/** The sibling nodes on the path from a leaf to the top of its block. */
function pathInBlock(leaves: readonly SumNode[], index: number): SumNode[] {
  const path: SumNode[] = [];
  let nodes = leaves;
  for (let level = 0; level < BLOCK_LEVEL; level += 1) {
    path.push(nodes[(index >> level) ^ 1] as SumNode);
    nodes = nodes.flatMap((node, at) => (at % 2 === 0 ? [parentNode(node, nodes[at + 1] as SumNode, sha256)] : []));
  }
  return path;
}

function showCounted({ code, balances }: { readonly code: string; readonly balances: readonly bigint[] }) {
  const named = leafAccounts.map((name, at) => [name, String(balances[at])] as const);
  return {
    referral_code: code,
    balances_micros: Object.fromEntries(named) as SolvencyLeaf['balances_micros'],
  };
}

const showNode = ({ sum, hash }: SumNode) => ({ sum_micros: sum.toString(), hash: hex(hash) });
