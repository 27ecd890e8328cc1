-- The server's role owns nothing (docs/operations.md, "Roles"). What only an owner may do and the server needs is done by
-- these functions, with the owner's rights and for these tables alone. Names are looked up in the catalogue first and
-- among temporary tables last, so that no table of a session takes another one's place.

-- PostgreSQL only warns when somebody else than the owner asks for an analysis, and plans go wrong quietly.
create function market.analyze_prices() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  analyze market.asset, market.candle;
end $$;

create function income.analyze_level_sum() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  analyze income.level_sum (level);
end $$;

-- Emptied at once, unless somebody holds the table, as a backup does for as long as it takes; then row by row, for the
-- market does not wait for it.
create function income.empty_level_sum() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table income.level_sum in access exclusive mode nowait;
  truncate income.level_sum;
exception when lock_not_available then
  delete from income.level_sum;
end $$;

-- A temporary table that is gone with the transaction. Its columns are written out, because `like` would keep the other
-- one locked.
create function income.create_level_sum_again() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  create temporary table level_sum_again (level smallint, member_id bigint, traders bigint, volume bigint, trade_fees bigint,
    performance_fees bigint, active_change bigint, primary key (level, member_id)) on commit drop;
  grant select, insert on pg_temp.level_sum_again to session_user;
end $$;

create function income.analyze_level_sum_again() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  analyze pg_temp.level_sum_again (level);
end $$;

-- Only the slot that the next snapshot fills: nobody empties one that is kept.
create function solvency.empty_slot(no bigint) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if no is distinct from (select coalesce(max(snapshot.no), 0) + 1 from solvency.snapshot) then
    raise exception 'slot of snapshot % is not the next one', no;
  end if;
  execute pg_catalog.format('truncate solvency.node_%s', no % 8);
end $$;

create function solvency.analyze_slot(no bigint) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute pg_catalog.format('analyze solvency.node_%s', no % 8);
end $$;

create function trading.lock_fee_plans() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  lock table trading.fee_plan in share row exclusive mode;
end $$;

-- Snapshots are taken one at a time. Whoever takes one has to see the one before, so it locks before it sees anything, which
-- no function can: this table has no other use. The snapshots themselves cannot be locked by who may not change them.
create table solvency.turn ();

-- Summaries of an index are the owner's as well.
alter function ledger.summarize_transfers() security definer set search_path = pg_catalog, pg_temp;

do $$
declare
  one regprocedure;
begin
  for one in select oid::regprocedure from pg_proc where prosecdef and pronamespace in (
    select oid from pg_namespace where nspname in ('ledger', 'market', 'income', 'solvency', 'trading'))
  loop
    execute format('revoke execute on function %s from public', one);
  end loop;
end $$;
