import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { getRow, listRows } from '#server/db/rows.ts';
import { notSeen, readSeen, seenNow, type TransactionsSeen } from '#server/db/transactions-seen.ts';
import { memberClasses } from '../core/account.ts';

/**
 * How far member movements were read: completely up to `afterId`, and up to `lastId` those committed by then. `afterId`
 * is null until the transactions that were open at the first reading have ended.
 */
export type MovementsRead = {
  readonly afterId: bigint | null;
  readonly lastId: bigint;
  readonly seen: TransactionsSeen;
};

/** More transfers at once are a settlement: the members are not listed then. */
const MAX_TRANSFERS = 2000;

type Row = { snapshot: string; lastId: bigint; members: bigint[]; areTooMany: boolean };

/**
 * The members whose accounts moved since the last reading, and where the next one starts. `memberIds` is null if that
 * is unknown or too many, and all balances have to be read. Reads the end of an index and writes nothing.
 *
 * A transfer gets its id after its transaction got its number, so once all transactions of a reading have ended,
 * nothing can appear below the highest id that it saw.
 */
export async function listMovedMembers(
  db: Db,
  last: MovementsRead | undefined,
): Promise<{ memberIds: bigint[] | null; read: MovementsRead }> {
  const { snapshot, lastId, members, areTooMany } = await getRow(db)<Row>`
    with fresh as materialized (
      select from_account, to_account, tx from ledger.transfer
      where id > ${last?.afterId ?? null}::bigint order by id limit ${MAX_TRANSFERS + 1})
    select ${seenNow} as snapshot, coalesce((select max(id) from ledger.transfer), 0) as "lastId",
           (select count(*) from fresh) > ${MAX_TRANSFERS} as "areTooMany",
           array(
             select distinct account >> 5 from fresh cross join lateral (values (from_account), (to_account)) as side (account)
             where account >= 32 and ${last === undefined ? sql`false` : notSeen(sql`tx`, last.seen)}) as members`;
  const seen = readSeen(snapshot);
  const haveAllEnded = last !== undefined && seen.xmin >= last.seen.xmax;
  const read = { afterId: haveAllEnded ? last.lastId : (last?.afterId ?? null), lastId, seen };
  return { memberIds: areTooMany || last?.afterId == null ? null : members, read };
}

export type Wallets = { readonly memberId: bigint; readonly primary: bigint; readonly profit: bigint };

/** Both wallet balances of these members. */
export const listWallets = (db: Db, memberIds: readonly bigint[]): Promise<Wallets[]> =>
  listRows(db)`
    select m.id as "memberId", a.balance as "primary", b.balance as profit
    from unnest(${[...memberIds]}::bigint[]) as m (id)
    join ledger.account a on a.id = m.id * 32 + ${memberClasses.primary}
    join ledger.account b on b.id = m.id * 32 + ${memberClasses.profit}`;
