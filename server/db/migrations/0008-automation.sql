-- Trades that the machine makes and ends: stops, plans, and what strategies decided (product.md section 3).

alter table trading.trade
  -- The plan that placed it; its money comes from `investment` then.
  add column plan_id bigint,
  -- Of a plan's trade: whether its gain stays in `investment` (compounding) or goes to `profit`.
  add column compounding boolean,
  -- Stops as the member set them, in tenths of a percent of the open price, or of the highest mark for the trailing one.
  add column stop_loss_permille int,
  add column take_profit_permille int,
  add column trailing_stop_permille int,
  -- The marks at which the first two are crossed; known once it is open.
  add column stop_loss_price numeric(30, 12),
  add column take_profit_price numeric(30, 12),
  -- Ticks after this market time can cross the stops, and the trailing one counts from the mark of this tick on.
  add column stops_since timestamptz,
  add column trailing_since timestamptz,
  -- Why it is to be closed, together with close_requested_at.
  add column close_cause text;

update trading.trade set close_cause = 'close_now' where close_requested_at is not null;

alter table trading.trade
  drop constraint trade_wallet,
  add constraint trade_wallet check (wallet in ('primary', 'profit', 'investment')),
  add constraint trade_of_plan check ((wallet = 'investment') = (plan_id is not null) and (plan_id is null) = (compounding is null)),
  drop constraint trade_close_reason,
  add constraint trade_close_reason check (close_reason in
    ('session_close', 'close_now', 'late_price', 'stop_loss', 'take_profit', 'trailing_stop', 'strategy')),
  add constraint trade_close_cause check (close_cause in ('close_now', 'stop_loss', 'take_profit', 'trailing_stop', 'strategy')
    and (close_cause is null) = (close_requested_at is null)),
  add constraint trade_stops check (stop_loss_permille between 1 and 999 and take_profit_permille between 1 and 10000
    and trailing_stop_permille between 1 and 500),
  add constraint trade_stop_levels check (state = 'queued' or state = 'cancelled' or (
    (stop_loss_price is null) = (stop_loss_permille is null) and (take_profit_price is null) = (take_profit_permille is null)
    and (trailing_since is null) = (trailing_stop_permille is null)
    and (stops_since is null) = (num_nonnulls(stop_loss_permille, take_profit_permille, trailing_stop_permille) = 0)));

-- What one tick is compared with: only trades that have such a stop are in there, and the tick takes one end of a range.
create index trade_stop_loss on trading.trade (symbol, stop_loss_price)
  where state = 'open' and close_requested_at is null and stop_loss_price is not null;
create index trade_take_profit on trading.trade (symbol, take_profit_price)
  where state = 'open' and close_requested_at is null and take_profit_price is not null;
create index trade_trailing_stop on trading.trade (symbol, trailing_stop_permille, trailing_since)
  where state = 'open' and close_requested_at is null and trailing_stop_permille is not null;
-- The trades of a plan, the last one first of all; and of those that are open.
create index trade_plan on trading.trade (plan_id, id) where plan_id is not null;
create index trade_plan_open on trading.trade (plan_id) where state = 'open' and plan_id is not null;
-- One decision of a plan makes one trade, and a plan has one trade at a time.
create unique index trade_plan_once on trading.trade (plan_id, requested_at) where plan_id is not null;
create unique index trade_plan_one on trading.trade (plan_id) where plan_id is not null and state in ('queued', 'open');

-- The highest marks of the session that no later mark of the asset reached: later rows are lower ones. The highest mark
-- since an instant is the first row from it on; and the last instant a mark was at least so high is that of the lowest
-- row that still is. So one row serves all trailing stops, whenever they began, and a new high touches no trade.
create table trading.high_water (
  symbol text not null,
  price  numeric(30, 12) not null,
  at     timestamptz not null,
  primary key (symbol, price)
);

-- Boundaries of 15 minutes up to this market time have been decided by the strategies.
alter table trading.follower add column decided_until timestamptz;

-- Which of the open trades a tick of each asset crosses, found at one end of an index range whatever the planner thinks of a
-- price it does not know: asked for in the order of the index, and without sorting, there is no other way, and plans are
-- made once a connection (bench/stops.ts). A trailing stop of
-- p tenths of a percent is crossed when the highest mark since its beginning is at least price × 1000 / (1000 − p): for
-- each p in use, up to the deepest fall there is, one look at high_water and one end of an index range.
create function trading.list_crossed(tick_at timestamptz, tick_symbol text[], tick_price numeric[])
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
      select t.trailing_stop_permille from trading.trade t
      where t.state = 'open' and t.close_requested_at is null and t.trailing_stop_permille is not null and t.symbol = tick.symbol
      order by t.trailing_stop_permille limit 1)
    from tick where tick.deepest >= 1
    union all
    select step.symbol, step.price, step.deepest, (
      select t.trailing_stop_permille from trading.trade t
      where t.state = 'open' and t.close_requested_at is null and t.trailing_stop_permille is not null and t.symbol = step.symbol
        and t.trailing_stop_permille > step.permille
      order by t.trailing_stop_permille limit 1)
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

-- Remembers marks, given in time order, as highs until a higher one comes.
create function trading.note_ticks(tick_at timestamptz[], tick_symbol text[], tick_price numeric[]) returns void
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

