import { expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startCluster } from '#test/database/postgres-cluster.ts';

const cluster = await startCluster();
closeAfterAll({ close: () => cluster.stop() });
const database = closeAfterAll(connectPostgres(cluster.url('postgres'), { max: 2 }));
const all = readMigrations();

test('an upgrade gives what was sold in part the fee of the last sale of its asset until it closed', async () => {
  await migrate(
    database,
    all.filter(({ number }) => number < 105),
  );
  // Sold for 99 of 100 dollars, later for 98 of 100. The last trade was sold at once.
  await database.runScript(`
    insert into trading.holding (symbol) values ('btc');
    insert into trading.batch (symbol, session_day, kind, state, at, planned_at, mark, bid, ask, taker_fee, spread_bps, buy_micros, buy_coins, sell_coins, residual, is_whole,
      filled, filled_at, booked_at, sell_fill, sell_net, sell_price)
    select 'btc', '2026-03-04', 'close', 'booked', at, at, 100, 100, 100, 0.01, 10, 0, 0, 1, 0, true, 0, at, at, 100, net, net
    from (values (timestamptz '2026-03-04 13:00Z', 99), ('2026-03-05 13:00Z', 98)) as t(at, net);
    insert into trading.trade (member_id, symbol, wallet, state, amount, placed_at, requested_at, session_day, fee, opened_at, open_price,
      sold_coins, sold_dollars)
    select 2, 'btc', 'primary', 'open', 100000000, now(), '2026-03-04 12:30Z', '2026-03-04', 0, '2026-03-04 12:31Z', 100, coins, dollars
    from (values (0.5, 49.5), (0.5, 49.5), (null, null)) as t(coins, dollars);
    update trading.trade set state = 'settled', closed_at = '2026-03-04 14:00Z', close_price = 100, close_reason = 'close_now', gross = 0,
      performance_fee = 0, result = 0
    where id = 1;`);
  await migrate(database, all);
  const sold = await listRows(database.db)`
    select id, sold_dollars::text as dollars, round(sold_cost, 4)::text as cost from trading.trade order by id`;
  expect(sold).toEqual([
    { id: 1n, dollars: '49.5', cost: '50.0000' },
    { id: 2n, dollars: '49.5', cost: '50.5102' },
    { id: 3n, dollars: null, cost: null },
  ]);
});
