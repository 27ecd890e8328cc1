import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { refuses } from '#server/db/guards.ts';
import { getRow, getValue, listRows, listValues } from '#server/db/rows.ts';

type Protection = { name: string; is_on: boolean };

/** Triggers and constraints of the schema, and whether they are enabled. */
export const listProtections = (db: Db): Promise<Protection[]> =>
  listRows(db)`
    select 'trigger ' || t.tgname || ' on ' || c.relname as name, case t.tgname when 'append_only' then ${refuses} else t.tgenabled in ('O', 'A') end as is_on
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'ledger'::regnamespace and not t.tgisinternal
    union all
    select 'constraint ' || conname, convalidated from pg_constraint where connamespace = 'ledger'::regnamespace
    union all
    select 'index ' || c.relname, i.indisvalid and i.indisunique from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'ledger'::regnamespace and c.relname = 'transfer_reversed_once'`;

export const listFlows = (
  db: Db,
): Promise<{ from_name: string | null; to_name: string | null; reason: string; event: string }[]> =>
  listRows(db)`
    select coalesce(f.name, w.from_class::text) as from_name, coalesce(t.name, w.to_class::text) as to_name, w.reason::text as reason, w.event
    from ledger.flow w
    left join ledger.account_class f on f.no = w.from_class
    left join ledger.account_class t on t.no = w.to_class`;

export const listClasses = (db: Db): Promise<{ no: number; name: string; owner: string }[]> =>
  listRows(db)`select no, name, owner from ledger.account_class`;

/** The flows that the database accepts, tested with the accounts of member 1 for every pair and reason. */
export const listAllowed = (
  db: Db,
  classNumbers: readonly number[],
  reasons: readonly string[],
): Promise<{ from_class: number; to_class: number; reason: string }[]> =>
  listRows(db)`
    with account as (
      select class, case when class <= 5 then 32 + class else class end::bigint as id, case when class <= 5 then 0::bigint end as balance
      from unnest(${classNumbers}::int[]) as class
    )
    select f.class as from_class, t.class as to_class, reason
    from account f cross join account t cross join unnest(${reasons}::text[]) as reason
    where ledger.is_allowed(f.id, t.id, reason::ledger.reason, f.balance, t.balance, null)`;

/** Reversals that are not the exact opposite of a transfer, reverse a reversal, or reverse a transfer a second time. */
export const listWrongReversals = (db: Db, limit: number): Promise<bigint[]> =>
  listValues(db)`
    select r.id from ledger.transfer r left join ledger.transfer t on t.id = r.reverses
    where r.reverses is not null and ((t.from_account = r.to_account and t.to_account = r.from_account and t.amount = r.amount
        and t.reason <> 'reversal') is not true
      or exists (select from ledger.transfer o where o.reverses = r.reverses and o.id < r.id))
    order by r.id limit ${limit}`;

export type BrokenLine = { account: bigint; id: bigint; before: bigint; signed: bigint; after: bigint | null };

/** Statement lines whose balance is not the previous one plus or minus the amount. */
export const listBrokenLines = (db: Db, limit: number): Promise<BrokenLine[]> =>
  listRows(db)`
    select * from (
      select account, id, signed, after, coalesce(lag(after) over (partition by account order by id), 0) as before from (
        select from_account as account, id, -amount as signed, from_balance_after as after from ledger.transfer where from_account >= 32
        union all
        select to_account, id, amount, to_balance_after from ledger.transfer where to_account >= 32) as line) as line
    where after is distinct from before + signed
    order by id limit ${limit}`;

export type WrongBalance = { account: bigint; last_id: bigint | null; stated: bigint | null; balance: bigint | null };

/** Accounts whose balance is not that of their last statement line, and lines of missing accounts. */
export const listWrongBalances = (db: Db, limit: number): Promise<WrongBalance[]> =>
  listRows(db)`
    select coalesce(a.id, last.account) as account, last.id as last_id, last.after as stated, a.balance
    from ledger.account a
    full join (
      select distinct on (account) account, id, after from (
        select from_account as account, id, from_balance_after as after from ledger.transfer where from_account >= 32
        union all
        select to_account, id, to_balance_after from ledger.transfer where to_account >= 32) as line
      order by account, id desc) as last on last.account = a.id
    where a.balance is distinct from coalesce(last.after, 0) or a.balance < 0
    order by 1 limit ${limit}`;

