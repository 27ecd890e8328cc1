import { expect, test } from 'vitest';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import { mountTrading } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { TEMPLATE } from '#test/database/postgres-setup.ts';
import { startReadyCluster } from '#test/database/ready-clusters.ts';
import { recordHours } from '#test/kit/boot.ts';
import { testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { execute, listValues } from './rows.ts';

const cluster = await startReadyCluster(['synchronous_commit=on']);
closeAfterAll({ close: cluster.stop });
const market = closeAfterAll(recordHours());
const limits = { ...market.env, DATABASE_STATEMENT_MS: '500', JOBS: 'off', LOG_LEVEL: 'silent' };
const { context } = closeAfterAll(await boot(readConfig({ DATABASE_URL: cluster.url(TEMPLATE), ...limits })));
const app = closeAfterAll(await testApp(context, mountTrading));
const { memberId, token } = await signUp(context, { email: 'first@example.com' });
await giveFunds(context, memberId, 1_000_000_000n);

const place = async (key: string) => {
  const [headers, body] = [{ 'idempotency-key': key }, { tradeId: 'btc', amount: 5, wallet_type: 'primary' }];
  const reply = await app.ask('POST', 'trading/do-trade', { token, headers, body });
  return { status: reply.status, code: reply.body.code, data: reply.body.data };
};
const listStates = () => listValues(context.db)<string>`select state from trading.trade order by id`;

/** Sets the standby whose confirmation each commit waits for. */
async function waitFor(standby: '' | 'nobody'): Promise<void> {
  await context.db.connection().execute(async (connection) => {
    const setting = standby === '' ? execute(connection)`alter system reset synchronous_standby_names` : undefined;
    await (setting ?? execute(connection)`alter system set synchronous_standby_names = 'nobody'`);
    await execute(connection)`select pg_reload_conf()`;
  });
  const current = () => listValues(context.db)<string>`select current_setting('synchronous_standby_names')`;
  await expect.poll(current).toEqual([standby]);
}

test('a trade is acknowledged only after the synchronous standby has confirmed it', async () => {
  const key = crypto.randomUUID();
  await waitFor('nobody');
  expect(await place(key)).toMatchObject({ status: 503, code: 'outcome_unknown' });
  expect(await place(key)).toMatchObject({ status: 409, code: 'idempotency_running' });
  expect(await listStates()).toEqual([]);
  await waitFor('');
  await expect.poll(listStates).toEqual(['queued']);
  expect(await place(key)).toMatchObject({ status: 200, data: { state: 'queued' } });
  expect(await listStates()).toEqual(['queued']);
});
