-- The ledger (architecture.md, "The ledger"; product.md section 2). Money is bigint micros of a dollar.
-- A transfer moves a positive amount from one account to another, so the books balance by construction; what may
-- move where is data (ledger.flow); what happened is never changed, only followed by a reversal.
create schema ledger;

-- The kinds of account. A number is part of every account id: id = member × 32 + number, and the house is member 0,
-- so that ids are computed and never looked up.
create table ledger.account_class (
  no    smallint not null constraint account_class_pk primary key,
  name  text not null constraint account_class_name_once unique,
  owner text not null,
  constraint account_class_owner check (owner = case when no between 1 and 5 then 'member' when no between 6 and 31 then 'house' end)
);

insert into ledger.account_class (no, name, owner) values
  (1, 'primary', 'member'),
  (2, 'profit', 'member'),
  (3, 'trade_escrow', 'member'),
  (4, 'investment', 'member'),
  (5, 'withdrawal_hold', 'member'),
  (6, 'gateway', 'house'),
  (7, 'venue', 'house'),
  (8, 'unallocated', 'house'),
  (9, 'trade_fees', 'house'),
  (10, 'performance_fees', 'house'),
  (11, 'fee_revenue', 'house'),
  (12, 'pool_weekly', 'house'),
  (13, 'pool_monthly', 'house'),
  (14, 'pool_rewards', 'house'),
  (15, 'withdrawal_fees', 'house'),
  (16, 'venue_result', 'house'),
  (17, 'adjustments', 'house');

-- Why money moves. An enumeration: four bytes in every row and index, and a word to whoever reads them.
create type ledger.reason as enum (
  'deposit', 'deposit_unallocated', 'deposit_allocated', 'deposit_refund',
  'trade_place', 'trade_cancel', 'trade_fee', 'trade_return', 'trade_loss', 'trade_gain', 'trade_profit', 'performance_fee',
  'plan_invest', 'plan_redeem',
  'referral_bonus', 'level_bonus', 'team_profit', 'pool_weekly_fill', 'pool_monthly_fill', 'pool_rewards_fill', 'fee_revenue',
  'weekly_income', 'monthly_income', 'reward',
  'withdrawal_hold', 'withdrawal_payout', 'withdrawal_fee', 'withdrawal_release',
  'venue_fund', 'venue_return', 'capital_in', 'revenue_out', 'venue_fee', 'venue_rebate',
  'correction', 'reversal');

-- The flows that exist (docs/ledger-reasons.md). There is no row from a member to another, and none from a deposit or
-- a principal to an income, so that a payout from other people's deposits cannot be written at all.
create table ledger.flow (
  from_class smallint not null constraint flow_from_class references ledger.account_class,
  to_class   smallint not null constraint flow_to_class references ledger.account_class,
  reason     ledger.reason not null,
  event      text not null,
  constraint flow_pk primary key (from_class, to_class, reason),
  constraint flow_moves check (from_class <> to_class),
  -- A reversal is the exact opposite of one transfer, not a flow of its own.
  constraint flow_is_not_reversal check (reason <> 'reversal')
);

