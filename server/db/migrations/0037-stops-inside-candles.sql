-- On feeds coarser than a minute, stops are compared with both extremes of a candle, in the worse of the two orders, and sold
-- at the worse of their level and the first price of the next candle.

alter table trading.trade
  -- The price a stop that was crossed is sold at or under: its level less half the spread. None where ticks alone decide.
  add column close_limit numeric(30, 12) constraint trade_close_limit check (close_limit > 0
    and (close_limit is null or (close_cause is not null and close_cause in ('stop_loss', 'take_profit', 'trailing_stop'))));

-- Asks for the sale of what marks cross, each mark at its own instant; of several stops that one mark crosses, a loss comes
-- before a profit, and the stop-loss before the trailing stop. A price that opens a candle may have jumped over a level:
-- then it counts instead. Every factor is a whole number of 10^-5, so that a price is rounded once.
create function trading.ask_crossed(opens_candle boolean, mark_at timestamptz[], mark_symbol text[], mark_price numeric[], mark_spread int[])
returns void
language plpgsql set enable_seqscan = off set jit = off as $$
declare
  moment record;
begin
  for moment in
    select m.at, array_agg(m.symbol) as symbols, array_agg(m.price) as prices
    from unnest(mark_at, mark_symbol, mark_price) as m(at, symbol, price) group by m.at order by m.at
  loop
    update trading.trade t
    set close_requested_at = moment.at, close_cause = c.cause, close_limit = round(0.00005 * (20000 - m.spread) * least(
      case when opens_candle then m.price end,
      case c.cause
        when 'stop_loss' then t.stop_loss_price
        when 'take_profit' then t.take_profit_price
        else round(0.001 * (1000 - t.trailing_stop_permille) * (
          select max(h.price) from trading.high_water h where h.symbol = t.symbol and h.at >= t.trailing_since), 12)
      end), 12)
    from (
      select distinct on (l.id) l.id, l.cause from trading.list_crossed(moment.at, moment.symbols, moment.prices) l
      order by l.id, array_position(array['stop_loss', 'trailing_stop', 'take_profit'], l.cause)) as c,
      unnest(mark_symbol, mark_price, mark_spread) as m(symbol, price, spread)
    where t.id = c.id and m.symbol = t.symbol and t.state = 'open' and t.close_requested_at is null;
  end loop;
end $$;

-- Compares one instant of a coarse feed with the stops of everything that is open. The first extreme of a candle is compared
-- and not remembered as a high yet. At the second both are known, `first_at` and `first_price` being the other one: what the
-- first asked for as a high is asked again behind the low, then both are remembered, and the low is measured from the high.
-- What was passed over is remembered before. Whoever comes first follows an instant. Returns the instant up to which
-- everything is followed.
create function trading.follow_coarse(session_day date, instant timestamptz, stage text,
  tick_symbol text[], tick_price numeric[], tick_spread int[], first_at timestamptz[], first_price numeric[],
  passed_at timestamptz[], passed_symbol text[], passed_price numeric[])
returns timestamptz
language plpgsql set enable_seqscan = off set jit = off as $$
declare
  until   timestamptz;
  low_at  timestamptz[];
  low     numeric[];
  high_at timestamptz[];
  high    numeric[];
begin
  select f.followed_until into until from trading.follower f for update;
  if not exists (select from trading.session s where s.day = session_day and s.state = 'open') then return instant; end if;
  if instant <= until then return until; end if;
  perform trading.note_ticks(passed_at, passed_symbol, passed_price);
  if stage = 'first' then
    perform trading.ask_crossed(false, array_fill(instant, array[cardinality(tick_symbol)]), tick_symbol, tick_price, tick_spread);
  else
    update trading.trade t set close_requested_at = null, close_cause = null, close_limit = null
    from unnest(tick_symbol, tick_price, first_at, first_price) as m(symbol, price, earlier_at, earlier)
    where t.state = 'open' and t.close_requested_at = m.earlier_at and t.symbol = m.symbol and m.earlier > m.price
      and t.close_limit is not null;
    select array_agg(case when m.earlier <= m.price then m.earlier_at else instant end order by m.n), array_agg(least(m.earlier, m.price) order by m.n),
      array_agg(case when m.earlier > m.price then m.earlier_at else instant end order by m.n), array_agg(greatest(m.earlier, m.price) order by m.n)
    into low_at, low, high_at, high
    from unnest(tick_price, first_at, first_price) with ordinality as m(price, earlier_at, earlier, n);
    perform trading.ask_crossed(stage = 'open', low_at, tick_symbol, low, tick_spread);
    perform trading.ask_crossed(stage = 'open', high_at, tick_symbol, high, tick_spread);
    perform trading.note_ticks(array_agg(m.at order by m.at), array_agg(m.symbol order by m.at), array_agg(m.price order by m.at))
    from (
      select f.at, f.symbol, f.price from unnest(first_at, tick_symbol, first_price) as f(at, symbol, price) where f.at is not null
      union all
      select instant, t.symbol, t.price from unnest(tick_symbol, tick_price) as t(symbol, price)) as m;
    perform trading.ask_crossed(stage = 'open', low_at, tick_symbol, low, tick_spread);
  end if;
  update trading.follower f set followed_until = instant where f.followed_until < instant;
  return instant;
end $$;
