import { type RawBuilder, sql } from 'kysely';
import { houseClasses, type MemberClass, memberClasses } from '../core/account.ts';

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
