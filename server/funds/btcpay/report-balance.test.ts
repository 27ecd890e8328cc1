import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { type GatewayAtNode, openGateway } from './gateway.test-setup.ts';

let at: GatewayAtNode;
beforeAll(async () => {
  at = await openGateway(300);
});
afterAll(() => at.node.close());

const setWallets = (wallets: Record<string, string>) => {
  at.node.wallets.clear();
  for (const [method, balance] of Object.entries(wallets)) at.node.wallets.set(method, balance);
};

test('the wallet of the store is reported in dollars at the rate of the moment, rounded down', async () => {
  setWallets({ 'BTC-CHAIN': '0.5' });
  expect(await at.gateway.reportBalance()).toBe(25_000_000_000n);
  setWallets({ 'BTC-CHAIN': '0.00000001' });
  at.node.rate = '64392.239';
  expect(await at.gateway.reportBalance()).toBe(643n);
  setWallets({ 'BTC-CHAIN': '0' });
  expect(await at.gateway.reportBalance()).toBe(0n);
});

test.each<[string, Record<string, string>]>([
  ['takes payments in another way as well', { 'BTC-CHAIN': '1', 'BTC-LN': '1' }],
  ['has another wallet', { 'LTC-CHAIN': '1' }],
  ['has none', {}],
])('of a store that %s nothing is known: a part is never taken for the whole', async (_what, wallets) => {
  setWallets(wallets);
  expect(await at.gateway.reportBalance()).toBeUndefined();
});

test.each(['listStoreMethods', 'getStoreWallet', 'getRates'] as const)(
  'without an answer to %s it is refused',
  async (call) => {
    setWallets({ 'BTC-CHAIN': '1' });
    at.node.interferences.push({ call, with: 'break' });
    await expect(at.gateway.reportBalance()).rejects.toThrow(new Refused('gateway_unavailable'));
    at.node.interferences.push({ call, with: { status: 200, body: { balance: 'much' } } });
    await expect(at.gateway.reportBalance()).rejects.toThrow(new Refused('gateway_unavailable'));
  },
);
