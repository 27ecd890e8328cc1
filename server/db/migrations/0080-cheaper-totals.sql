-- What every run's check adds up, all transfers since the last seal: their few groups are kept in memory and never sorted, although the
-- planner takes them for many, and a balance reads each transfer once, not once for each side.
alter function ledger.flows_between(bigint, bigint) set enable_sort = off;

create or replace function ledger.house_balance() returns table (class smallint, balance bigint)
language plpgsql stable set enable_seqscan = off set enable_sort = off as $$
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
    with moved as materialized (
      -- Accounts of members are 32 and above.
      select least(t.from_account, 32) as from_account, least(t.to_account, 32) as to_account, sum(t.amount) as amount
      from ledger.transfer t where t.tx >= from_tx and t.tx < to_tx
      group by 1, 2
    ),
    since as (
      select side.account, sum(side.signed) as signed
      from (select m.from_account as account, -m.amount as signed from moved m union all select m.to_account, m.amount from moved m) as side
      group by side.account
    )
    select c.no, (coalesce(p.balance, 0) + coalesce(s.signed, 0))::bigint
    from ledger.account_class c
    left join ledger.checkpoint p on p.class = c.no and p.seal_no = last_no
    left join since s on s.account = c.no
    where c.owner = 'house';
end $$;
