import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import {
  balancesOfClass,
  type Discrepancy,
  houseAccount,
  memberAccount,
  transfersUnderKeys,
} from '#server/ledger/index.ts';
import { releasedWithdrawalStates } from './core/withdrawal-rules.ts';
import { isAsRequested, isOpenWithdrawal } from './withdrawals/withdrawal.ts';

/** One fault can affect many rows; more discrepancies of the same kind add no information. */
const MAX_DISCREPANCIES = 100;

/**
 * Reconciles deposits and withdrawals with the ledger from scratch (docs/funds.md): holds against open withdrawals;
 * missing, duplicate and orphaned transfers; daily sums; states and approvals; gateway holdings. Reads one snapshot and
 * blocks nothing.
 */
export async function checkFunds(db: Db): Promise<Discrepancy[]> {
  const checks = [
    listWrongHolds,
    listWrongWithdrawals,
    listWrongDays,
    listWrongStates,
    listWrongDeposits,
    listWrongCoins,
  ];
  return inSnapshot(db, async (tx) => {
    const discrepancies: Discrepancy[] = [];
    for (const check of checks) {
      const wrong = await check(tx, MAX_DISCREPANCIES);
      discrepancies.push(...wrong.map(({ subject, message }) => ({ kind: 'ledger' as const, subject, message })));
    }
    return discrepancies;
  });
}

type Wrong = { readonly subject: string; readonly message: string };

const list = (query: RawBuilder<unknown>) => async (db: Db, most: number) =>
  (
    await sql<Wrong>`select subject, message from (${query}) as wrong order by subject, message limit ${most}`.execute(
      db,
    )
  ).rows;

const isReleased = sql`w.state in (${sql.join(releasedWithdrawalStates.map((state) => sql.lit(state)))})`;

/** `withdrawal_hold` of every member is the sum of their open withdrawals. */
const listWrongHolds = list(sql`
  select 'withdrawal_hold of member ' || coalesce(held.member_id, open.member_id) as subject,
    'holds ' || coalesce(held.balance, 0) || ', but withdrawals under way are ' || coalesce(open.amount, 0) as message
  from (${balancesOfClass('withdrawal_hold')}) as held
  full join (select w.member_id, sum(w.amount_micros)::bigint as amount from funds.withdrawal w where ${isOpenWithdrawal} group by 1) as open
    on open.member_id = held.member_id
  where coalesce(held.balance, 0) <> coalesce(open.amount, 0)`);

const member = sql`w.member_id`;
const wallet = sql`case w.wallet when 'primary' then ${memberAccount(member, 'primary')} else ${memberAccount(member, 'profit')} end`;
const hold = memberAccount(member, 'withdrawal_hold');
const keyed = (name: string) => sql`'withdrawal/' || w.id || ${sql.lit(`/${name}`)}`;

/** The transfers that the withdrawals' current states imply. */
const expected = sql`
  select ${keyed('hold')} as key, ${wallet} as from_account, ${hold} as to_account, w.amount_micros as amount,
    'withdrawal_hold' as reason, w.reference from funds.withdrawal w
  union all
  select ${keyed('payout')}, ${hold}, ${houseAccount('gateway')}, w.amount_micros - w.fee_micros, 'withdrawal_payout', w.reference
  from funds.withdrawal w where w.state = 'completed'
  union all
  select ${keyed('fee')}, ${hold}, ${houseAccount('withdrawal_fees')}, w.fee_micros, 'withdrawal_fee', w.reference
  from funds.withdrawal w where w.state = 'completed' and w.fee_micros > 0
  union all
  select ${keyed('release')}, ${hold}, ${wallet}, w.amount_micros, 'withdrawal_release', w.reference
  from funds.withdrawal w where ${isReleased}`;

/** Each withdrawal has exactly the transfers of its state, and no transfer has the key of a missing withdrawal. */
const listWrongWithdrawals = list(sql`
  with expected as materialized (${expected}), found as materialized (${transfersUnderKeys('withdrawal')})
  select 'transfer ' || key as subject, 'is missing, or is not what its withdrawal says: ' || amount || ' for ' || reason as message
  from (select * from expected except all select * from found) as missing
  union all
  select 'transfer ' || key, 'of ' || amount || ' for ' || reason || ' belongs to no withdrawal in its state'
  from (select * from found except all select * from expected) as foreign_transfer`);

/** The stored sum of a day is that of the withdrawals requested on it and not released. */
const listWrongDays = list(sql`
  select 'day ' || coalesce(day.day, live.day) || ' of member ' || coalesce(day.member_id, live.member_id) as subject,
    'counts ' || coalesce(day.live_micros, 0) || ', but its withdrawals are ' || coalesce(live.amount, 0) as message
  from funds.withdrawal_day day
  full join (
    select w.member_id, w.requested_on as day, sum(w.amount_micros)::bigint as amount
    from funds.withdrawal w where not ${isReleased} group by 1, 2) as live
    on live.member_id = day.member_id and live.day = day.day
  where coalesce(day.live_micros, 0) <> coalesce(live.amount, 0)`);

