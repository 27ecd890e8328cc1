import assert from 'node:assert';
import { levelsOf } from '#contract/solvency/merkle-sum.ts';
import { getServerKey } from '#server/accounts/index.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inFrozenTransaction, inTransaction } from '#server/db/tx.ts';
import { type BalanceSheet, getBalanceSheet } from '#server/income/index.ts';
import { findLastSeal } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { orRefuse } from '#server/refused.ts';
import { signSeal } from '#server/signing/index.ts';
import { BLOCK_LEVEL, PARTS, treeSize } from './core/split-leaves.ts';
import { hashOf, headOf } from './show-snapshot.ts';
import { padsOf, snapshotKeys } from './snapshot-keys.ts';
import {
  analyzeSlot,
  emptySlot,
  findLastSnapshot,
  findNode,
  hasDailySnapshot,
  insertLevelAbove,
  insertSnapshot,
  lockSnapshots,
  type Snapshot,
  type SnapshotKind,
  tuneForTree,
} from './snapshot-sql.ts';
import { insertBlocks, insertMembers } from './split-tree-sql.ts';

const NOTHING = Buffer.alloc(32);

/**
 * Takes the snapshot of the current market day; runs every minute, and takes it once. An interrupted worker leaves
 * nothing behind, and the next one starts over. Days without a running worker have no snapshot.
 *
 * @returns the new snapshot, or undefined when the day has one
 */
export async function takeDailySnapshot(context: Context): Promise<Snapshot | undefined> {
  const today = await findMarketDay(context.db);
  if (await hasDailySnapshot(context.db, today)) return undefined;
  return takeSnapshot(context, 'daily');
}

/** Takes an extra snapshot for an admin. Refuses `nobody_to_count`. */
export const takeExtraSnapshot = async (context: Context, actor: OperatorActor): Promise<Snapshot> =>
  orRefuse(await takeSnapshot(context, 'asked', actingAs(actor)), 'nobody_to_count');

/**
 * Builds a Merkle sum tree over every member's balance (docs/solvency.md), level by level in the database. Its root
 * must equal the liabilities by the ledger's flows in the same database snapshot. Concurrent postings are not included.
 */
async function takeSnapshot(
  context: Context,
  kind: SnapshotKind,
  by?: ReturnType<typeof actingAs>,
): Promise<Snapshot | undefined> {
  const { db, now, log } = context;
  const key = await inTransaction(db, (tx) => getServerKey(tx, 'solvency', now()));
  const taken = await inFrozenTransaction(db, async (tx) => {
    await lockSnapshots(tx);
    const marketDay = await findMarketDay(tx);
    if (kind === 'daily' && (await hasDailySnapshot(tx, marketDay))) return undefined;
    const last = await findLastSnapshot(tx);
    const no = (last?.no ?? 0n) + 1n;
    const tree = await buildTree(tx, no, key.value);
    if (tree === undefined) return undefined;
    const seal = await findLastSeal(tx);
    const fields = {
      version: 2 as const,
      no,
      kind,
      marketDay,
      takenAt: now(),
      leaves: tree.leaves,
      rootSum: tree.root.sum,
      rootHash: tree.root.hash,
      liabilities: owedToMembers(await getBalanceSheet(tx)),
      sealNo: seal?.no ?? 0n,
      sealHash: seal?.hash ?? NOTHING,
      previousHash: last?.hash ?? NOTHING,
      keyVersion: key.version,
    };
    assert.equal(fields.rootSum, fields.liabilities, 'the sum of the leaves is not what members are owed');
    const snapshot = { ...fields, hash: hashOf(fields) };
    await insertSnapshot(tx, snapshot);
    await signSeal(tx, context.sealKey, headOf(snapshot));
    if (by) await writeAudit(tx, { ...by, action: 'solvency.seal', subject: `snapshot:${no}` });
    return snapshot;
  });
  if (taken) log.info({ snapshot: String(taken.no), hash: taken.hash.toString('hex') }, 'proof of liabilities created');
  return taken;
}

/** Undefined without members. */
async function buildTree(tx: Tx, no: bigint, serverKey: Buffer) {
  const keys = snapshotKeys(serverKey, no);
  await tuneForTree(tx);
  await emptySlot(tx, no);
  const parts = PARTS * (await insertMembers(tx, no, padsOf(keys.nonce)));
  if (parts === 0) return undefined;
  const leaves = treeSize(parts);
  await insertBlocks(tx, no, padsOf(keys.padding), leaves - parts, leaves);
  const levels = levelsOf(leaves);
  for (let level = BLOCK_LEVEL; level < levels; level += 1) await insertLevelAbove(tx, no, level);
  await analyzeSlot(tx, no);
  const root = await findNode(tx, no, levels, 0);
  assert(root !== undefined, 'a tree with leaves has a root');
  return { leaves, root };
}

const owedToMembers = (sheet: BalanceSheet): bigint =>
  sheet.accounts.reduce((sum, { group, micros }) => sum + (group === 'member' ? micros : 0n), 0n);

const findMarketDay = async (db: Tx | Context['db']): Promise<string> =>
  (await getMarketTime(db)).toISOString().slice(0, 10);
