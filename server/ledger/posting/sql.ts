import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { execute, findRow, listRows } from '#server/db/rows.ts';
import { type HouseClass, houseClasses, type MemberClass, memberClasses } from '../core/account.ts';

type Account = { class: number; balance: bigint };

/** Balances after are those of the statement; null for accounts of the house, which keep none. */
export type PostedTransfer = {
  readonly id: bigint;
  readonly key: string;
  readonly fromBalanceAfterMicros: bigint | null;
  readonly toBalanceAfterMicros: bigint | null;
};

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

export const insertAccounts = (tx: Tx, memberIds: readonly bigint[], classNumbers: readonly number[]): Promise<void> =>
  execute(tx)`
    insert into ledger.account (id)
    select member * 32 + class
    from unnest(${memberIds}::bigint[]) as member cross join unnest(${classNumbers}::int[]) as class
    order by 1
    on conflict (id) do nothing`;

export const listBalances = (db: Db, memberId: bigint): Promise<Account[]> =>
  listRows(db)`
    ${prepared} select class, balance from ledger.account
    where id between ${memberId}::bigint * 32 and ${memberId}::bigint * 32 + 31`;

/** Accounts by id. As text, the ids are one short value to write and to send. */
export const listAccounts = (db: Db, ids: readonly bigint[]): Promise<{ id: bigint; balance: bigint }[]> =>
  listRows(db)`
    ${prepared} select id, balance from ledger.account where id = any (${`{${ids.join(',')}}`}::text::bigint[])`;

export const listHouseBalances = (db: Db): Promise<Account[]> =>
  listRows(db)`select class, balance from ledger.house_balance()`;

/**
 * Drafts travel as the text of one value, so that one transfer and a thousand are the same short statement, which the
 * server parses in a fraction of the time it takes for as many values.
 */
export async function postDrafts(tx: Tx, drafts: readonly Draft[]): Promise<PostedTransfer[]> {
  const [first] = drafts;
  const call =
    first !== undefined && drafts.length === 1
      ? sql`ledger.post_one(${draftRow(first)}::text::ledger.draft)`
      : sql`ledger.post(${draftArray(drafts)}::text::ledger.draft[])`;
  return listRows(tx)`
    select id, key, from_balance_after as "fromBalanceAfterMicros", to_balance_after as "toBalanceAfterMicros" from ${call}`;
}

/** PostgreSQL's text form of `ledger.draft[]`: rows in parentheses, quoted inside an array in braces. */
const draftArray = (drafts: readonly Draft[]): string => `{${drafts.map((draft) => quote(draftRow(draft))).join(',')}}`;

const draftRow = (d: Draft): string =>
  `(${[
    quote(d.key),
    d.fromAccount,
    d.toAccount,
    d.amountMicros,
    d.reason,
    quote(d.reference),
    quote(d.marketAt.toISOString()),
    d.note === null ? '' : quote(d.note),
    d.reverses ?? '',
  ].join(',')})`;

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The drafts are a query; they never leave the database. */
export async function postSelected(tx: Tx, drafts: RawBuilder<unknown>): Promise<bigint> {
  const row = await findRow(tx)<{ posted: bigint }>`select ${postingSet(drafts)} as posted`;
  return row?.posted ?? 0n;
}

const columns = sql`key, from_account, to_account, amount, reason, reference, market_at, note`;
const draftOf = sql`
  row(d.key, d.from_account, d.to_account, d.amount, d.reason::ledger.reason, d.reference, d.market_at, d.note, null)::ledger.draft`;

/** SQL that posts all drafts of a query and is their number. */
export const postingSet = (drafts: RawBuilder<unknown>): RawBuilder<bigint> => sql<bigint>`
  ledger.post_set(array(select ${draftOf} from (${drafts}) as d(${columns})))`;