/**
 * The last recorded step is the withdrawal's state, and no money leaves without an approval, or elsewhere than the
 * member asked.
 */
const listWrongStates = list(sql`
  select 'withdrawal ' || w.reference as subject, 'is ' || w.state || ', but its last step says ' || coalesce(step.state, 'nothing') as message
  from funds.withdrawal w
  left join lateral (
    select s.state from funds.withdrawal_step s where s.withdrawal_id = w.id order by s.id desc limit 1) as step on true
  where step.state is distinct from w.state
  union all
  select 'withdrawal ' || w.reference, 'is ' || w.state || ' without an approval'
  from funds.withdrawal w
  where w.state in ('approved', 'sent', 'uncertain', 'completed', 'failed')
    and not exists (select 1 from funds.withdrawal_approval a where a.withdrawal_id = w.id)
  union all
  select 'withdrawal ' || w.reference, 'has another address or amount than was requested'
  from funds.withdrawal w where ${isOpenWithdrawal} and not ${isAsRequested}`);

/**
 * Booked, credited and refunded amounts of every deposit match its transfers; credits go to the member's own primary
 * wallet, and at most one comes directly from the gateway.
 */
const listWrongDeposits = list(sql`
  with found as materialized (
    select split_part(t.key, '/', 2)::bigint as id, t.* from (${transfersUnderKeys('deposit')}) as t),
  summed as (
    select f.id,
      coalesce(sum(f.amount) filter (where f.from_account = ${houseAccount('gateway')}), 0)::bigint as booked,
      sum(f.amount) filter (where f.to_account = ${memberAccount(sql`d.member_id`, 'primary')})::bigint as credited,
      coalesce(sum(f.amount) filter (where f.to_account = ${houseAccount('gateway')}), 0)::bigint as refunded,
      count(*) filter (where f.reason = 'deposit') as credits,
      count(*) filter (where f.reference is distinct from d.reference or f.to_account not in
        (${memberAccount(sql`d.member_id`, 'primary')}, ${houseAccount('gateway')}, ${houseAccount('unallocated')})) as strays
    from found f left join funds.deposit d on d.id = f.id group by f.id)
  select 'deposit ' || coalesce(d.reference, s.id::text) as subject,
    case when d.id is null then 'does not exist, though transfers are keyed as its own'
      when s.strays > 0 then 'has transfers to others'
      when s.credits > 1 then 'was credited ' || s.credits || ' times'
      else 'says booked ' || d.booked_micros || ', credited ' || coalesce(d.credited_micros, 0) || ', refunded ' || d.refunded_micros
        || ', but its transfers are ' || coalesce(s.booked, 0) || ', ' || coalesce(s.credited, 0) || ', ' || coalesce(s.refunded, 0) end as message
  from funds.deposit d full join summed s on s.id = d.id
  where d.id is null or s.strays > 0 or s.credits > 1
    or (d.booked_micros, coalesce(d.credited_micros, 0), d.refunded_micros)
      <> (coalesce(s.booked, 0), coalesce(s.credited, 0), coalesce(s.refunded, 0))`);

/** A gateway's holding is the sum of its movements, and the posted fees and revaluations match them. */
const listWrongCoins = list(sql`
  with moved as (
    select m.gateway, sum(m.units) as units, sum(m.micros) as micros,
      coalesce(sum(m.micros) filter (where m.kind in ('network_fee', 'revaluation')), 0) as result
    from funds.gateway_movement m group by m.gateway),
  posted as (
    select split_part(substr(t.key, strpos(t.key, h.gateway)), '/', 1) as gateway,
      sum(case when t.to_account = ${houseAccount('gateway')} then -t.amount else t.amount end) as result
    from funds.gateway_holding h
    join (${transfersUnderKeys('network-fee')} union all ${transfersUnderKeys('gateway/revaluation')}) as t
      on strpos(t.key, '/' || h.gateway || '/') > 0
    group by 1)
  select 'coins at ' || h.gateway as subject,
    'are ' || h.units || ' for ' || h.booked_micros || ' with a result of ' || coalesce(p.result, 0) || ', but their movements are '
      || coalesce(m.units, 0) || ' for ' || coalesce(m.micros, 0) || ' with a result of ' || coalesce(m.result, 0) as message
  from funds.gateway_holding h left join moved m on m.gateway = h.gateway left join posted p on p.gateway = h.gateway
  where (h.units, h.booked_micros, coalesce(p.result, 0)) <> (coalesce(m.units, 0), coalesce(m.micros, 0), coalesce(m.result, 0))`);
