import { describe, expect, test } from 'vitest';
import { payoutNetworks } from '#contract/funds/withdrawals.ts';
import { Refused } from '#server/refused.ts';
import { atEach, chooseTaker, listPayWith } from './choose-gateway.ts';
import type { Gateway } from './gateway.ts';

const at = (name: string, payWith: Gateway['payWith']) => ({ name, payWith }) as Gateway;
const coins = at('btcpay', ['BTC']);
const dollars = at('sandbox', ['TRC20', 'BEP20']);
const nothing = at('sandbox', []);

describe('who takes a deposit', () => {
  test('is the gateway that takes what was chosen', () => {
    const both = [coins, dollars];
    expect(listPayWith(both)).toEqual(['BTC', 'TRC20', 'BEP20']);
    expect(chooseTaker(both, 'BTC')).toEqual({ gateway: coins, payWith: 'BTC' });
    expect(chooseTaker(both, 'BEP20')).toEqual({ gateway: dollars, payWith: 'BEP20' });
  });

  test('is the only one where there is nothing to choose', () => {
    expect(chooseTaker([coins], undefined)).toEqual({ gateway: coins, payWith: 'BTC' });
    expect(chooseTaker([nothing], undefined)).toEqual({ gateway: nothing, payWith: null });
  });

  test('is nobody for what nobody takes, or where a choice is missing', () => {
    const refused = new Refused('pay_with_unavailable');
    expect(() => chooseTaker([coins, dollars], 'ERC20')).toThrow(refused);
    expect(() => chooseTaker([coins, dollars], undefined)).toThrow(refused);
    expect(() => chooseTaker([dollars], undefined)).toThrow(refused);
    for (const network of payoutNetworks) expect(() => chooseTaker([nothing], network)).toThrow(refused);
  });
});

describe('work at each gateway', () => {
  test('is summed up', async () => {
    expect(await atEach([coins, dollars], async ({ payWith }) => payWith.length)).toBe(3);
    expect(await atEach([], async () => 1)).toBe(0);
  });

  test('goes on at the others when one fails, and ends with its fault', async () => {
    const visited: string[] = [];
    const work = async ({ name }: Gateway) => {
      visited.push(name);
      if (name !== 'sandbox') throw new Error(`${name} is away`);
      return 1;
    };
    await expect(atEach([coins, dollars], work)).rejects.toThrow('btcpay is away');
    await expect(atEach([coins, dollars, { ...coins }], work)).rejects.toThrow('Gateways with faults: 2');
    expect(visited).toEqual(['btcpay', 'sandbox', 'btcpay', 'sandbox', 'btcpay']);
  });
});