insert into ledger.flow (from_class, to_class, reason, event)
select f.no, t.no, flow.reason::ledger.reason, flow.event
from (values
  ('gateway', 'primary', 'deposit', 'a deposit is credited'),
  ('gateway', 'unallocated', 'deposit_unallocated', 'a payment came that cannot be credited yet: underpaid, late or in review'),
  ('unallocated', 'primary', 'deposit_allocated', 'such a payment is credited'),
  ('unallocated', 'gateway', 'deposit_refund', 'such a payment is sent back'),
  ('primary', 'trade_escrow', 'trade_place', 'a trade is placed'),
  ('profit', 'trade_escrow', 'trade_place', 'a trade is placed'),
  ('investment', 'trade_escrow', 'trade_place', 'a plan places its trade'),
  ('trade_escrow', 'primary', 'trade_cancel', 'a queued trade is cancelled'),
  ('trade_escrow', 'profit', 'trade_cancel', 'a queued trade is cancelled'),
  ('trade_escrow', 'investment', 'trade_cancel', 'a plan''s queued trade is cancelled'),
  ('trade_escrow', 'trade_fees', 'trade_fee', 'a trade opens'),
  ('trade_escrow', 'primary', 'trade_return', 'a trade settles: min(P, N) goes back'),
  ('trade_escrow', 'profit', 'trade_return', 'a trade settles: min(P, N) goes back'),
  ('trade_escrow', 'investment', 'trade_return', 'a plan''s trade settles: min(P, N) goes back'),
  ('trade_escrow', 'venue', 'trade_loss', 'a trade settles with P < N: the loss N − P'),
  ('venue', 'primary', 'trade_gain', 'a trade settles with P > N: min(P, A) − N'),
  ('venue', 'profit', 'trade_gain', 'a trade settles with P > N: min(P, A) − N'),
  ('venue', 'investment', 'trade_gain', 'a plan''s trade settles with P > N: min(P, A) − N'),
  ('venue', 'profit', 'trade_profit', 'a trade settles with P > A: P − A − g'),
  ('venue', 'investment', 'trade_profit', 'the trade of a compounding plan settles with P > A: P − A − g'),
  ('venue', 'performance_fees', 'performance_fee', 'a trade settles with P > A: the fee g'),
  ('primary', 'investment', 'plan_invest', 'a plan is created'),
  ('profit', 'investment', 'plan_invest', 'a plan is created'),
  ('investment', 'primary', 'plan_redeem', 'a plan is redeemed'),
  ('trade_fees', 'profit', 'referral_bonus', 'bonus run: level 1'),
  ('trade_fees', 'profit', 'level_bonus', 'bonus run: levels 2 to 10'),
  ('performance_fees', 'profit', 'team_profit', 'bonus run: levels 1 to 3'),
  ('trade_fees', 'pool_weekly', 'pool_weekly_fill', 'bonus run: the weekly pool''s share'),
  ('trade_fees', 'pool_monthly', 'pool_monthly_fill', 'bonus run: the monthly pool''s share'),
  ('trade_fees', 'pool_rewards', 'pool_rewards_fill', 'bonus run: the rewards pool''s share'),
  ('trade_fees', 'fee_revenue', 'fee_revenue', 'bonus run: the rest'),
  ('performance_fees', 'fee_revenue', 'fee_revenue', 'bonus run: the rest'),
  ('pool_weekly', 'profit', 'weekly_income', 'the weekly run pays'),
  ('pool_monthly', 'profit', 'monthly_income', 'the monthly run pays'),
  ('pool_rewards', 'profit', 'reward', 'a reward is claimed'),
  ('primary', 'withdrawal_hold', 'withdrawal_hold', 'a withdrawal is requested'),
  ('profit', 'withdrawal_hold', 'withdrawal_hold', 'a withdrawal is requested'),
  ('withdrawal_hold', 'gateway', 'withdrawal_payout', 'a withdrawal is completed: the net amount'),
  ('withdrawal_hold', 'withdrawal_fees', 'withdrawal_fee', 'a withdrawal is completed: the fee'),
  ('withdrawal_hold', 'primary', 'withdrawal_release', 'a withdrawal is rejected, cancelled or failed'),
  ('withdrawal_hold', 'profit', 'withdrawal_release', 'a withdrawal is rejected, cancelled or failed'),
  -- Gateway and venue are assets, which grow when they are debited: money sent to the venue is venue → gateway.
  ('venue', 'gateway', 'venue_fund', 'treasury: money moves from the gateway to the venue'),
  ('gateway', 'venue', 'venue_return', 'treasury: money moves from the venue to the gateway'),
  ('gateway', 'adjustments', 'capital_in', 'treasury: the owner puts capital in'),
  ('fee_revenue', 'gateway', 'revenue_out', 'treasury: revenue is taken out'),
  ('withdrawal_fees', 'gateway', 'revenue_out', 'treasury: revenue is taken out'),
  ('venue_result', 'venue', 'venue_fee', 'the exchange took a fee or the fill slipped'),
  ('venue', 'venue_result', 'venue_rebate', 'the exchange paid a rebate or the fill was better'),
  ('adjustments', 'primary', 'correction', 'two operators correct a wallet'),
  ('adjustments', 'profit', 'correction', 'two operators correct a wallet'),
  ('primary', 'adjustments', 'correction', 'two operators correct a wallet'),
  ('profit', 'adjustments', 'correction', 'two operators correct a wallet')
) as flow(from_name, to_name, reason, event)
join ledger.account_class f on f.name = flow.from_name
join ledger.account_class t on t.name = flow.to_name;

-- What a member has can never be less than nothing. A domain, because PostgreSQL keeps its CHECK at hand, while it parses
-- those of a table anew for every statement that writes.
create domain ledger.amount as bigint constraint transfer_amount_positive check (value > 0);
create domain ledger.member_balance as bigint constraint member_account_never_negative check (value >= 0);

