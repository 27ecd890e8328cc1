import { sql } from 'kysely';
import type { Database, Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { AccountRef, HouseClass, MemberClass } from './core/account.ts';
import { openMemberAccounts } from './posting/accounts.ts';
import { type PostedTransfer, post, type Transfer } from './posting/post.ts';

export const marketAt = new Date('2026-03-04T12:00:00Z');

export const of = (memberId: bigint, name: MemberClass): AccountRef => ({ memberId, class: name });
export const house = (name: HouseClass): AccountRef => ({ class: name });

/** A transfer with what a test does not care about filled in. */
export const transfer = (
  rest: Pick<Transfer, 'key' | 'from' | 'to' | 'amountMicros' | 'reason'> & Partial<Transfer>,
): Transfer => ({ reference: 'test', marketAt, ...rest });

export const deposit = (key: string, memberId: bigint, amountMicros: bigint): Transfer =>
  transfer({ key, from: house('gateway'), to: of(memberId, 'primary'), amountMicros, reason: 'deposit' });

export const place = (key: string, memberId: bigint, amountMicros: bigint): Transfer =>
  transfer({
    key,
    from: of(memberId, 'primary'),
    to: of(memberId, 'trade_escrow'),
    amountMicros,
    reason: 'trade_place',
  });

export const postOne = async (db: Db, one: Transfer): Promise<PostedTransfer> => {
  const [posted] = await inTransaction(db, (tx: Tx) => post(tx, [one]));
  if (posted === undefined) throw new Error('nothing was posted');
  return posted;
};

export const postAll = (db: Db, transfers: readonly Transfer[]) => inTransaction(db, (tx) => post(tx, transfers));

export const openMembers = (db: Db, memberIds: readonly bigint[]) =>
  inTransaction(db, (tx) => openMemberAccounts(tx, memberIds));

/** Every row of every table of the ledger, to see that nothing changed. */
export async function readAll(db: Db): Promise<unknown> {
  const { rows: accounts } = await sql`select id, balance from ledger.account order by id`.execute(db);
  const { rows: transfers } = await sql`select * from ledger.transfer order by id`.execute(db);
  return { accounts, transfers };
}

/** Runs statements as somebody would who may do everything and has switched the ledger's protections off. */
export async function tamper(database: Database, statements: string): Promise<void> {
  await database.runScript(`begin; set local session_replication_role = replica; ${statements}; commit;`);
}

/** The name of the constraint that refused, or the error's code where there is no name. */
export async function refusedBy(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing';
  } catch (error) {
    const { constraint, code } = error as { constraint?: string; code?: string };
    return constraint ?? code ?? String(error);
  }
}
