import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type Finding, MOST_FINDINGS } from '#server/ledger/index.ts';
import { digestEntries, FIRST_SEAL, sealHash } from './seal-audit.ts';
import { findImpossible, listMissingGuards, listSeals, type StoredSeal } from './seal-sql.ts';

const SEALS_AT_ONCE = 500;

type Link = { readonly no: bigint; readonly horizon: bigint; readonly hash: Buffer };

/**
 * Recomputes the chain of the audit log from its first seal and says what does not fit: entries that were changed,
 * removed, put in or moved after they were sealed, seals that were edited or are missing, and the database's own guard
 * when it was switched off. Reads one snapshot while the product goes on working; needs memory for a few thousand rows.
 */
export const verifyAudit = (db: Db): Promise<Finding[]> => inSnapshot(db, readChain);

async function readChain(tx: Tx): Promise<Finding[]> {
  const findings: Finding[] = (await listMissingGuards(tx)).map(({ table }) => ({
    kind: 'rule',
    subject: `append-only rule of audit.${table}`,
    message: 'is missing or switched off',
  }));
  let last: Link = FIRST_SEAL;
  for (
    let seals = await listSeals(tx, FIRST_SEAL.horizon, SEALS_AT_ONCE);
    seals.length > 0;
    seals = await listSeals(tx, last.no, SEALS_AT_ONCE)
  ) {
    for (const seal of seals) {
      findings.push(...(await verifySeal(tx, last, seal)));
      last = seal;
    }
  }
  return [...findings.slice(0, MOST_FINDINGS), ...(await verifyNumbers(tx, last))];
}

async function verifySeal(tx: Tx, last: Link, seal: StoredSeal): Promise<Finding[]> {
  const { root, count } = await digestEntries(tx, { fromTx: last.horizon, toTx: seal.horizon });
  const faults = [
    seal.no === last.no + 1n ? [] : `follows seal ${last.no}: one between them is missing, or its number was changed`,
    seal.previous_hash.equals(last.hash) ? [] : `is not chained to seal ${last.no}`,
    seal.hash.equals(sealHash(seal)) ? [] : 'was changed: its fields do not give its hash',
    seal.entry_count === count ? [] : `covers ${seal.entry_count} entries, but there are ${count}`,
    seal.root.equals(root)
      ? []
      : 'has another root than its entries: one of them was changed, removed, put in or moved',
  ].flat();
  return faults.map((message) => ({ kind: 'seal', subject: `audit seal ${seal.no}`, message }));
}

async function verifyNumbers(tx: Tx, last: Link): Promise<Finding[]> {
  const { nextTx, impossible } = await findImpossible(tx);
  const restored: Finding = {
    kind: 'seal',
    subject: `audit seal ${last.no}`,
    message: `covers transactions up to ${last.horizon}, but this cluster is only at ${nextTx}: it was restored from another one`,
  };
  // What no transaction of this cluster has written yet would never be sealed.
  const unbegun = impossible.map(
    (entry): Finding => ({
      kind: 'books',
      subject: `audit entry ${entry.id}`,
      message: `claims the transaction ${entry.tx}, which has not begun`,
    }),
  );
  return last.horizon > nextTx ? [restored, ...unbegun] : unbegun;
}
