import { expect, test } from 'vitest';
import { BadConfig, readConfig } from '#server/config.ts';

const hedged = {
  MODE: 'staging',
  MARKET_FEED: 'ccxt',
  VENUE: 'ccxt',
  CCXT_EXCHANGE: 'binance',
  CCXT_API_KEY: 'key',
  CCXT_SECRET: 'secret',
  CCXT_SANDBOX: '1',
};

test('a venue at an exchange has the keys of the account that hedges', () => {
  expect(readConfig(hedged)).toMatchObject({ venue: 'ccxt', venueKeys: { apiKey: 'key', secret: 'secret' } });
  expect(readConfig({})).toMatchObject({ venue: 'paper', venueKeys: undefined });
});

test("paper mode takes the exchange's sandbox", () => {
  expect(readConfig({ ...hedged, MODE: 'paper' })).toMatchObject({ mode: 'paper', venue: 'ccxt' });
});

test.each([
  ['prices that are not of the exchange', { MARKET_FEED: 'simulated' }, 'MARKET_FEED'],
  ['an exchange that finds no order by our id', { CCXT_EXCHANGE: 'kraken' }, 'CCXT_EXCHANGE'],
  ['no key', { CCXT_API_KEY: '' }, 'CCXT_API_KEY'],
  ['no secret', { CCXT_SECRET: '' }, 'CCXT_SECRET'],
  ['real exchange keys in paper mode', { MODE: 'paper', CCXT_SANDBOX: '' }, 'CCXT_SANDBOX'],
  ['real exchange keys with sandbox payments', { CCXT_SANDBOX: '' }, 'PAYMENTS'],
])('the venue refuses %s', (_, env, name) => {
  expect(() => readConfig({ ...hedged, ...env })).toThrowError(BadConfig);
  expect(() => readConfig({ ...hedged, ...env })).toThrowError(name);
});