/**
 * SQL for `account, id, signed, after` of member lines since the first transfer that is not covered up to a seal. It
 * goes by id, not by transaction: ids do not follow transaction numbers, so a covered line can lie between two that are
 * not.
 */
const linesSince = (sealNo: bigint) => sql`
  select line.account, t.id, line.signed, line.after from ledger.transfer t
  cross join lateral (values (t.from_account, -t.amount::bigint, t.from_balance_after), (t.to_account, t.amount::bigint, t.to_balance_after))
    as line(account, signed, after)
  where line.account >= 32 and t.id >= (
    select min(unsealed.id) from (
      select id from ledger.transfer where tx >= (select s.horizon from ledger.seal s where s.no = ${sealNo}) offset 0) as unsealed)`;

/**
 * The same for lines since a seal. The line before the first of them is looked up by reason, as the indexes are built,
 * so the cost does not grow with the age of an account.
 */
export const listBrokenLinesSince = (db: Db, sealNo: bigint, limit: number): Promise<BrokenLine[]> =>
  listRows(db)`
    with line as materialized (${linesSince(sealNo)}),
    linked as (select *, lag(after) over (partition by account order by id) as previous, lag(id) over (partition by account order by id) as previous_id from line),
    whole as (
      select linked.account, linked.id, linked.signed, linked.after, case when previous_id is null then coalesce(earlier.after, 0) else previous end as before
      from linked
      left join lateral (
        select one.after from unnest(enum_range(null::ledger.reason)) as reason
        cross join lateral (
          (select t.id, t.from_balance_after as after from ledger.transfer t
            where t.from_account = linked.account and t.from_account >= 32 and t.reason = reason.reason and t.id < linked.id order by t.id desc limit 1)
          union all
          (select t.id, t.to_balance_after from ledger.transfer t
            where t.to_account = linked.account and t.to_account >= 32 and t.reason = reason.reason and t.id < linked.id order by t.id desc limit 1)) as one
        order by one.id desc limit 1) as earlier on linked.previous_id is null)
    select * from whole where after is distinct from before + signed order by id limit ${limit}`;

/** The same for accounts that moved since a seal. */
export const listWrongBalancesSince = (db: Db, sealNo: bigint, limit: number): Promise<WrongBalance[]> =>
  listRows(db)`
    select last.account, last.id as last_id, last.after as stated, a.balance
    from (select distinct on (account) account, id, after from (${linesSince(sealNo)}) as line order by account, id desc) as last
    left join ledger.account a on a.id = last.account
    where a.balance is distinct from last.after
    order by 1 limit ${limit}`;

/** Members without exactly one account per class, each with the member and class that its id encodes. */
export const listIncompleteMembers = (db: Db, accounts: number, limit: number): Promise<bigint[]> =>
  listValues(db)`
    select id >> 5 as member_id from ledger.account group by id >> 5
    having count(*) <> ${accounts} or bool_or(member_id <> id >> 5 or class <> id & 31) order by 1 limit ${limit}`;

/** Total balances of members and of the house, in one snapshot. */
export const getTotals = (db: Db) =>
  getRow(db)<{ members: bigint; house: bigint }>`
    select coalesce((select sum(balance) from ledger.account), 0)::bigint as members,
      (select sum(balance) from ledger.house_balance())::bigint as house`;

/** Missing seals that have checkpoints. */
export const listMissingSeals = (db: Db, limit: number): Promise<bigint[]> =>
  listValues(db)`
    select distinct c.seal_no as no from ledger.checkpoint c
    where not exists (select from ledger.seal s where s.no = c.seal_no) order by 1 limit ${limit}`;

/** The first transaction number that this cluster has not assigned yet. */
export const getNextTx = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`
    select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next_tx`;
