-- Of two followers that compare the same ticks with stops at once, the second goes back to look for what waits now: what the
-- first crossed is sold at the very next tick. (It used to go on behind the first, over the tick that should have sold.)
create or replace function trading.follow_ticks(session_day date, tick_at timestamptz[], tick_symbol text[], tick_price numeric[])
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
  if tick_at[1] <= until then return until; end if;
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
