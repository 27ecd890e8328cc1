-- Closing marks of positions carried over, which are made once the session has ended: its digest is without them, and so is
-- a replay. Where a trade was carried over, there was no mark when its session ended.
alter table trading.closing_mark add column is_carried boolean not null default false;

update trading.closing_mark m set is_carried = true
where exists (
  select from trading.trade t
  where t.carried and t.symbol = m.symbol and (t.opened_at at time zone 'UTC')::date = m.session_day);