-- Members' accounts. The house has no rows here: a row that every trade of everybody updates would make them wait for
-- each other, so its balances are checkpoints plus what came since (ledger.house_balance).
create table ledger.account (
  id        bigint not null constraint account_pk primary key,
  balance   ledger.member_balance not null default 0,
  member_id bigint not null generated always as (case when id >= 32 then id >> 5 end) stored,
  -- Null, and thereby refused, for an id that is not a member's.
  class     smallint not null generated always as (case when (id & 31) between 1 and 5 then id & 31 end) stored
) with (fillfactor = 80); -- room for the next version of a row on its own page: updates then touch no index

-- Whether a transfer can exist: between accounts that can, of one member, by a row of ledger.flow, and saying the balance
-- after of each member account. The body is compiled from that table, because reading the table in a CHECK or a trigger
-- costs more than the rest of an insert; a migration that adds a flow calls this again. What a reversal may do depends on the
-- transfer it reverses (ledger.check_reversal).
create procedure ledger.compile_flow() language plpgsql as $compile$
begin
  execute format($function$
    create or replace function ledger.is_allowed(from_account bigint, to_account bigint, reason ledger.reason,
      from_balance_after bigint, to_balance_after bigint, reverses bigint) returns boolean
    language plpgsql immutable as $body$
    begin
      return from_account > 0 and (from_account >= 32) = ((from_account & 31) between 1 and 5)
        and to_account > 0 and (to_account >= 32) = ((to_account & 31) between 1 and 5)
        and (from_account < 32 or to_account < 32 or from_account >> 5 = to_account >> 5)
        and (from_account < 32) = (from_balance_after is null) and (to_account < 32) = (to_balance_after is null)
        and (reason = 'reversal') = (reverses is not null)
        and (reason = 'reversal' or (from_account & 31) || ' ' || (to_account & 31) || ' ' || reason = any (%L::text[]));
    end $body$ $function$,
    (select array_agg(from_class || ' ' || to_class || ' ' || reason order by reason, from_class, to_class) from ledger.flow));
end $compile$;
call ledger.compile_flow();

-- What happened. One row moves `amount` from one account to another.
create table ledger.transfer (
  id                 bigint not null generated always as identity constraint transfer_pk primary key,
  from_account       bigint not null,
  to_account         bigint not null,
  amount             ledger.amount not null,
  from_balance_after ledger.member_balance,
  to_balance_after   ledger.member_balance,
  reverses           bigint,
  -- The transaction that wrote the row: seals and house balances take rows in the order in which these finish.
  tx                 bigint not null,
  market_at          timestamptz not null,
  created_at         timestamptz not null,
  reason             ledger.reason not null,
  key                text collate "C" not null constraint transfer_key_once unique,
  reference          text not null,
  note               text,
  -- sha256 of all the above (ledger.transfer_hash), so that an edit behind the application's back names its row.
  hash               bytea not null,
  constraint transfer_allowed check (ledger.is_allowed(from_account, to_account, reason, from_balance_after, to_balance_after, reverses))
);

-- A statement is read from the ends of these ranges: any page of any filter costs the same.
create index transfer_from on ledger.transfer (from_account, reason, id) where from_account >= 32;
create index transfer_to on ledger.transfer (to_account, reason, id) where to_account >= 32;
create unique index transfer_reversed_once on ledger.transfer (reverses) where reverses is not null;
create index transfer_tx on ledger.transfer using brin (tx) with (pages_per_range = 32, autosummarize = on);

-- A reversal is the exact opposite of a transfer that is not a reversal itself.
create function ledger.check_reversal() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger.transfer t
    where t.id = new.reverses and t.reason <> 'reversal'
      and t.from_account = new.to_account and t.to_account = new.from_account and t.amount = new.amount) then
    raise exception 'transfer % is not the opposite of transfer %', new.id, new.reverses
      using errcode = 'LG004', constraint = 'transfer_reversal_is_opposite', schema = 'ledger', table = 'transfer';
  end if;
  return null;
end $$;
create trigger transfer_reversal_is_opposite after insert on ledger.transfer
  for each row when (new.reason = 'reversal') execute function ledger.check_reversal();

-- Every minute: the transfers that finished since, as the root of a Merkle tree, chained to the seal before
-- (server/ledger/seals/seal.ts). It covers the rows with tx from the horizon before up to, not including, its own.
create table ledger.seal (
  no             bigint not null constraint seal_pk primary key,
  horizon        bigint not null,
  transfer_count bigint not null constraint seal_is_not_empty check (transfer_count > 0),
  root           bytea not null,
  previous_hash  bytea not null,
  sealed_at      timestamptz not null,
  hash           bytea not null
);

