-- A price holds from when its source quoted it, though its tick enters the market only when it arrives (docs/trading.md,
-- "Market feeds"). Null where both are one instant; so count older ticks, too, whose own time was kept with the mark alone.
alter table market.tick add column quoted_at timestamptz constraint tick_quoted_before check (quoted_at < at);

update market.tick t set quoted_at = m.at
from market.mark m
where t.asset_id = m.asset_id and m.at < t.at
  and t.at = (select max(last.at) from market.tick last where last.asset_id = t.asset_id);
