-- Operators halt trading (docs/console.md): nothing is placed and nothing opens, what is open goes on. A row is written once
-- and lifted once, so that the market can be followed again at any time and gives the same trades.
create table trading.halt (
  id         bigint not null generated always as identity constraint halt_pk primary key,
  -- Members read it.
  reason     text not null constraint halt_has_reason check (reason <> ''),
  -- Market time: ticks after the first and up to the second open nothing. Null while it stands.
  starts_at  timestamptz not null,
  ends_at    timestamptz,
  -- Real time.
  halted_at  timestamptz not null,
  halted_by  bigint not null,
  lifted_at  timestamptz,
  lifted_by  bigint,
  note       text,
  constraint halt_lifted check (num_nonnulls(ends_at, lifted_at, lifted_by, note) in (0, 4)),
  constraint halt_order check (ends_at >= starts_at)
);
-- One at a time.
create unique index halt_standing on trading.halt ((true)) where ends_at is null;
-- The market is followed from some instant on: only halts that reach beyond it are read.
create index halt_ends_at on trading.halt (ends_at);

create function trading.refuse_halt_change() returns trigger language plpgsql as $$
begin
  raise exception 'a halt is written once and lifted once: % refused', lower(tg_op)
    using errcode = 'TR002', constraint = 'halt_append_only', schema = tg_table_schema, table = tg_table_name;
end $$;
create trigger halt_lifted_once before update on trading.halt for each row
  when (old.ends_at is not null
    or (old.id, old.reason, old.starts_at, old.halted_at, old.halted_by)
      is distinct from (new.id, new.reason, new.starts_at, new.halted_at, new.halted_by))
  execute function trading.refuse_halt_change();
create trigger halt_stays before delete or truncate on trading.halt
  for each statement execute function trading.refuse_halt_change();

-- Queued trades are given back when trading halts.
alter table trading.trade
  drop constraint trade_cancel_reason,
  add constraint trade_cancel_reason check (cancel_reason in ('member', 'asset_off', 'frozen', 'own_limit', 'venue_down', 'halted'));

-- What a block of members came to in a session, beside its hash: the figures of a session are the sums of some hundred rows,
-- whatever the number of its trades.
alter table trading.booked_block
  add column members          bigint not null default 0,
  add column trades           bigint not null default 0,
  add column staked           bigint not null default 0,
  add column trade_fees       bigint not null default 0,
  add column performance_fees bigint not null default 0,
  -- Before fees.
  add column gross            bigint not null default 0;
-- Sessions of before there were blocks get theirs, without a hash. One that is being booked now keeps the blocks it has: a
-- block with a row is booked.
insert into trading.booked_block as b (session_day, no, members, trades, staked, trade_fees, performance_fees, gross)
select d.session_day, d.member_id / 4096, count(*), sum(d.trades), sum(d.volume), sum(d.trade_fees), sum(d.performance_fees),
  sum(d.result + d.trade_fees + d.performance_fees)
from trading.daily_result d join trading.session s on s.day = d.session_day
where s.state = 'settled' or exists (
  select from trading.booked_block known where known.session_day = d.session_day and known.no = d.member_id / 4096)
group by d.session_day, d.member_id / 4096
on conflict (session_day, no) do update set members = excluded.members, trades = excluded.trades, staked = excluded.staked,
  trade_fees = excluded.trade_fees, performance_fees = excluded.performance_fees, gross = excluded.gross;
