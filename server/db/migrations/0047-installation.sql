-- Each way in which this database was ever served, so that simulated and real money never meet in it (docs/operations.md,
-- "Live mode"). A database of before this table takes its first row at the next start.
create table public.installation (
  mode             text not null constraint installation_mode check (mode in ('paper', 'staging', 'live')),
  -- What members' deposits and trades were backed by: nothing; coins of a test network or an exchange's sandbox; money.
  money            text not null constraint installation_money check (money in ('simulated', 'test', 'real')),
  first_started_at timestamptz not null,
  constraint installation_pk primary key (mode, money),
  constraint installation_live_is_real check (mode <> 'live' or money = 'real'),
  constraint installation_paper_is_not check (mode <> 'paper' or money <> 'real')
);

create function public.refuse_installation_change() returns trigger language plpgsql as $$
begin
  raise exception 'what an installation was is not forgotten' using errcode = 'TWI01';
end $$;
create trigger append_only before update or delete or truncate on public.installation
  for each statement execute function public.refuse_installation_change();
