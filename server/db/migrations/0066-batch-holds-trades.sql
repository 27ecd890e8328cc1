-- A batch names the trades that it opens and sells, in one row, instead of each trade the batch: a trade is not written before it opens.
alter table trading.batch
  -- By id, while it is under way: queued trades that it opens, open ones that it sells.
  add column open_ids bigint[] not null default '{}',
  add column close_ids bigint[] not null default '{}';
update trading.batch b set
  open_ids = coalesce((select array_agg(t.id order by t.id) from trading.trade t where t.batch_id = b.id and t.state = 'queued'), '{}'),
  close_ids = coalesce((select array_agg(t.id order by t.id) from trading.trade t where t.batch_id = b.id and t.state = 'open'), '{}')
where b.state in ('planned', 'sent', 'filled');
alter table trading.batch add constraint batch_trades
  check (state in ('planned', 'sent', 'filled') or open_ids = '{}' and close_ids = '{}');
alter table trading.trade drop column batch_id;
-- Few, and asked for whenever an asset is sold.
create index trade_carried on trading.trade (symbol) where carried and state = 'open';
