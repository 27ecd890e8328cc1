import type { Db } from '#server/db/connect.ts';
import { checkpointBytes } from '../core/canonical.ts';
import { findTransferRow } from '../statement/explore.ts';
import { findSealOf, findWatermarkBefore, type ShownSeal } from './find-seals.ts';
import { MerklePath, type PathStep, rootOfPath, sha256 } from './merkle.ts';
import { transferHash } from './seal.ts';
import { countLeavesBefore, listCheckpoints, streamTransfers, type TxRange } from './seal-sql.ts';

export type Inclusion = {
  readonly leaf: string;
  /** Whether the stored hash matches the fields. */
  readonly hashFits: boolean;
  readonly index: number;
  readonly leaves: number;
  readonly path: readonly { readonly side: PathStep['side']; readonly hash: string }[];
  readonly root: string;
  readonly included: boolean;
  readonly seal: ShownSeal;
};

/**
 * The path from a transfer to the root of its seal, computed from the fields stored now: an edit to this transfer, or
 * to any other under the same seal, changes the root. Reads every transfer that the seal covers.
 *
 * @returns undefined if there is no such transfer, null while it is not sealed
 */
export async function proveInclusion(db: Db, transferId: bigint): Promise<Inclusion | undefined | null> {
  const transfer = await findTransferRow(db, transferId);
  if (transfer === undefined) return undefined;
  const seal = await findSealOf(db, transfer.tx);
  if (seal === undefined) return null;
  const range: TxRange = { fromTx: await findWatermarkBefore(db, seal.no), toTx: seal.watermark };
  const index = await countLeavesBefore(db, range, transferId);
  const found = await walk(db, range, seal.no, { index, transferId });
  const root = rootOfPath(found.leaf, found.steps).toString('hex');
  return {
    leaf: found.leaf.toString('hex'),
    hashFits: found.leaf.equals(transfer.hash),
    index,
    leaves: found.leaves,
    path: found.steps.map(({ side, hash }) => ({ side, hash: hash.toString('hex') })),
    root,
    included: root === seal.root,
    seal,
  };
}

/** The leaves in order: transfers by id, then the house balances by class. */
async function walk(db: Db, range: TxRange, sealNo: bigint, wanted: { index: number; transferId: bigint }) {
  const path = new MerklePath(wanted.index);
  let leaf: Buffer = Buffer.alloc(0);
  for await (const chunk of streamTransfers(db, range)) {
    for (const transfer of chunk) {
      const hash = transferHash(transfer);
      if (transfer.id === wanted.transferId) leaf = hash;
      path.add(hash);
    }
  }
  for (const checkpoint of await listCheckpoints(db, sealNo)) path.add(sha256(checkpointBytes(checkpoint)));
  return { leaf, ...path.finish() };
}
