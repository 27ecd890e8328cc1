import type { SealChain, SealHead } from '#contract/solvency/heads.ts';
import { findLastAuditSeal, listAuditSeals } from '#server/audit/index.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findLastSeal, listSeals } from '#server/ledger/index.ts';
import type { LastSeals } from '#server/signing/index.ts';
import { headOf } from '../show-snapshot.ts';
import { findLastSnapshot, listSnapshotsAfter } from '../snapshot-sql.ts';

type Sealed = { readonly no: bigint; readonly hash: Buffer; readonly sealed_at_micros: bigint };

const headFrom = (chain: SealChain, { no, hash, sealed_at_micros: micros }: Sealed): SealHead => ({
  chain,
  no: no.toString(),
  hash: hash.toString('hex'),
  sealed_at: new Date(Number(micros / 1000n)).toISOString(),
});

/** The newest seal of each chain that has one. */
export const readHeads = (db: Db): Promise<SealHead[]> =>
  inSnapshot(db, async (tx) => {
    const [ledger, audit, snapshot] = [await findLastSeal(tx), await findLastAuditSeal(tx), await findLastSnapshot(tx)];
    return [
      ledger ? headFrom('ledger', ledger) : [],
      audit ? headFrom('audit', audit) : [],
      snapshot ? headOf(snapshot) : [],
    ].flat();
  });

/** Numbers of the newest seals; 0 without one. */
export async function readLastSeals(db: Db): Promise<LastSeals> {
  const heads = await readHeads(db);
  const last = (chain: SealChain) => BigInt(heads.find((head) => head.chain === chain)?.no ?? 0);
  return { ledger: last('ledger'), audit: last('audit'), liabilities: last('liabilities') };
}

/** Seals after a number, in order. */
export const listHeads: Readonly<Record<SealChain, (db: Db, after: bigint, limit: number) => Promise<SealHead[]>>> = {
  ledger: async (db, after, limit) => (await listSeals(db, after, limit)).map((seal) => headFrom('ledger', seal)),
  audit: async (db, after, limit) => (await listAuditSeals(db, after, limit)).map((seal) => headFrom('audit', seal)),
  liabilities: async (db, after, limit) => (await listSnapshotsAfter(db, after, limit)).map(headOf),
};
