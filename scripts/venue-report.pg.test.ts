import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { EXCHANGE_KEYS, type FakeExchange, startExchange } from '#test/fake-servers/exchange.ts';
import { toUnits } from '#test/fake-servers/exchange-orders.ts';
import { runScript } from '#test/kit/run-script.ts';

let databaseUrl: string;
let node: FakeExchange;

beforeAll(async () => {
  node = await startExchange({ USDT: '1000' });
  databaseUrl = await createTestDatabase();
  const database = connectPostgres(databaseUrl, { max: 1 });
  // A transfer of a thousand dollars from the gateway to the venue.
  await database.runScript(
    "select ledger.post(array[row('t', 7, 6, 1000000000, 'venue_fund', 'treasury', now(), null, null)::ledger.draft])",
  );
  await database.close();
});
afterAll(() => node.close());

const report = (env: Record<string, string> = {}) =>
  runScript('venue-report.ts', [], {
    DATABASE_URL: databaseUrl,
    MARKET_FEED: 'ccxt',
    VENUE: 'ccxt',
    CCXT_EXCHANGE: 'binance',
    CCXT_URL: node.url,
    CCXT_SANDBOX: '1',
    CCXT_API_KEY: EXCHANGE_KEYS.apiKey,
    CCXT_SECRET: EXCHANGE_KEYS.secret,
    ...env,
  });

test('an account that matches the ledger exits with 0, a difference with 1 and its figures', async () => {
  const agreed = await report();
  expect(agreed).toMatchObject({ stderr: '', code: 0 });
  expect(agreed.stdout).toContain('USDT: reported 1000, ledger 1000, difference 0\n');
  expect(agreed.stdout).toMatch(/No discrepancies between the exchange and the ledger\.\n$/);
  node.account.balances.set('USDT', toUnits('999.5'));
  const differs = await report();
  expect(differs.code).toBe(1);
  expect(differs.stdout).toMatch(
    /USDT: the exchange reports 999\.5, the ledger says 1000, difference -0\.5\n1 discrepancy\.\n$/,
  );
});

test('an exchange that does not respond, and the paper venue, are one clear line', async () => {
  const wrong = await report({ CCXT_SECRET: 'not the secret' });
  expect(wrong).toMatchObject({ stdout: '', code: 1 });
  expect(wrong.stderr).toMatch(/^[^\n]*Signature for this request is not valid[^\n]*\n$/);
  const paper = await report({ VENUE: 'paper' });
  expect(paper).toMatchObject({ stdout: '', code: 1 });
  expect(paper.stderr).toMatch(/^VENUE: [^\n]*\n$/);
});
