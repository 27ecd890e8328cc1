import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectEmbedded } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { EXCHANGE_KEYS, type ExchangeNode, startExchange } from '#test/nodes/exchange.ts';
import { toUnits } from '#test/nodes/exchange-orders.ts';
import { compiledBefore } from '#test/server-process.ts';

let folder: string;
let node: ExchangeNode;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tradewind-venue-'));
  node = await startExchange({ USDT: '1000' });
  const database = await connectEmbedded(folder);
  await migrate(database);
  // A thousand dollars went from the gateway to the venue.
  await database.runScript(
    "select ledger.post(array[row('t', 7, 6, 1000000000, 'venue_fund', 'treasury', now(), null, null)::ledger.draft])",
  );
  await database.close();
});
afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function report(env: Record<string, string> = {}) {
  const script = join(import.meta.dirname, 'venue-report.ts');
  const settings = {
    MARKET_FEED: 'ccxt',
    VENUE: 'ccxt',
    CCXT_EXCHANGE: 'binance',
    CCXT_URL: node.url,
    CCXT_SANDBOX: '1',
    CCXT_API_KEY: EXCHANGE_KEYS.apiKey,
    CCXT_SECRET: EXCHANGE_KEYS.secret,
  };
  const run = promisify(execFile)(process.execPath, [script], {
    env: { PATH: process.env.PATH, ...compiledBefore, DATA_DIR: folder, ...settings, ...env },
  });
  return run.then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({ stdout, stderr, code }),
  );
}

test('an account that has what the ledger says ends with 0, a difference with 1 and its figures', {
  timeout: 60_000,
}, async () => {
  const agreed = await report();
  expect(agreed).toMatchObject({ stderr: '', code: 0 });
  expect(agreed.stdout).toContain('USDT: reported 1000, booked 1000, difference 0\n');
  expect(agreed.stdout).toMatch(/The exchange has what the ledger says\.\n$/);
  node.account.balances.set('USDT', toUnits('999.5'));
  const differs = await report();
  expect(differs.code).toBe(1);
  expect(differs.stdout).toMatch(/USDT: the exchange reports 999\.5, the books say 1000: -0\.5\n1 finding\.\n$/);
});

test('an exchange that does not answer, and the paper venue, are one clear line', { timeout: 60_000 }, async () => {
  const wrong = await report({ CCXT_SECRET: 'not the secret' });
  expect(wrong).toMatchObject({ stdout: '', code: 1 });
  expect(wrong.stderr).toMatch(/^[^\n]*Signature for this request is not valid[^\n]*\n$/);
  const paper = await report({ VENUE: 'paper' });
  expect(paper).toMatchObject({ stdout: '', code: 1 });
  expect(paper.stderr).toMatch(/^VENUE: [^\n]*\n$/);
});
