import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { WalletType } from '#contract/rules.ts';
import { loadInBatches } from '#server/db/batch-loader.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue, listRows, prepared } from '#server/db/rows.ts';
import {
  accountId,
  type HouseClass,
  houseClasses,
  houseClassNames,
  type MemberClass,
  memberClasses,
  memberClassNames,
} from '../core/account.ts';

/** A member's balance in each account. Accounts that were never opened are a broken invariant. */
export async function getBalances(db: Db, memberId: bigint): Promise<Record<MemberClass, bigint>> {
  const rows = await listRows(db)<ClassBalance>`
    ${prepared} select class, balance from ledger.account
    where id between ${memberId}::bigint * 32 and ${memberId}::bigint * 32 + 31`;
  assert.equal(rows.length, memberClassNames.length, `member ${memberId} has no ledger accounts`);
  return byClass(memberClassNames, memberClasses, rows);
}

/** The balances of the two wallets, batched across members: `wallet-balance` is the most frequent read of balances. */
export async function getWalletBalances(db: Db, memberId: bigint): Promise<Record<WalletType, bigint>> {
  assert(!db.isTransaction, 'members are read in batches, outside their transactions');
  const wallets = await loadWallets(db, memberId);
  assert(wallets !== undefined, `member ${memberId} has no ledger accounts`);
  return wallets;
}

const loadWallets = loadInBatches('wallet balances', async (db, memberIds) => {
  const wallets = memberIds.map((memberId) => ({
    memberId,
    primary: accountId({ memberId, class: 'primary' }),
    profit: accountId({ memberId, class: 'profit' }),
  }));
  const rows = await listAccounts(
    db,
    wallets.flatMap(({ primary, profit }) => [primary, profit]),
  );
  const balances = new Map(rows.map(({ id, balance }) => [id, balance]));
  const found = new Map<bigint, Record<WalletType, bigint>>();
  for (const { memberId, ...ids } of wallets) {
    const [primary, profit] = [balances.get(ids.primary), balances.get(ids.profit)];
    if (primary !== undefined && profit !== undefined) found.set(memberId, { primary, profit });
  }
  return found;
});

/** Accounts by id. The ids are sent as text because one short value is cheaper to encode. */
const listAccounts = (db: Db, ids: readonly bigint[]): Promise<{ id: bigint; balance: bigint }[]> =>
  listRows(db)`
    ${prepared} select id, balance from ledger.account where id = any (${`{${ids.join(',')}}`}::text::bigint[])`;

/**
 * Balance (credits − debits) of a house account: the last checkpoint plus the transfers since. `gateway` and `venue`
 * are assets, so they hold the negated balance.
 */
export async function getHouseBalance(db: Db, name: HouseClass): Promise<bigint> {
  return (await getHouseBalances(db))[name];
}

/** All house accounts in one snapshot, so that sums and differences of them are consistent. */
export async function getHouseBalances(db: Db): Promise<Record<HouseClass, bigint>> {
  const rows = await listRows(db)<ClassBalance>`select class, balance from ledger.house_balance()`;
  return byClass(houseClassNames, houseClasses, rows);
}

type ClassBalance = { readonly class: number; readonly balance: bigint };

function byClass<Name extends string>(
  names: readonly Name[],
  numbers: Readonly<Record<Name, number>>,
  rows: readonly ClassBalance[],
): Record<Name, bigint> {
  const balances = new Map(rows.map((row) => [row.class, row.balance]));
  const entries = names.map((name) => {
    const balance = balances.get(numbers[name]);
    assert(balance !== undefined, `no balance of ${name}`);
    return [name, balance] as const;
  });
  return Object.fromEntries(entries) as Record<Name, bigint>;
}

/** Opens the five accounts of each member, at zero. Idempotent. */
export async function openMemberAccounts(tx: Tx, memberIds: readonly bigint[]): Promise<void> {
  await execute(tx)`
    insert into ledger.account (id)
    select member * 32 + class
    from unnest(${memberIds}::bigint[]) as member cross join unnest(${Object.values(memberClasses)}::int[]) as class
    order by 1
    on conflict (id) do nothing`;
}

/**
 * Locks all of a member's accounts until the transaction ends: concurrent postings wait, and the next statement sees
 * those committed before.
 */
export async function lockAccounts(tx: Tx, memberId: bigint): Promise<void> {
  assert(tx.isTransaction, 'a lock needs a transaction');
  const rows = await listRows(tx)`
    select from ledger.account
    where id between ${memberId}::bigint * 32 and ${memberId}::bigint * 32 + 31 order by id for update`;
  assert.equal(rows.length, memberClassNames.length, `member ${memberId} has no ledger accounts`);
}

/**
 * SQL for the id of a member's account, for drafts that are a query (`postFrom`). The member's id is a value or a
 * column: `memberAccount(sql\`t.member_id\`, 'trade_escrow')` gives `(t.member_id * 32 + 3)`.
 */
export function memberAccount(memberId: RawBuilder<unknown> | bigint, name: MemberClass): RawBuilder<bigint> {
  const member = typeof memberId === 'bigint' ? sql`${memberId}::bigint` : memberId;
  return sql<bigint>`(${member} * 32 + ${sql.lit(memberClasses[name])})`;
}

/** SQL for the id of a house account. */
export const houseAccount = (name: HouseClass): RawBuilder<bigint> =>
  sql<bigint>`${sql.lit(houseClasses[name])}::bigint`;

/** SQL for `member_id, balance` of one account class, for every member with a balance in it. */
export const balancesOfClass = (name: MemberClass): RawBuilder<unknown> => sql`
  select a.member_id, a.balance::bigint as balance from ledger.account a
  where a.class = ${sql.lit(memberClasses[name])} and a.balance <> 0`;

/** Members with `after < id <= upTo`. */
type MemberRange = { readonly after: bigint; readonly upTo: bigint };

/** The highest id of the next `size` members; undefined after the last. */
export async function findMemberChunk(db: Db, after: bigint, size: number): Promise<bigint | undefined> {
  const upTo = await getValue(db)<bigint | null>`
    select max(member_id) as up_to from (
      select member_id from ledger.account
      where id > ${after}::bigint * 32 + 31 and class = ${memberClasses.primary} order by id limit ${size}) as part`;
  return upTo ?? undefined;
}

/** SQL for `member_id, balance` of a range of members, summed over their accounts. */
export const memberBalances = (range: MemberRange): RawBuilder<unknown> => sql`
  select member_id, sum(balance)::bigint as balance from ledger.account
  where id > ${range.after}::bigint * 32 + 31 and id <= ${range.upTo}::bigint * 32 + 31 group by member_id`;
