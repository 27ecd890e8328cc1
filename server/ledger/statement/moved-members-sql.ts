import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { getRow, listRows } from '#server/db/rows.ts';
import { notSeen, readSeen, seenNow, type TransactionsSeen } from '#server/db/transactions-seen.ts';
import { memberClasses } from '../core/account.ts';

/**
 * How far the movements of members were read: those up to `afterId` are all read, those up to `lastId` as far as they
 * were committed then. `afterId` is null as long as nobody knows which movements were being written when it began.
 */
export type MovementsRead = {
  readonly afterId: bigint | null;
  readonly lastId: bigint;
  readonly seen: TransactionsSeen;
};

/** More transfers than that at once are a settlement: who moved is not looked up. */
const MOST = 2000;

type Row = { seen: string; last_id: bigint; members: bigint[]; are_too_many: boolean };

/**
 * Whose accounts moved since the last reading, and the next one's beginning; null when that cannot be said or is too
 * many, so that all balances have to be looked at. Costs one look at the end of an index and writes nothing.
 *
 * A transfer takes its id after its transaction has its number, so once all transactions of a reading have ended,
 * nothing can appear below the highest id that it saw.
 */
export async function listMovedMembers(
  db: Db,
  last: MovementsRead | undefined,
): Promise<{ memberIds: bigint[] | null; read: MovementsRead }> {
  const {
    seen: text,
    last_id: lastId,
    members,
    are_too_many: areTooMany,
  } = await getRow(db)<Row>`
    with fresh as materialized (
      select from_account, to_account, tx from ledger.transfer
      where id > ${last?.afterId ?? null}::bigint order by id limit ${MOST + 1})
    select ${seenNow} as seen, coalesce((select max(id) from ledger.transfer), 0) as last_id,
           (select count(*) from fresh) > ${MOST} as are_too_many,
           array(
             select distinct account >> 5 from fresh cross join lateral (values (from_account), (to_account)) as side (account)
             where account >= 32 and ${last === undefined ? sql`false` : notSeen(sql`tx`, last.seen)}) as members`;
  const seen = readSeen(text);
  const haveAllEnded = last !== undefined && seen.xmin >= last.seen.xmax;
  const read = { afterId: haveAllEnded ? last.lastId : (last?.afterId ?? null), lastId, seen };
  return { memberIds: areTooMany || last?.afterId == null ? null : members, read };
}

export type Wallets = { readonly memberId: bigint; readonly primary: bigint; readonly profit: bigint };

/** The two wallets of each of these members. */
export const listWallets = (db: Db, memberIds: readonly bigint[]): Promise<Wallets[]> =>
  listRows(db)`
    select m.id as "memberId", a.balance as "primary", b.balance as profit
    from unnest(${[...memberIds]}::bigint[]) as m (id)
    join ledger.account a on a.id = m.id * 32 + ${memberClasses.primary}
    join ledger.account b on b.id = m.id * 32 + ${memberClasses.profit}`;
