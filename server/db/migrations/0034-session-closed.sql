-- What a plan decided in a session and could not open by its close is given back to it.
alter table trading.trade
  drop constraint trade_cancel_reason,
  add constraint trade_cancel_reason
    check (cancel_reason in ('member', 'asset_off', 'frozen', 'own_limit', 'venue_down', 'halted', 'session_closed'));
