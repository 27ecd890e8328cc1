import type { Db, Tx } from '#server/db/connect.ts';
import { listMissingGuards } from '#server/db/guards.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type Discrepancy, MAX_DISCREPANCIES } from '#server/ledger/index.ts';
import { type Digest, digestRanges, FIRST_SEAL, sealHash } from './seal-audit.ts';
import { findImpossible, listSeals, type StoredSeal } from './seal-sql.ts';

const SEALS_PER_BATCH = 500;

type Link = { readonly no: bigint; readonly horizon: bigint; readonly hash: Buffer };

const guards = [
  ['audit.entry', 'entry_append_only'],
  ['audit.seal', 'seal_append_only'],
] as const;

/**
 * Recomputes the audit log's chain from its first seal and returns every discrepancy: entries modified, removed,
 * inserted or moved after they were sealed, edited or missing seals, and disabled database guards. Reads one snapshot
 * while the product keeps working. Memory is bounded to a few thousand rows.
 */
export const verifyAudit = (db: Db): Promise<Discrepancy[]> => inSnapshot(db, readChain);

async function readChain(tx: Tx): Promise<Discrepancy[]> {
  const discrepancies: Discrepancy[] = await listMissingGuards(tx, guards);
  let last: Link = FIRST_SEAL;
  for (
    let seals = await listSeals(tx, FIRST_SEAL.horizon, SEALS_PER_BATCH);
    seals.length > 0;
    seals = await listSeals(tx, last.no, SEALS_PER_BATCH)
  ) {
    while (seals.length > 0) {
      const run = seals.splice(0, countAscending(last.horizon, seals));
      const digests = await digestRanges(
        tx,
        last.horizon,
        run.map(({ horizon }) => horizon),
      );
      for (const [index, seal] of run.entries()) {
        discrepancies.push(...verifySeal(last, seal, digests[index] as Digest));
        last = seal;
      }
    }
  }
  return [...discrepancies.slice(0, MAX_DISCREPANCIES), ...(await verifyNumbers(tx, last))];
}

/** How many seals can be read in one pass: those whose ranges follow each other, at least one. */
function countAscending(from: bigint, seals: readonly StoredSeal[]): number {
  const end = seals.findIndex(({ horizon }, index) => horizon < (seals[index - 1]?.horizon ?? from));
  return end === -1 ? seals.length : Math.max(end, 1);
}

function verifySeal(last: Link, seal: StoredSeal, { root, count }: Digest): Discrepancy[] {
  const faults = [
    seal.no === last.no + 1n ? [] : `follows seal ${last.no}: a seal between them is missing, or a number was modified`,
    seal.previous_hash.equals(last.hash) ? [] : `is not chained to seal ${last.no}`,
    seal.hash.equals(sealHash(seal)) ? [] : 'was modified: its hash does not match its fields',
    seal.entry_count === count ? [] : `covers ${seal.entry_count} entries, but there are ${count}`,
    seal.root.equals(root)
      ? []
      : 'does not match the root of its entries: one was modified, removed, inserted or moved',
  ].flat();
  return faults.map((message) => ({ kind: 'seal', subject: `audit seal ${seal.no}`, message }));
}

async function verifyNumbers(tx: Tx, last: Link): Promise<Discrepancy[]> {
  const { nextTx, impossible } = await findImpossible(tx);
  const restored: Discrepancy = {
    kind: 'seal',
    subject: `audit seal ${last.no}`,
    message: `covers database transactions up to ${last.horizon}, but this cluster is at ${nextTx}: the data was restored from another cluster`,
  };
  // Entries with a future transaction number would never be sealed.
  const unbegun = impossible.map(
    (entry): Discrepancy => ({
      kind: 'ledger',
      subject: `audit entry ${entry.id}`,
      message: `claims database transaction ${entry.tx}, which has not started`,
    }),
  );
  return last.horizon > nextTx ? [restored, ...unbegun] : unbegun;
}