-- What a house account had at a seal; leaves of its tree, too.
create table ledger.checkpoint (
  seal_no bigint not null constraint checkpoint_seal references ledger.seal,
  class   smallint not null constraint checkpoint_class references ledger.account_class,
  balance bigint not null,
  constraint checkpoint_pk primary key (seal_no, class)
);

-- Nothing of this is ever changed or taken away.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%.% is append-only: % refused', tg_table_schema, tg_table_name, lower(tg_op)
    using errcode = 'LG001', constraint = 'ledger_append_only', schema = tg_table_schema, table = tg_table_name,
      hint = 'Correct a transfer by reversing it.';
end $$;
create trigger append_only before update or delete or truncate on ledger.transfer for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.seal for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.checkpoint for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.flow for each statement execute function ledger.refuse_change();
create trigger append_only before update or delete or truncate on ledger.account_class for each statement execute function ledger.refuse_change();
-- Balances change; accounts do not go away.
create trigger append_only before delete or truncate on ledger.account for each statement execute function ledger.refuse_change();

-- The hash of a transfer: of the length-prefixed binary form PostgreSQL gives a row (for each column its type's number,
-- its length or -1, its bytes). core/canonical.ts builds the same bytes by itself and so checks this.
create function ledger.transfer_hash(
  id bigint, from_account bigint, to_account bigint, amount bigint, from_balance_after bigint, to_balance_after bigint, reverses bigint,
  tx bigint, market_at timestamptz, created_at timestamptz, reason ledger.reason, key text, reference text, note text) returns bytea
language sql stable
return sha256(record_send(row(id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx, market_at, created_at,
  convert_to(reason::text, 'UTF8'), convert_to(key, 'UTF8'), convert_to(reference, 'UTF8'), convert_to(note, 'UTF8'))));

-- What a caller wants to happen.
create type ledger.draft as (
  key          text,
  from_account bigint,
  to_account   bigint,
  amount       ledger.amount,
  reason       ledger.reason,
  reference    text,
  market_at    timestamptz,
  note         text,
  reverses     bigint
);

create function ledger.refuse_missing(accounts bigint[]) returns void language plpgsql as $$
begin
  raise exception 'these accounts do not exist: %', array(
      select a from unnest(accounts) a where a >= 32 and not exists (select from ledger.account where id = a) order by a limit 5)
    using errcode = 'LG003', constraint = 'transfer_accounts_exist', schema = 'ledger', table = 'transfer';
end $$;

-- Refuses keys that stand for two contents: in the drafts themselves, or there and in the ledger.
create function ledger.refuse_reused_keys(drafts ledger.draft[]) returns void language plpgsql as $$
declare
  reused text;
begin
  select key into reused
  from (
    select d.* from unnest(drafts) d
    union
    select t.key, t.from_account, t.to_account, t.amount, t.reason, t.reference, t.market_at, t.note, t.reverses
    from unnest(drafts) d join ledger.transfer t on t.key = d.key) content
  group by key having count(*) > 1 order by key limit 1;
  if found then
    raise exception 'the key % was used before, with other content', reused
      using errcode = 'LG002', constraint = 'transfer_key_is_one_content', schema = 'ledger', table = 'transfer';
  end if;
end $$;

create type ledger.posted as (id bigint, key text, from_balance_after bigint, to_balance_after bigint);

-- All drafts, in their order, or none, in a handful of statements whatever their number. Returns how many drafts there were.
create function ledger.post_set(drafts ledger.draft[]) returns bigint
language plpgsql
set work_mem = '64MB' set jit = off set plan_cache_mode = force_generic_plan
-- Whatever the tables' statistics say: accounts are found by their index, and so locked in the order of their ids, by which
-- posts wait for each other and never in a circle.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
as $$
declare
  new_tx      constant bigint := pg_current_xact_id()::text::bigint;
  fresh       ledger.draft[] := drafts;
  needed      bigint;
  accounts    bigint[];
  openings    bigint[];
  from_afters bigint[];
  to_afters   bigint[];
  post_at     timestamptz;
  assumed_new int;
