import { beforeEach, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { nowpaymentsPayerEnv, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { mountOperatorPayouts, mountWithdrawals } from '../index.ts';
import { openWithdrawalsWorld, SEGWIT } from './withdrawals-world.test-setup.ts';

const node = closeAfterAll(await startNowpayments());
const world = closeAfterAll(await openWithdrawalsWorld(nowpaymentsPayerEnv(node)));
const app = closeAfterAll(await testApp(world.context, mountAccounts, mountWithdrawals, mountOperatorPayouts));
const { token } = await world.addPerson();
const operator = await makeOperator(world.context, 'support');
beforeEach(() => {
  world.clock.advance(60);
  node.calls.splice(0);
});

const FEE = 'safe/network-fee?network=TRC20';
const get = (url: string, as = token) => app.ask('GET', url, { token: as });
const data = (estimate: number | null) => ({ status: 200, body: { status: 'success', data: { estimate } } });

test('a member and an operator read the same estimate, which is queried once a minute', async () => {
  const answers = await Promise.all([get(FEE), get(FEE), get('operator/network-fee?network=TRC20', operator.token)]);
  for (const answer of answers) expect(answer).toMatchObject(data(1.2));
  node.payouts.settings.fees = { ...node.payouts.settings.fees, usdttrc20: 3.5 };
  world.clock.advance(59);
  expect(await get(FEE)).toMatchObject(data(1.2));
  expect(node.calls).toEqual(['getPayoutFee']);
  world.clock.advance(1);
  expect(await get(FEE)).toMatchObject(data(3.5));
});

test('of a gateway that does not respond is unknown, and queried again', async () => {
  node.interferences.push({ call: 'getPayoutFee', with: { status: 500, body: {} } });
  expect(await get(FEE)).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
  expect(await get(FEE)).toMatchObject(data(3.5));
});

test('of a network that no gateway pays is not estimated, and the terms say so', async () => {
  expect(await get('safe/network-fee?network=BTC')).toMatchObject(data(null));
  const inBitcoin = await world.addPerson(100, { network: 'BTC', address: SEGWIT });
  const nowhere = await world.addPerson(100, null);
  const said = await Promise.all([token, inBitcoin.token, nowhere.token].map((as) => get('safe/withdrawal-terms', as)));
  expect(said.map(({ body }) => body.data.network_fee_estimated)).toEqual([true, false, false]);
  expect(node.calls).toEqual([]);
});

test('is of a network', async () => {
  for (const network of ['', 'SOL'])
    expect(await get(`safe/network-fee?network=${network}`)).toMatchObject({
      status: 422,
      body: { validation_results: [{ field: 'network' }] },
    });
});
