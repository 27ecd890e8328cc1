import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchanges, type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import { runScript } from '#test/kit/run-script.ts';

describe.each(Object.keys(exchanges))('at %s', (id) => {
  const dollar = id === 'kraken' ? 'USD' : 'USDT';
  let node: FakeExchange;
  beforeEach(async () => {
    node = await startExchange({ [dollar]: '1000' }, id);
  });
  afterEach(() => node.close());

  const rehearse = (args: string[], env: Record<string, string> = {}) =>
    runScript('venue-rehearse.ts', args, {
      MODE: 'staging',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MARKET_FEED: 'ccxt',
      VENUE: 'ccxt',
      PAYMENTS: 'btcpay',
      PUBLIC_URL: 'https://trade.example',
      BTCPAY_URL: 'https://pay.example',
      BTCPAY_STORE_ID: 'AbCdEfGhIjKlMn',
      BTCPAY_API_KEY: 'makes-invoices',
      BTCPAY_PAYOUT_KEY: 'pays-out-01',
      BTCPAY_WEBHOOK_SECRET: 'signs-webhooks-01',
      CCXT_EXCHANGE: id,
      CCXT_URL: node.url,
      CCXT_RATE_LIMIT_MS: '1',
      CCXT_API_KEY: node.keys.apiKey,
      CCXT_SECRET: node.keys.secret,
      CCXT_PASSWORD: node.keys.password ?? '',
      ...env,
    });

  test('a dry run makes every query and sends no order', async () => {
    const { stdout, stderr, code } = await rehearse(['--dry']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(/^Tradable: btc, eth, doge, eos, /);
    expect(stdout).toContain(`Free: 1000`);
    expect(stdout).toMatch(/btc: bid [\d.]+, ask [\d.]+, [\d.]+ /);
    expect(node.account.orders).toEqual([]);
  });

  test('a minimum order is bought and sold back, with real money only on request', async () => {
    const refused = await rehearse([]);
    expect(refused).toMatchObject({ stdout: '', code: 1 });
    expect(refused.stderr).toMatch(/^CCXT_SANDBOX: [^\n]*\n$/);
    expect(node.account.orders).toEqual([]);
    const { stdout, stderr, code } = await rehearse(['--smallest-order']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(
      new RegExp(`\\nBought 0\\.000\\d+ for [\\d.]+ ${dollar}, fee [^\\n]+\\nSold 0\\.000[\\d]+ for `),
    );
    expect(node.account.orders.map(({ side }) => side)).toEqual(['BUY', 'SELL']);
  });

  test('wrong keys and an unlisted asset are one clear line', async () => {
    const wrong = await rehearse(['--dry'], { CCXT_API_KEY: 'another' });
    expect(wrong).toMatchObject({ stdout: '', code: 1 });
    expect(wrong.stderr).toMatch(/^[^\n]+\n$/);
    node.market.pairs.delete(node.nameOf('bsv'));
    const unlisted = await rehearse(['--dry', '--symbol', 'bsv']);
    expect(unlisted).toMatchObject({ stderr: '', code: 1 });
    expect(unlisted.stdout).toMatch(/bsv is not tradable here\n$/);
  });
});
