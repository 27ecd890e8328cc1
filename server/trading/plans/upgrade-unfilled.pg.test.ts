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

test('an upgrade returns to a plan what was not filled of any of its trades', async () => {
  await migrate(
    database,
    all.filter(({ number }) => number < 98),
  );
  // Of 100 dollars, 60 were filled, then 50: 40 and 10 lay in no plan. The trade of another plan was filled.
  await database.runScript(`
    insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, created_at, created_market_at)
    select 2, 'btc', 'session_hold', '{}', 'primary', 100000000, true, now(), now() from generate_series(1, 2);
    insert into trading.trade (member_id, symbol, wallet, plan_id, compounding, state, amount, placed_at, requested_at, session_day, fee,
      opened_at, open_price, closed_at, close_price, close_reason, gross, performance_fee, result)
    select 2, 'btc', 'investment', plan_id, true, 'settled', amount, now(), at, at::date, 0, at + interval '1 s', 1, at + interval '2 s', 1,
      'session_close', 0, 0, 0
    from (values (1, 60000000, timestamptz '2026-03-04 12:30Z'), (1, 50000000, '2026-03-05 12:30Z'), (1, 50000000, '2026-03-06 12:30Z'),
      (2, 100000000, '2026-03-06 12:30Z')) as t(plan_id, amount, at);
    insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at, reason,
      key, reference, hash)
    select 67, 68, amount, 0, 0, 1, now(), now(), 'trade_cancel', key, 'trade', ''
    from (values (40000000, 'trade/1/not-filled'), (10000000, 'trade/2/not-filled')) as t(amount, key);`);
  await migrate(database, all);
  const cash = await listRows(
    database.db,
  )`select id, trading.plan_cash(id, amount) as cash from trading.plan order by id`;
  expect(cash).toEqual([
    { id: 1n, cash: 100_000_000n },
    { id: 2n, cash: 100_000_000n },
  ]);
});