/** SQL that posts the drafts of a query one by one, as a relation of one row a draft: faster for a single one. */
export const postingEach = (drafts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (${drafts}) as d(${columns}) cross join lateral ledger.post_one(${draftOf}) as posted`;

/**
 * SQL that locks the accounts of a list and selects their ids and balances, but for those that another transaction holds:
 * it waits for none of them.
 */
export const freeAccounts = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id, balance from ledger.account where id = any (${ids}) order by id for no key update skip locked`;

/** The same, waiting for those that others hold. */
export const lockedAccounts = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id, balance from ledger.account where id = any (${ids}) order by id for no key update`;

type Reversible = { from_account: bigint; to_account: bigint; amount: bigint };

export const findTransfer = (tx: Tx, id: bigint): Promise<Reversible | undefined> =>
  findRow(tx)`
    select from_account, to_account, amount from ledger.transfer where id = ${id}`;

/**
 * SQL for the id of a member's account, for drafts that are a query (`postFrom`): the member's id is a value or a
 * column. `memberAccount(sql\`t.member_id\`, 'trade_escrow')` reads as `(t.member_id * 32 + 3)`.
 */
export function memberAccount(memberId: RawBuilder<unknown> | bigint, name: MemberClass): RawBuilder<bigint> {
  const member = typeof memberId === 'bigint' ? sql`${memberId}::bigint` : memberId;
  return sql<bigint>`(${member} * 32 + ${sql.lit(memberClasses[name])})`;
}

/** SQL for the id of an account of the house. */
export const houseAccount = (name: HouseClass): RawBuilder<bigint> =>
  sql<bigint>`${sql.lit(houseClasses[name])}::bigint`;

/**
 * SQL for `member_id, reason, amount` of what members were paid under keys that begin with `prefix/`: one range of the index
 * of keys, in which `0` follows `/`.
 */
export const paidUnderKeys = (prefix: string): RawBuilder<unknown> => sql`
  select t.to_account >> 5 as member_id, t.reason::text as reason, t.amount::bigint as amount
  from ledger.transfer t
  where t.key >= ${`${prefix}/`} and t.key < ${`${prefix}0`} and t.to_account >= 32`;

/** SQL for `key, from_account, to_account, amount, reason, reference` of all transfers whose keys begin with `prefix/`. */
export const transfersUnderKeys = (prefix: string): RawBuilder<unknown> => sql`
  select t.key::text as key, t.from_account::bigint as from_account, t.to_account::bigint as to_account,
    t.amount::bigint as amount, t.reason::text as reason, t.reference::text as reference
  from ledger.transfer t where t.key >= ${`${prefix}/`} and t.key < ${`${prefix}0`}`;

/** SQL for `member_id, balance` of one account of every member who has something in it. */
export const balancesOfClass = (name: MemberClass): RawBuilder<unknown> => sql`
  select a.member_id, a.balance::bigint as balance from ledger.account a
  where a.class = ${sql.lit(memberClasses[name])} and a.balance <> 0`;

/** SQL for `key, amount` of single transfers. */
export const amountsOfKeys = (keys: readonly string[]): RawBuilder<unknown> => sql`
  select t.key::text as key, t.amount::bigint as amount from ledger.transfer t where t.key = any(${keys}::text[])`;

/**
 * SQL for `key, signed`: what transfers brought to `venue_result` (above zero) or took from it.
 *
 * @param keys a query of one column, `key`; each is looked up in the index
 */
export const venueResultsOf = (keys: RawBuilder<unknown>): RawBuilder<unknown> => {
  const result = sql.lit(houseClasses.venue_result);
  return sql`
    select t.key::text as key, case when t.to_account = ${result} then t.amount::bigint else -t.amount::bigint end as signed
    from (${keys}) as k
    cross join lateral (select * from ledger.transfer f where f.key = k.key offset 0) as t
    where ${result} in (t.from_account, t.to_account)`;
};

/**
 * SQL for `reference, signed`: what settled trades took from the venue (above zero) and left there, whatever their keys, with
 * what was reversed.
 *
 * @param sinceKey only what was posted after the transfer with this key; all, when there is none
 */
export const venueMoves = (sinceKey: string): RawBuilder<unknown> => {
  const venue = sql.lit(houseClasses.venue);
  const since = sql`coalesce((select k.id from ledger.transfer k where k.key = ${sinceKey}), 0)`;
  return sql`
    select t.reference, case when t.from_account = ${venue} then t.amount::bigint else -t.amount::bigint end as signed
    from ledger.transfer t
    where t.id > ${since} and t.reason in ('trade_loss', 'trade_gain', 'trade_profit', 'performance_fee')
    union all
    select o.reference, case when o.from_account = ${venue} then -o.amount::bigint else o.amount::bigint end
    from ledger.transfer r cross join lateral (select * from ledger.transfer t where t.id = r.reverses offset 0) as o
    where r.reverses is not null and r.id > ${since} and o.reason in ('trade_loss', 'trade_gain', 'trade_profit', 'performance_fee')`;
};
