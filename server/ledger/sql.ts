import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

type Account = { class: number; balance: bigint };
type Posted = { id: bigint; key: string; from_balance_after: bigint | null; to_balance_after: bigint | null };

/** One transfer to post; the account ids are those of `core/account.ts`. */
export type Draft = {
  key: string;
  fromAccount: bigint;
  toAccount: bigint;
  amountMicros: bigint;
  reason: string;
  reference: string;
  marketAt: Date;
  note: string | null;
  reverses: bigint | null;
};

export async function insertAccounts(tx: Tx, memberIds: readonly bigint[], classNumbers: readonly number[]): Promise<void> {
  await sql`
    insert into ledger.account (id)
    select member * 32 + class
    from unnest(${memberIds}::bigint[]) as member cross join unnest(${classNumbers}::int[]) as class
    order by 1
    on conflict (id) do nothing`.execute(tx);
}

export async function listBalances(db: Db, memberId: bigint): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select class, balance from ledger.account
    where id between ${memberId}::bigint * 32 and ${memberId}::bigint * 32 + 31`.execute(db);
  return rows;
}

export async function listHouseBalances(db: Db): Promise<Account[]> {
  const { rows } = await sql<Account>`select class, balance from ledger.house_balance()`.execute(db);
  return rows;
}

/** Drafts travel as one array a column, so that one transfer and a thousand are the same statement text. */
export async function postDrafts(tx: Tx, drafts: readonly Draft[]): Promise<Posted[]> {
  const { rows } = await sql<Posted>`
    select p.id, p.key, p.from_balance_after, p.to_balance_after
    from ledger.post(array(
      select row(d.key, d.from_account, d.to_account, d.amount, d.reason, d.reference, d.market_at, d.note, d.reverses)::ledger.draft
      from unnest(
        ${drafts.map((d) => d.key)}::text[],
        ${drafts.map((d) => d.fromAccount)}::bigint[],
        ${drafts.map((d) => d.toAccount)}::bigint[],
        ${drafts.map((d) => d.amountMicros)}::bigint[],
        ${drafts.map((d) => d.reason)}::ledger.reason[],
        ${drafts.map((d) => d.reference)}::text[],
        ${drafts.map((d) => d.marketAt.toISOString())}::timestamptz[],
        ${drafts.map((d) => d.note)}::text[],
        ${drafts.map((d) => d.reverses)}::bigint[]
      ) with ordinality as d(key, from_account, to_account, amount, reason, reference, market_at, note, reverses, ordinal)
      order by d.ordinal)) p
    order by p.ordinal`.execute(tx);
  return rows;
}

/**
 * The drafts are a query; they never leave the database. The plan is made for as many as there are: the one kept for
 * single transfers would join a set row by row, and take seconds for thousands.
 */
export async function postSelected(tx: Tx, drafts: RawBuilder<unknown>): Promise<bigint> {
  await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx);
  const { rows } = await sql<{ posted: bigint }>`
    select count(*) as posted
    from ledger.post(array(
      select row(d.key, d.from_account, d.to_account, d.amount, d.reason::ledger.reason, d.reference, d.market_at, d.note, null)::ledger.draft
      from (${drafts}) as d(key, from_account, to_account, amount, reason, reference, market_at, note)))`.execute(tx);
  return rows[0]?.posted ?? 0n;
}

type Reversible = { from_account: bigint; to_account: bigint; amount: bigint };

export async function findTransfer(tx: Tx, id: bigint): Promise<Reversible | undefined> {
  const { rows } = await sql<Reversible>`
    select from_account, to_account, amount from ledger.transfer where id = ${id}`.execute(tx);
  return rows[0];
}
