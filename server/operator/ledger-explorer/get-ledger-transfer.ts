import type { LedgerInclusion, LedgerTransfer, LedgerTransferDetail } from '#contract/operator/ledger.ts';
import type { Context } from '#server/context.ts';
import { findExploredTransfer, proveInclusion } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { showSeal, showTransfers } from './show-transfers.ts';

/** One transfer with what became of it. Refuses `transfer_not_found`. */
export async function getLedgerTransfer({ db }: Context, id: bigint): Promise<LedgerTransferDetail> {
  const found = await findExploredTransfer(db, id);
  if (found === undefined) throw new Refused('transfer_not_found');
  const [shown] = await showTransfers(db, [found.transfer]);
  return {
    ...(shown as LedgerTransfer),
    hash: found.hash,
    reversed_by: found.reversedBy?.toString() ?? null,
    seal: found.seal && showSeal(found.seal),
  };
}

/** The path from a transfer to the root of its seal. Refuses `transfer_not_found`, `transfer_not_sealed`. */
export async function getLedgerInclusion({ db }: Context, id: bigint): Promise<LedgerInclusion> {
  const inclusion = await proveInclusion(db, id);
  if (inclusion === undefined) throw new Refused('transfer_not_found');
  if (inclusion === null) throw new Refused('transfer_not_sealed');
  const { leaf, index, leaves, root, included } = inclusion;
  return {
    leaf,
    hash_fits: inclusion.hashFits,
    index,
    leaves,
    path: inclusion.path.map(({ side, hash }) => ({ side, hash })),
    root,
    included,
    seal: showSeal(inclusion.seal),
  };
}
