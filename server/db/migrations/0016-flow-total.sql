-- How much moved from which kind of account to which, why, and on which market day (server/ledger/statement/flow-total.ts): kept with
-- each seal, so that the sums of a month or of all time are exact at any moment without reading all transfers.

-- What the sealed transfers add up to. A reversal counts back what it reverses, on its own day.
create table ledger.flow_total (
  -- Market day; null: all days together.
  day        date,
  from_class smallint not null,
  to_class   smallint not null,
  reason     ledger.reason not null,
  amount     bigint not null,
  count      bigint not null,
  constraint flow_total_once unique nulls not distinct (day, from_class, to_class, reason)
);

-- What the transfers with `from_tx <= tx < to_tx` add up to.
create function ledger.flows_between(from_tx bigint, to_tx bigint)
returns table (day date, from_class smallint, to_class smallint, reason ledger.reason, amount bigint, count bigint)
language sql stable set enable_seqscan = off as $$
  select (t.market_at at time zone 'UTC')::date,
    (case when t.reverses is null then t.from_account else t.to_account end & 31)::smallint,
    (case when t.reverses is null then t.to_account else t.from_account end & 31)::smallint,
    case when t.reverses is null then t.reason
      else coalesce((select o.reason from ledger.transfer o where o.id = t.reverses), t.reason) end,
    sum(case when t.reverses is null then t.amount::bigint else -t.amount::bigint end)::bigint,
    sum(case when t.reverses is null then 1 else -1 end)::bigint
  from ledger.transfer t
  where t.tx >= from_tx and t.tx < to_tx
  group by 1, 2, 3, 4
$$;

-- The ledgers there are: what their last seal covers. Read as a whole, whatever the index on tx says.
insert into ledger.flow_total (day, from_class, to_class, reason, amount, count)
select day, from_class, to_class, reason, sum(amount), sum(count)
from (
  select (t.market_at at time zone 'UTC')::date as day, t.tx,
    case when t.reverses is null then t.from_account & 31 else t.to_account & 31 end::smallint as from_class,
    case when t.reverses is null then t.to_account & 31 else t.from_account & 31 end::smallint as to_class,
    coalesce(reversed.reason, t.reason) as reason,
    case when t.reverses is null then t.amount::bigint else -t.amount::bigint end as amount,
    case when t.reverses is null then 1 else -1 end as count
  from ledger.transfer t left join ledger.transfer reversed on reversed.id = t.reverses) as flow
where tx < (select horizon from ledger.seal order by no desc limit 1)
group by grouping sets ((day, from_class, to_class, reason), (from_class, to_class, reason));

-- Sums change; they do not go away.
create trigger append_only before delete or truncate on ledger.flow_total for each statement execute function ledger.refuse_change();

-- Up to which transaction the ledger is sealed. A cluster that is younger than its ledger would leave out what is new.
create function ledger.sealed_tx() returns bigint
language plpgsql stable as $$
declare
  sealed constant bigint := coalesce((select s.horizon from ledger.seal s order by s.no desc limit 1), 0);
begin
  if sealed > pg_snapshot_xmax(pg_current_snapshot())::text::bigint then
    raise exception 'the last seal covers transactions up to %, but this cluster is only at %', sealed, pg_snapshot_xmax(pg_current_snapshot())
      using errcode = 'LG005', hint = 'The ledger was restored from a cluster with higher transaction numbers: raise them with pg_resetwal --next-transaction-id.';
  end if;
  return sealed;
end $$;

-- Flows of each market day of a range, as of this statement's snapshot: the sealed ones and what came since.
create function ledger.flows_by_day(from_day date, to_day date)
returns table (day date, from_class smallint, to_class smallint, reason ledger.reason, amount bigint, count bigint)
language sql stable as $$
  select day, from_class, to_class, reason, sum(amount)::bigint, sum(count)::bigint
  from (
    select t.day, t.from_class, t.to_class, t.reason, t.amount, t.count from ledger.flow_total t where t.day between from_day and to_day
    union all
    select f.day, f.from_class, f.to_class, f.reason, f.amount, f.count
    from ledger.flows_between(ledger.sealed_tx(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint) f
    where f.day between from_day and to_day) as flow
  group by day, from_class, to_class, reason
$$;

-- The same of all days together.
create function ledger.flows_of_all_time()
returns table (from_class smallint, to_class smallint, reason ledger.reason, amount bigint, count bigint)
language sql stable as $$
  select from_class, to_class, reason, sum(amount)::bigint, sum(count)::bigint
  from (
    select t.from_class, t.to_class, t.reason, t.amount, t.count from ledger.flow_total t where t.day is null
    union all
    select f.from_class, f.to_class, f.reason, f.amount, f.count
    from ledger.flows_between(ledger.sealed_tx(), pg_snapshot_xmax(pg_current_snapshot())::text::bigint) f) as flow
  group by from_class, to_class, reason
$$;

-- The trades of one session, among those of all: opened together, they lie together.
create index trade_session on trading.trade using brin (session_day) with (pages_per_range = 32, autosummarize = on);
