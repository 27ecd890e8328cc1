import assert from 'node:assert';
import type { WalletType } from '#contract/rules.ts';
import { loadInBatches } from '#server/db/batch-loader.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import {
  accountId,
  type HouseClass,
  houseClasses,
  houseClassNames,
  type MemberClass,
  memberClasses,
  memberClassNames,
} from '../core/account.ts';
import { insertAccounts, listAccounts, listBalances, listHouseBalances } from './sql.ts';

/** What a member has in each account. A member whose accounts were never opened is a broken invariant. */
export async function getBalances(db: Db, memberId: bigint): Promise<Record<MemberClass, bigint>> {
  const rows = await listBalances(db, memberId);
  assert.equal(rows.length, memberClassNames.length, `member ${memberId} has no ledger accounts`);
  return byClass(memberClassNames, memberClasses, rows);
}

/** The same of the two wallets alone: no call reads balances as often as `wallet-balance`. */
export async function getWalletBalances(db: Db, memberId: bigint): Promise<Record<WalletType, bigint>> {
  assert(!db.isTransaction, 'members are read together, outside of their transactions');
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

/**
 * Balance (credits − debits) of a house account: what the last seal recorded plus what came since. `gateway` and
 * `venue` are assets, so what they hold is the balance with the sign turned.
 */
export async function getHouseBalance(db: Db, name: HouseClass): Promise<bigint> {
  return (await getHouseBalances(db))[name];
}

/** All house accounts as of one moment, which is what sums and differences between them need. */
export async function getHouseBalances(db: Db): Promise<Record<HouseClass, bigint>> {
  return byClass(houseClassNames, houseClasses, await listHouseBalances(db));
}

function byClass<Name extends string>(
  names: readonly Name[],
  numbers: Readonly<Record<Name, number>>,
  rows: readonly { class: number; balance: bigint }[],
): Record<Name, bigint> {
  const balances = new Map(rows.map((row) => [row.class, row.balance]));
  const entries = names.map((name) => {
    const balance = balances.get(numbers[name]);
    assert(balance !== undefined, `no balance of ${name}`);
    return [name, balance] as const;
  });
  return Object.fromEntries(entries) as Record<Name, bigint>;
}

/** Opens the five accounts of each member, at zero. Doing it again changes nothing. */
export async function openMemberAccounts(tx: Tx, memberIds: readonly bigint[]): Promise<void> {
  await insertAccounts(tx, memberIds, Object.values(memberClasses));
}

/**
 * Whether all of a member's accounts are empty, held until the transaction ends: whoever moves money of this member waits
 * for it, and what they moved before is seen here.
 */
export async function holdEmptyAccounts(tx: Tx, memberId: bigint): Promise<boolean> {
  assert(tx.isTransaction, 'a lock lives as long as its transaction');
  const rows = await lockAccountRows(tx, memberId);
  assert.equal(rows.length, memberClassNames.length, `member ${memberId} has no ledger accounts`);
  return rows.every(({ balance }) => balance === 0n);
}

const lockAccountRows = (tx: Tx, memberId: bigint): Promise<{ balance: bigint }[]> =>
  listRows(tx)`
    select balance from ledger.account
    where id between ${memberId}::bigint * 32 and ${memberId}::bigint * 32 + 31 order by id for update`;
