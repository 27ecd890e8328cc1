-- A live source quotes prices and the turnover of 24 hours, not what was traded in each minute: that is unknown, not 0.
alter table market.candle alter column volume drop not null;

-- Turnover of 24 hours in dollars, as the source of the last price said; null for a recording and when it says nothing.
alter table market.mark
  add column day_volume numeric constraint mark_day_volume_not_negative check (day_volume >= 0);