begin
  loop
    begin
      with net as materialized (
        select account, sum(signed)::bigint as signed
        from (
          select case side when 1 then from_account else to_account end as account, case side when 1 then -amount else amount end as signed
          from unnest(fresh) cross join (values (1), (2)) as sides(side)) entry
        where account >= 32 group by account order by account
      ), moved as (
        update ledger.account a set balance = a.balance + net.signed from net where a.id = net.account
        returning a.id, a.balance - net.signed as opening
      )
      select (select count(*) from net), array_agg(moved.id), array_agg(moved.opening) into needed, accounts, openings from moved;
      if coalesce(cardinality(accounts), 0) <> needed then
        perform ledger.refuse_missing(array(select unnest(array[d.from_account, d.to_account]) from unnest(fresh) d));
      end if;
      -- After the locks, so that within one account the clock does not go back.
      post_at := clock_timestamp();

      with entry as (
        select ordinal, side, case side when 1 then from_account else to_account end as account, case side when 1 then -amount else amount end as signed
        from unnest(fresh) with ordinality as d(key, from_account, to_account, amount, reason, reference, market_at, note, reverses, ordinal)
        cross join (values (1), (2)) as sides(side)
        union all
        select 0, 0, account, opening from unnest(accounts, openings) as a(account, opening)
      ), running as (
        select ordinal, side, case when account >= 32 then sum(signed) over (partition by account order by ordinal) end::bigint as after from entry
      )
      select array_agg(after) filter (where side = 1), array_agg(after) filter (where side = 2) into from_afters, to_afters
      from (select side, after from running where ordinal > 0 order by ordinal) stated;

      insert into ledger.transfer (id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx,
        market_at, created_at, reason, key, reference, note, hash)
      overriding system value
      select id, from_account, to_account, amount, from_after, to_after, reverses, new_tx,
        market_at, post_at, reason, key, reference, note,
        ledger.transfer_hash(id, from_account, to_account, amount, from_after, to_after, reverses, new_tx,
          market_at, post_at, reason, key, reference, note)
      from (
        select nextval('ledger.transfer_id_seq') as id, d.*
        from unnest(fresh, from_afters, to_afters)
          as d(key, from_account, to_account, amount, reason, reference, market_at, note, reverses, from_after, to_after)) numbered;
      return cardinality(drafts);
    exception when unique_violation or check_violation then
      -- Perhaps because some keys are known already, or stand here twice. Those must mean the same, and are left out.
      perform ledger.refuse_reused_keys(drafts);
      assumed_new := cardinality(fresh);
      fresh := array(
        select row(d.key, d.from_account, d.to_account, d.amount, d.reason, d.reference, d.market_at, d.note, d.reverses)::ledger.draft
        from (
          select distinct on (d.key) d.*
          from unnest(drafts) with ordinality as d(key, from_account, to_account, amount, reason, reference, market_at, note, reverses, o)
          order by d.key, o) d
        where not exists (select from ledger.transfer t where t.key = d.key)
        order by o);
      if cardinality(fresh) = assumed_new then raise; end if;
    end;
  end loop;
end $$;

-- One transfer, in one statement. A second way beside ledger.post_set, because setting up the plans of a set takes longer than
-- moving the money of one: with it a single transfer is some three times as fast.
create function ledger.post_one(draft ledger.draft) returns ledger.posted
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  new_tx constant bigint := pg_current_xact_id()::text::bigint;
  known  ledger.transfer;
  result ledger.posted;
begin
  with locked as materialized (
    select id, balance from ledger.account
    where id = any (array[draft.from_account, draft.to_account]) order by id for no key update
  ), stated as materialized (
    select nextval('ledger.transfer_id_seq') as id, clock_timestamp() as created_at,
      max(balance) filter (where id = draft.from_account) - draft.amount as from_after,
      max(balance) filter (where id = draft.to_account) + draft.amount as to_after
    from locked
    having count(*) = (draft.from_account >= 32)::int + (draft.to_account >= 32 and draft.to_account <> draft.from_account)::int
      and (draft.from_account < 32 or max(balance) filter (where id = draft.from_account) >= draft.amount)
  ), inserted as (
    insert into ledger.transfer (id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx,
      market_at, created_at, reason, key, reference, note, hash)
    overriding system value
    select id, draft.from_account, draft.to_account, draft.amount, from_after, to_after, draft.reverses, new_tx,
      draft.market_at, created_at, draft.reason, draft.key, draft.reference, draft.note,
      ledger.transfer_hash(id, draft.from_account, draft.to_account, draft.amount, from_after, to_after, draft.reverses, new_tx,
        draft.market_at, created_at, draft.reason, draft.key, draft.reference, draft.note)
    from stated
    on conflict (key) do nothing
    returning id, from_balance_after, to_balance_after
  ), moved as (
    update ledger.account a
    set balance = case a.id when draft.from_account then inserted.from_balance_after else inserted.to_balance_after end
    from inserted where a.id = any (array[draft.from_account, draft.to_account])
  )
  select id, draft.key, from_balance_after, to_balance_after into result from inserted;
  if found then return result; end if;

  -- Nothing was written: the key is known, or an account is missing or has too little. A new statement sees what whoever
  -- held the locks before has committed.
  select * into known from ledger.transfer t where t.key = draft.key;
  if found then
    perform ledger.refuse_reused_keys(array[draft]);
    result := (known.id, known.key, known.from_balance_after, known.to_balance_after)::ledger.posted;
    return result;
  end if;
  update ledger.account set balance = balance - draft.amount where id = draft.from_account; -- refused by the CHECK of balances
  perform ledger.refuse_missing(array[draft.from_account, draft.to_account]);
  return null;