-- Compares the ticks of a stretch, in time order, with the stops of everything that is open, instant by instant, and asks
-- for the sale of what is crossed; of several stops that one tick crosses, the first of stop-loss, take-profit and trailing
-- stop is the cause. It goes on until something was crossed, because the next tick is then to sell it first. Whoever
-- comes first follows an instant: it waits for a follower at work, and leaves out what was followed before.
-- Returns the instant up to which everything is followed.
create function trading.follow_ticks(session_day date, tick_at timestamptz[], tick_symbol text[], tick_price numeric[])
returns timestamptz
language plpgsql set enable_seqscan = off set jit = off as $$
declare
  until   timestamptz;
  instant timestamptz;
  first   int := 1;
  last    int := 0;
  total   constant int := cardinality(tick_at);
  crossed bigint := 0;
  has_stops constant boolean := exists (
      select from trading.trade t where t.state = 'open' and t.close_requested_at is null and t.stop_loss_price is not null)
    or exists (select from trading.trade t where t.state = 'open' and t.close_requested_at is null and t.take_profit_price is not null)
    or exists (select from trading.trade t where t.state = 'open' and t.close_requested_at is null and t.trailing_stop_permille is not null);
begin
  select f.followed_until into until from trading.follower f for update;
  if not exists (select from trading.session s where s.day = session_day and s.state = 'open') then return tick_at[total]; end if;
  while first <= total and tick_at[first] <= until loop first := first + 1; end loop;
  while first <= total and crossed = 0 loop
    instant := tick_at[first];
    last := first;
    if has_stops then
      while last < total and tick_at[last + 1] = instant loop last := last + 1; end loop;
      update trading.trade t set close_requested_at = instant, close_cause = c.cause
      from (
        select distinct on (l.id) l.id, l.cause from trading.list_crossed(instant, tick_symbol[first:last], tick_price[first:last]) l
        order by l.id, l.cause) as c
      where t.id = c.id and t.state = 'open' and t.close_requested_at is null;
      get diagnostics crossed = row_count;
    else
      last := total;
    end if;
    perform trading.note_ticks(tick_at[first:last], tick_symbol[first:last], tick_price[first:last]);
    until := tick_at[last];
    first := last + 1;
  end loop;
  update trading.follower f set followed_until = until where f.followed_until < until;
  return until;
end $$;

-- A standing instruction (product.md section 3, Auto-trade plan). What it is worth is not kept here: it follows from its
-- last trade (trading.plan_cash), so that the two cannot disagree.
create table trading.plan (
  id               bigint generated always as identity primary key,
  member_id        bigint not null,
  symbol           text not null,
  strategy         text not null constraint plan_strategy check (strategy in ('session_hold', 'momentum', 'mean_reversion')),
  -- The strategy's own knobs, all of them, in the order of jsonb: equal settings are equal values.
  params           jsonb not null,
  wallet           text not null constraint plan_wallet check (wallet in ('primary', 'profit')),
  amount           bigint not null constraint plan_amount check (amount > 0),
  compounding      boolean not null,
  stop_loss_permille     int,
  take_profit_permille   int,
  trailing_stop_permille int,
  state            text not null default 'active' constraint plan_state check (state in ('active', 'paused', 'redeemed')),
  state_reason     text constraint plan_state_reason check (state_reason in ('member', 'minimum', 'own_limit', 'asset_off')),
  -- Real time; and market time, from which follows the first session it may trade in.
  created_at       timestamptz not null,
  created_market_at timestamptz not null,
  redeemed_at      timestamptz,
  redeemed_market_at timestamptz,
  redeemed_amount  bigint,
  constraint plan_paused check ((state = 'paused') = (state_reason is not null)),
  constraint plan_redeemed check (num_nonnulls(redeemed_at, redeemed_market_at, redeemed_amount) = case state when 'redeemed' then 3 else 0 end),
  constraint plan_stops check (stop_loss_permille between 1 and 999 and take_profit_permille between 1 and 10000
    and trailing_stop_permille between 1 and 500)
);
create index plan_member on trading.plan (member_id, state, id);
create index plan_active on trading.plan (id) where state = 'active';
create index plan_setting on trading.plan (symbol, strategy, params, id) where state = 'active';

-- What of a plan lies in `investment`: what its last trade left, or what was put in before there was one. While a trade
-- has it, nothing. A gain stays only with compounding; a loss always.
create function trading.plan_cash(plan_id bigint, put_in bigint) returns bigint
language sql stable as $$
  select coalesce((
    select case t.state
      when 'settled' then t.amount + case when t.compounding then t.result else least(t.result, 0) end
      when 'cancelled' then t.amount
      else 0 end
    from trading.trade t where t.plan_id = $1 order by t.id desc limit 1), $2)
$$;

-- What happened to a plan besides its trades.
create table trading.plan_event (
  id        bigint generated always as identity primary key,
  plan_id   bigint not null,
  kind      text not null constraint plan_event_kind check (kind in ('created', 'paused', 'resumed', 'stops_changed', 'redeemed')),
  reason    text,
  at        timestamptz not null,
  market_at timestamptz not null
);
create index plan_event_plan on trading.plan_event (plan_id, id);

-- What a strategy decided at the end of a 15-minute candle, for all plans of one setting together, and why.
create table trading.decision (
  session_day date not null,
  at          timestamptz not null,
  symbol      text not null,
  strategy    text not null,
  params      jsonb not null,
  side        text not null constraint decision_side check (side in ('entry', 'exit')),
  action      text not null constraint decision_action check (action in ('enter', 'exit', 'wait')),
  reason      text not null,
  facts       jsonb not null,
  primary key (symbol, strategy, params, at, side)
);

-- What the results of a session rest on and came to, as one number: the same seed and candles give the same one.
alter table trading.session add column manifest_hash text;
