import { describe, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { openGateway } from './gateway.test-setup.ts';

const at = await openGateway();

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

describe('a store with Lightning', () => {
  test('reports its wallet and its node together: our end of channels, what opens and closes, and the coins of the node', async () => {
    at.node.rate = '50000';
    setWallets({ 'BTC-CHAIN': '0.5', 'BTC-LN': '', 'BTC-LNURL': '' });
    at.node.lightning = {
      onchain: { confirmed: '1000000', unconfirmed: '200000', reserved: '30000' },
      // The other end of a channel is not ours.
      offchain: { opening: '1000000', local: '250000000', remote: '99000000000', closing: '2000000' },
    };
    // 0.5 BTC, 0.0123 in the chain, 0.00253 in channels, at $50,000.
    expect(await at.gateway.reportBalance()).toBe(25_741_500_000n);
    setWallets({ 'BTC-LN': '' });
    expect(await at.gateway.reportBalance()).toBe(741_500_000n);
  });

  test('and a node without coins in the chain reports its channels', async () => {
    at.node.rate = '50000';
    setWallets({ 'BTC-CHAIN': '0', 'BTC-LN': '' });
    at.node.lightning = { onchain: null, offchain: { opening: '0', local: '1999', remote: '0', closing: '0' } };
    // 1.999 satoshi are $0.0009995.
    expect(await at.gateway.reportBalance()).toBe(999n);
  });

  test.each([
    ['says nothing of its channels', null],
    ['does not know its end of them', { opening: '0', local: null, remote: '0', closing: '0' }],
  ])('and a node that %s reports nothing: a part is never taken for the whole', async (_what, offchain) => {
    setWallets({ 'BTC-CHAIN': '1', 'BTC-LN': '' });
    at.node.lightning = { onchain: { confirmed: '5', unconfirmed: '0', reserved: '0' }, offchain };
    expect(await at.gateway.reportBalance()).toBeUndefined();
  });

  test('and a node that does not answer is refused', async () => {
    setWallets({ 'BTC-CHAIN': '1', 'BTC-LN': '' });
    at.node.interferences.push({ call: 'getLightningBalance', with: 'break' });
    await expect(at.gateway.reportBalance()).rejects.toThrow(new Refused('gateway_unavailable'));
    at.node.interferences.push({
      call: 'getLightningBalance',
      with: { status: 200, body: { offchain: { local: '-1' } } },
    });
    await expect(at.gateway.reportBalance()).rejects.toThrow(new Refused('gateway_unavailable'));
  });
});

test.each<[string, Record<string, string>]>([
  ['takes payments in another way as well', { 'BTC-CHAIN': '1', 'BTC-LN': '', 'LTC-CHAIN': '1' }],
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
