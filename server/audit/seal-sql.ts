import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, listRows } from '#server/db/rows.ts';
import type { EntryFields, SealFields } from './core/canonical.ts';

export type StoredSeal = SealFields & { readonly hash: Buffer };

/** Entries with `fromTx <= tx < toTx`. */
export type TxRange = { readonly fromTx: bigint; readonly toTx: bigint };

/** Below every id and transaction number, so that a row with an impossible one is read, too. */
export const LOWEST = -(2n ** 63n);
const CHUNK = 2_000;

/** The entries of a range by transaction and id, with one chunk in memory at a time. */
export async function* streamEntries(db: Db, { fromTx, toTx }: TxRange): AsyncGenerator<EntryFields[]> {
  let after = { tx: fromTx, id: LOWEST };
  while (true) {
    const rows = await listRows(db)<EntryFields>`
      select id, tx, actor_kind, actor_id, action, subject, before::text as before, after::text as after, address,
        (extract(epoch from created_at) * 1000000)::bigint as created_at_micros
      from audit.entry
      where (tx, id) > (${after.tx}::bigint, ${after.id}::bigint) and tx < ${toTx}
      order by tx, id limit ${CHUNK}`;
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    after = last;
  }
}

const sealColumns = sql`no, horizon, entry_count, root, previous_hash,
  (extract(epoch from sealed_at) * 1000000)::bigint as sealed_at_micros, hash`;

/** At most `limit` seals after a number, in order. */
export const listSeals = (db: Db, afterNo: bigint, limit: number): Promise<StoredSeal[]> =>
  listRows(db)`select ${sealColumns} from audit.seal where no > ${afterNo} order by no limit ${limit}`;

export const findLastSeal = (db: Db): Promise<StoredSeal | undefined> =>
  findRow(db)`select ${sealColumns} from audit.seal order by no desc limit 1`;

/** Serializes sealing; held until the transaction ends. */
export const lockSealing = (tx: Tx): Promise<void> =>
  execute(tx)`select pg_advisory_xact_lock(hashtextextended('audit.seal', 0))`;

export const insertSeal = (tx: Tx, seal: StoredSeal, sealedAt: Date): Promise<void> =>
  execute(tx)`
    insert into audit.seal (no, horizon, entry_count, root, previous_hash, sealed_at, hash)
    values (${seal.no}, ${seal.horizon}, ${seal.entry_count}, ${seal.root}, ${seal.previous_hash},
            ${sealedAt.toISOString()}::timestamptz, ${seal.hash})`;

/** The next transaction number of this cluster, and entries that claim it or a later one, in one snapshot. */
export async function findImpossible(
  db: Db,
): Promise<{ nextTx: bigint; impossible: { readonly id: bigint; readonly tx: bigint }[] }> {
  const rows = await listRows(db)<{ next_tx: bigint; id: bigint | null; tx: bigint | null }>`
    select s.next_tx, e.id, e.tx
    from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next_tx) s
    left join lateral (select id, tx from audit.entry where tx >= s.next_tx order by tx, id limit 100) e on true`;
  const impossible = rows.flatMap(({ id, tx }) => (id === null || tx === null ? [] : [{ id, tx }]));
  return { nextTx: rows[0]?.next_tx ?? 0n, impossible };
}
