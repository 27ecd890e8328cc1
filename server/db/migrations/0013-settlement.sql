-- Settlement in lanes, and what a session came to as one number (trading.session.manifest_hash, server/trading/core/manifest.ts).

-- Members are booked in blocks of 4096 ids. A block that has its row is booked: the row is written in the transaction that
-- does it, so that lanes and restarts book nobody twice. A session that was being booked before there were blocks goes on
-- after its booked_member_id; in all later ones that stays 0.
create table trading.booked_block (
  session_day date not null,
  no          int not null,
  -- sha256 of the sums of its members in this session; null when none of them traded.
  hash        bytea,
  primary key (session_day, no)
);

-- Booking reads one session of a range of members, however many sessions they have behind them.
create index daily_result_session on trading.daily_result (session_day, member_id);

-- Every session updates the row of each member who trades: room for the next version on its own page.
alter table trading.lifetime_result set (fillfactor = 80);

-- What a tick is compared with is found at one end of an index range, whatever the planner thinks of a price it does not
-- know: asked for in the order of the index, and without sorting, there is no other way. And the plans are made once a
-- connection. So these two stand here anew, with the same results as before
-- (bench/stops.ts). A trailing stop of p tenths of a percent is crossed from a high of price × 1000 / (1000 − p) on: rounded
-- up to 12 places that is a bound of the index, and exact, because highs have 12 places.
create or replace function trading.list_crossed(tick_at timestamptz, tick_symbol text[], tick_price numeric[])
returns table (id bigint, cause text)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off
set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with recursive tick as materialized (
    select t.symbol, t.price, 1000 - ceil(t.price * 1000 / greatest(h.price, t.price)) as deepest
    from unnest(tick_symbol, tick_price) as t(symbol, price)
    left join lateral (
      select h.price from trading.high_water h where h.symbol = t.symbol order by h.price desc limit 1) as h on true
  ), step(symbol, price, deepest, permille) as (
    select tick.symbol, tick.price, tick.deepest, (
      select min(t.trailing_stop_permille) from trading.trade t
      where t.state = 'open' and t.close_requested_at is null and t.trailing_stop_permille is not null and t.symbol = tick.symbol)
    from tick where tick.deepest >= 1
    union all
    select step.symbol, step.price, step.deepest, (
      select min(t.trailing_stop_permille) from trading.trade t
      where t.state = 'open' and t.close_requested_at is null and t.trailing_stop_permille is not null and t.symbol = step.symbol
        and t.trailing_stop_permille > step.permille)
    from step where step.permille <= step.deepest
  )
  select crossed.id, crossed.cause from tick cross join lateral (
    select t.id, 'stop_loss' as cause from trading.trade t
    where t.state = 'open' and t.close_requested_at is null and t.stop_loss_price is not null
      and t.symbol = tick.symbol and t.stop_loss_price >= tick.price and t.stops_since < tick_at
    order by t.stop_loss_price desc) as crossed
  union all
  select crossed.id, crossed.cause from tick cross join lateral (
    select t.id, 'take_profit' as cause from trading.trade t
    where t.state = 'open' and t.close_requested_at is null and t.take_profit_price is not null
      and t.symbol = tick.symbol and t.take_profit_price <= tick.price and t.stops_since < tick_at
    order by t.take_profit_price) as crossed
  union all
  select crossed.id, 'trailing_stop' from step cross join lateral (
    select t.id from trading.trade t
    where t.state = 'open' and t.close_requested_at is null and t.trailing_stop_permille is not null
      and t.symbol = step.symbol and t.trailing_stop_permille = step.permille and t.stops_since < tick_at
      and t.trailing_since <= (
        select h.at from trading.high_water h
        where h.symbol = step.symbol
          and h.price >= div(step.price * 1000000000000000 + (999 - step.permille), 1000 - step.permille) * 0.000000000001
        order by h.price limit 1)
    order by t.trailing_since) as crossed
  where step.permille <= step.deepest;
end $$;
create or replace function trading.note_ticks(tick_at timestamptz[], tick_symbol text[], tick_price numeric[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  delete from trading.high_water h
  using (select t.symbol, max(t.price) as price from unnest(tick_symbol, tick_price) as t(symbol, price) group by t.symbol) as top
  where h.symbol = top.symbol and h.price <= top.price;
  insert into trading.high_water (symbol, price, at)
  select symbol, price, at from (
    select t.*, max(price) over (partition by symbol order by at desc rows between unbounded preceding and 1 preceding) as later
    from unnest(tick_at, tick_symbol, tick_price) as t(at, symbol, price)) as t
  where later is null or price > later;
end $$;
-- And whether there are stops at all is asked of their indexes, not of all trades there ever were.
alter function trading.follow_ticks(date, timestamptz[], text[], numeric[]) set enable_seqscan = off set jit = off;
