import { describe, expect, test } from 'vitest';
import { payoutNetworks } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { btcpayEnv, type FakeBtcpay } from '#test/fake-servers/btcpay.ts';
import { type FakeNowpayments, nowpaymentsPayerEnv } from '#test/fake-servers/nowpayments.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { atEach, chooseGatewayFor, chooseGateways, listPayWith } from './choose-gateway.ts';
import type { Gateway } from './gateway.ts';

const at = (name: string, payWith: Gateway['payWith']) => ({ name, payWith }) as Gateway;
const coins = at('btcpay', ['BTC']);
const dollars = at('sandbox', ['TRC20', 'BEP20']);
const nothing = at('sandbox', []);

describe('the gateway of a deposit', () => {
  test('is the gateway that accepts the chosen network', () => {
    const both = [coins, dollars];
    expect(listPayWith(both)).toEqual(['BTC', 'TRC20', 'BEP20']);
    expect(chooseGatewayFor(both, 'BTC')).toEqual({ gateway: coins, payWith: 'BTC' });
    expect(chooseGatewayFor(both, 'BEP20')).toEqual({ gateway: dollars, payWith: 'BEP20' });
  });

  test('is the only one where there is nothing to choose', () => {
    expect(chooseGatewayFor([coins], undefined)).toEqual({ gateway: coins, payWith: 'BTC' });
    expect(chooseGatewayFor([nothing], undefined)).toEqual({ gateway: nothing, payWith: null });
  });

  test('is refused for a network that no gateway accepts, or without a choice', () => {
    const refused = new Refused('pay_with_unavailable');
    expect(() => chooseGatewayFor([coins, dollars], 'ERC20')).toThrow(refused);
    expect(() => chooseGatewayFor([coins, dollars], undefined)).toThrow(refused);
    expect(() => chooseGatewayFor([dollars], undefined)).toThrow(refused);
    for (const network of payoutNetworks) expect(() => chooseGatewayFor([nothing], network)).toThrow(refused);
  });
});

test('each network is paid out at one gateway of two', () => {
  const url = 'http://127.0.0.1:1';
  const store = { url, storeId: 'AbCdEfGhIjKlMn', apiKey: 'makes-invoices', payoutKey: 'pays-out-01' };
  const account = { url, apiKey: 'makes-payments', ipnSecret: 'signs-notifications' };
  const payouts = { email: 'payer@company.test', password: 'password', totpSecret: 'JBSWY3DPEHPK3PXP' };
  const env = {
    ...btcpayEnv({ ...store, webhookSecret: 'signs-webhooks-01' } as FakeBtcpay),
    ...nowpaymentsPayerEnv({ ...account, payouts } as FakeNowpayments),
    PAYMENTS: 'btcpay,nowpayments',
  };
  const both = chooseGateways({ config: testConfig(env) } as Context);
  const payers = payoutNetworks.map((network) => both.filter(({ canPay }) => canPay(network)).map(({ name }) => name));
  expect(payers).toEqual([['nowpayments'], ['nowpayments'], ['nowpayments'], ['btcpay']]);
});

describe('work at each gateway', () => {
  test('is summed up', async () => {
    expect(await atEach([coins, dollars], async ({ payWith }) => payWith.length)).toBe(3);
    expect(await atEach([], async () => 1)).toBe(0);
  });

  test('continues at the others when one fails, and ends with its error', async () => {
    const visited: string[] = [];
    const work = async ({ name }: Gateway) => {
      visited.push(name);
      if (name !== 'sandbox') throw new Error(`${name} is away`);
      return 1;
    };
    await expect(atEach([coins, dollars], work)).rejects.toThrow('btcpay is away');
    await expect(atEach([coins, dollars, { ...coins }], work)).rejects.toThrow('Parts that failed: 2');
    expect(visited).toEqual(['btcpay', 'sandbox', 'btcpay', 'sandbox', 'btcpay']);
  });
});
