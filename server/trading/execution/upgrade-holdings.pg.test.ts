import { expect, test } from 'vitest';
import { BadConfig } from '#server/config.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startCluster } from '#test/database/postgres-cluster.ts';

const cluster = await startCluster();
closeAfterAll({ close: () => cluster.stop() });
const database = closeAfterAll(connectPostgres(cluster.url('postgres'), { max: 2 }));
const all = readMigrations();
const before = all.filter(({ number }) => number < 57);

test('an upgrade waits until hedged trades are settled and hedges finished; what the hedges hold becomes the residual', async () => {
  await migrate(database, before);
  await database.runScript(`
    insert into trading.exposure (symbol, quantity, members_cash) values ('btc', 0.5, -25000000000);
    insert into trading.hedge (symbol, held, members_cash, venue_cash, result) values ('btc', 0.4998, -24990000000, -24995.5, -5500000);`);
  const refused = new BadConfig(
    'Upgrade refused: trades are open at the exchange, or hedge orders unfinished. Let the version before settle them first',
  );
  await expect(migrate(database, all)).rejects.toThrow(refused);
  await database.runScript(`
    update trading.exposure set quantity = 0, members_cash = 10000000;
    insert into trading.hedge_order (client_order_id, symbol, side, quantity, members_cash, mark, planned_at)
      values ('tw1', 'btc', 'sell', 0.4998, 25000000000, 50000, now())`);
  await expect(migrate(database, all)).rejects.toThrow(refused);
  await database.runScript(
    `update trading.hedge_order set state = 'withdrawn', reason = 'positions changed', finished_at = now()`,
  );
  expect((await migrate(database, all))[0]).toBe('0057-exchange-first.sql');
  expect(
    await listRows(database.db)`select symbol, held::text, members_cash, venue_cash::text, result from trading.holding`,
  ).toEqual([
    { symbol: 'btc', held: '0.4998', members_cash: -24_990_000_000n, venue_cash: '-24995.5', result: -5_500_000n },
  ]);
});
