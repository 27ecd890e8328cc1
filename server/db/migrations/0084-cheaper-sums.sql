-- The sum of whole numbers as one: PostgreSQL's own carries numerics, which takes longer. Nothing adds up to 0, and
-- what no bigint holds is refused.
create aggregate ledger.bigint_sum (bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);

-- As before, but that the sides of the house, which have no balance to state, are neither added up nor sorted.
create or replace function ledger.post_set(drafts ledger.draft[]) returns bigint
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
        select account, ledger.bigint_sum(signed) as signed
        from (
          select from_account as account, -amount as signed from unnest(fresh) where from_account >= 32
          union all
          select to_account, amount from unnest(fresh) where to_account >= 32) entry
        group by account order by account
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

      with draft as materialized (
        select ordinal, from_account, to_account, amount
        from unnest(fresh) with ordinality as d(key, from_account, to_account, amount, reason, reference, market_at, note, reverses, ordinal)
      ), entry as (
        select ordinal, 1 as side, from_account as account, -amount as signed from draft where from_account >= 32
        union all
        select ordinal, 2, to_account, amount from draft where to_account >= 32
        union all
        select 0, 0, account, opening from unnest(accounts, openings) as a(account, opening)
      ), stated as (
        select ordinal, side, ledger.bigint_sum(signed) over (partition by account order by ordinal) as after from entry
      )
      select array_agg(from_after), array_agg(to_after) into from_afters, to_afters
      from (
        select max(after) filter (where side = 1) as from_after, max(after) filter (where side = 2) as to_after
        from (
          select * from stated where ordinal > 0
          union all
          select ordinal, 0, null from draft where from_account < 32 and to_account < 32) as one
        group by ordinal order by ordinal) both_sides;

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
