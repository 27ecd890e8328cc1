import { sql } from 'kysely';
import type { Database, Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import type { AccountRef, HouseClass, MemberClass } from './core/account.ts';
import { openMemberAccounts } from './posting/accounts.ts';
import { type PostedTransfer, post, reverse, type Transfer } from './posting/post.ts';

export const marketAt = new Date('2026-03-04T12:00:00Z');

export const of = (memberId: bigint, name: MemberClass): AccountRef => ({ memberId, class: name });
export const house = (name: HouseClass): AccountRef => ({ class: name });

/** A ledger with the accounts of these members, for the top of a test file. */
export async function openLedger(...memberIds: bigint[]): Promise<Database> {
  const database = closeAfterAll(await openTestDatabase());
  await openMembers(database.db, memberIds);
  return database;
}

/** A transfer with defaults for what a test does not care about. */
export const transfer = (
  key: string,
  from: AccountRef,
  to: AccountRef,
  amountMicros: bigint,
  reason: Transfer['reason'],
  more: Partial<Transfer> = {},
): Transfer => ({ key, from, to, amountMicros, reason, reference: 'test', marketAt, ...more });

export const deposit = (key: string, memberId: bigint, amountMicros: bigint): Transfer =>
  transfer(key, house('gateway'), of(memberId, 'primary'), amountMicros, 'deposit');

export const place = (key: string, memberId: bigint, amountMicros: bigint): Transfer =>
  transfer(key, of(memberId, 'primary'), of(memberId, 'trade_escrow'), amountMicros, 'trade_place');

export const postOne = async (db: Db, one: Transfer): Promise<PostedTransfer> => {
  const [posted] = await inTransaction(db, (tx: Tx) => post(tx, [one]));
  if (posted === undefined) throw new Error('nothing was posted');
  return posted;
};

export const postAll = (db: Db, transfers: readonly Transfer[]) => inTransaction(db, (tx) => post(tx, transfers));

/** Reverses a transfer, under a key of its own. */
export const reverseOne = (db: Db, transferId: bigint, key = `${transferId}/reversal`, at = marketAt) =>
  inTransaction(db, (tx) => reverse(tx, { transferId, key, reference: 'test', marketAt: at, note: 'two operators' }));

export const openMembers = (db: Db, memberIds: readonly bigint[]) =>
  inTransaction(db, (tx) => openMemberAccounts(tx, memberIds));

/** Every row of every ledger table, to check that nothing changed. */
export async function readAll(db: Db): Promise<unknown> {
  const { rows: accounts } = await sql`select id, balance from ledger.account order by id`.execute(db);
  const { rows: transfers } = await sql`select * from ledger.transfer order by id`.execute(db);
  return { accounts, transfers };
}

/** The name of the constraint that refused, or the error code if it has no name. */
export async function refusedBy(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing';
  } catch (error) {
    const { constraint, code } = error as { constraint?: string; code?: string };
    return constraint ?? code ?? String(error);
  }
}
