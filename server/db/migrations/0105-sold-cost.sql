-- Of a position that is sold in several batches: dollars got for the coins sold so far, before the exchange's fee.
alter table trading.trade add column sold_cost numeric;
-- For positions from before, the fee of the last sale of their asset.
update trading.trade t set sold_cost = t.sold_dollars * (
  select b.sell_fill / b.sell_net from trading.batch b
  where b.symbol = t.symbol and b.sell_net > 0 and b.filled_at <= coalesce(t.closed_at, 'infinity')
  order by b.id desc limit 1)
where t.sold_coins is not null;
alter table trading.trade add constraint trade_sold_cost check ((sold_coins is null) = (sold_cost is null));
