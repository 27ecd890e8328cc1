create schema market;

-- The 16 pairs. The id is the place in the specification's list.
create table market.asset (
  id smallint primary key,
  symbol text not null constraint asset_symbol_unique unique,
  name text not null,
  apiname text not null,
  logo text not null,
  active boolean not null default true,
  spread_bps integer not null constraint asset_spread_in_range check (spread_bps between 0 and 1000)
);

-- Market time: one row. Whoever holds the lease may move it, so that two workers do not run it at double speed.
create table market.clock (
  one_row boolean primary key default true constraint clock_one_row check (one_row),
  feed text not null,
  -- What makes the simulated market this one and not another; empty for a recording.
  seed text not null,
  step_seconds integer not null constraint clock_step_positive check (step_seconds > 0),
  at timestamptz not null,
  -- Where a recording ends; null for a feed without an end.
  ends_at timestamptz,
  holder text,
  held_until timestamptz
);

create function market.refuse_clock_back() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.at >= old.at then return new; end if;
  raise exception 'market time never goes back' using errcode = 'TWM01';
end $$;
create trigger clock_never_back before update or delete on market.clock
  for each row execute function market.refuse_clock_back();

-- The last price of each asset, and the candle it is forming. A price over half away from the last is held as doubted
-- until the next one confirms it.
create table market.mark (
  asset_id smallint primary key references market.asset (id),
  price numeric constraint mark_price_positive check (price > 0),
  at timestamptz,
  doubted numeric,
  forming_at timestamptz,
  forming_open numeric,
  forming_high numeric,
  forming_low numeric,
  forming_close numeric,
  constraint mark_whole check ((price is null) = (at is null)),
  constraint mark_forming_whole check (
    num_nulls(forming_at, forming_open, forming_high, forming_low, forming_close) in (0, 5))
);

-- Every price that was taken, kept for three days of market time. The engine is the only writer and takes the asset's
-- number from market.asset in the same transaction, so the thousands of rows of a step are spared a foreign key.
create table market.tick (
  asset_id smallint not null,
  at timestamptz not null,
  price numeric not null constraint tick_price_positive check (price > 0),
  primary key (asset_id, at)
);

-- Candles by step: the feed's own, 15 minutes and one day; other intervals are put together from these.
create table market.candle (
  asset_id smallint not null,
  step_seconds integer not null,
  at timestamptz not null,
  open numeric not null,
  high numeric not null,
  low numeric not null,
  close numeric not null,
  -- Turnover in dollars.
  volume numeric not null constraint candle_volume_not_negative check (volume >= 0),
  primary key (asset_id, step_seconds, at),
  constraint candle_prices_in_order check (low > 0 and low <= least(open, close) and high >= greatest(open, close))
);