end $$;

-- The one way in: all drafts, in their order, or none. A result for each, in their order: for a known key its first one.
create function ledger.post(drafts ledger.draft[]) returns setof ledger.posted
language plpgsql as $$
begin
  if cardinality(drafts) = 1 then
    return next ledger.post_one(drafts[1]);
    return;
  end if;
  perform ledger.post_set(drafts);
  return query
    select t.id, t.key::text, t.from_balance_after::bigint, t.to_balance_after::bigint
    from unnest(drafts) with ordinality as d(key, from_account, to_account, amount, reason, reference, market_at, note, reverses, o)
    join ledger.transfer t on t.key = d.key
    order by o;
end $$;

-- First and last id of the transfers of a range of transactions. Without statistics (the embedded engine has no worker
-- that makes them) the planner would read the whole table instead of the index on tx.
create function ledger.transfer_ids(from_tx bigint, to_tx bigint) returns table (first_id bigint, last_id bigint, transfer_count bigint)
language sql stable set enable_seqscan = off as $$
  select min(id), max(id), count(*) from ledger.transfer where tx >= from_tx and tx < to_tx
$$;

-- Where to begin looking for an instant, found in some thirty steps by halving the ids. Near the id that is returned the
-- instants may be out of order by as long as a posting takes.
create function ledger.first_transfer_since(instant timestamptz) returns bigint
language plpgsql stable strict as $$
declare
  low    bigint := 0;
  high   bigint := (select coalesce(max(id), 0) + 1 from ledger.transfer);
  middle bigint;
begin
  while low < high loop
    middle := (low + high) / 2;
    if (select created_at from ledger.transfer where id >= middle order by id limit 1) < instant then
      low := middle + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;

-- Brings the index on tx up to date where no autovacuum worker does. It gives way to a running vacuum, which does the same.
create function ledger.summarize_transfers() returns void language plpgsql as $$
begin
  lock table ledger.transfer in share update exclusive mode nowait;
  perform brin_summarize_new_values('ledger.transfer_tx');
exception when lock_not_available then
  null;
end $$;

-- Balances of the house as of this statement's snapshot: those of the last seal and what came since.
create function ledger.house_balance() returns table (class smallint, balance bigint)
language plpgsql stable set enable_seqscan = off as $$
#variable_conflict use_column
declare
  last_no  bigint := 0;
  from_tx  bigint := 0;
  to_tx    constant bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
begin
  select s.no, s.horizon into last_no, from_tx from ledger.seal s order by s.no desc limit 1;
  last_no := coalesce(last_no, 0);
  from_tx := coalesce(from_tx, 0);
  if from_tx > to_tx then
    raise exception 'the last seal covers transactions up to %, but this cluster is only at %', from_tx, to_tx
      using errcode = 'LG005', hint = 'The ledger was restored from a cluster with higher transaction numbers: raise them with pg_resetwal --next-transaction-id.';
  end if;
  return query
    with since as (
      select side.account, sum(side.signed) as signed
      from ledger.transfer t cross join lateral (values (t.from_account, -t.amount), (t.to_account, t.amount)) as side(account, signed)
      where t.tx >= from_tx and t.tx < to_tx and side.account < 32
      group by side.account
    )
    select c.no, (coalesce(p.balance, 0) + coalesce(s.signed, 0))::bigint
    from ledger.account_class c
    left join ledger.checkpoint p on p.class = c.no and p.seal_no = last_no
    left join since s on s.account = c.no
    where c.owner = 'house';
end $$;
