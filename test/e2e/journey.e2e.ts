import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Trade } from '#contract/trading.ts';
import { formatMoney, formatSignedMoney } from '../../web/src/shared/format/money.ts';
import {
  averageOver,
  hasRecordedCandles,
  makeReplayFolder,
  pathOf,
  readCandles,
  recordedCandles,
} from '../replay-data.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { ask, deposit, signIn, signUp } from './steps.ts';

/**
 * The main journey in a real browser: sign up under the company, sign in with the prefilled id, deposit 1 000 through
 * the pay page, trade 250 on btc, watch the session settle, and find the result in wallet, statement and portfolio.
 */
const made = mkdtempSync(join(tmpdir(), 'tradewind-replay-'));
const SPEED = '900';

type Market = {
  name: string;
  env: Record<string, string>;
  candles: string | undefined;
  sizes: (keyof typeof sizes)[];
};

const markets: Market[] = [
  { name: 'a simulated market', env: {}, candles: undefined, sizes: ['desktop', 'mobile'] },
  { name: 'made candles', env: replay(makeReplayFolder(made)), candles: made, sizes: ['desktop'] },
  ...(hasRecordedCandles
    ? [
        {
          name: 'recorded one-minute candles',
          env: replay(join(recordedCandles, '1m')),
          candles: join(recordedCandles, '1m'),
          sizes: ['mobile'] as (keyof typeof sizes)[],
        },
      ]
    : []),
];

function replay(folder: string): Record<string, string> {
  return { MARKET_FEED: 'replay', REPLAY_DATA: folder };
}

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  rmSync(made, { recursive: true, force: true });
});

describe.each(markets)('on $name', ({ env, candles, sizes: wanted }) => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer({ MARKET_SPEED: SPEED, ...env });
  });

  afterAll(() => server.stop());

  test.each(wanted)('a member signs up, deposits, trades and finds the result (%s)', async (size) => {
    const context = await browser.newContext({
      viewport: sizes[size],
      baseURL: server.origin,
      timezoneId: 'Asia/Dubai',
    });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));

    await signUp(page);
    await signIn(page);
    await deposit(page, size);
    await trade(page, size);
    const settled = await watchItSettle(page);
    await findResult(page, settled);
    if (candles !== undefined) checkAgainstCandles(settled, candles);

    expect(faults).toEqual([]);
    await context.close();
  });
});

async function trade(page: Page, size: 'desktop' | 'mobile'): Promise<void> {
  await page.goto('/dashboard');
  await page
    .getByRole('link', { name: size === 'mobile' ? 'Trades' : 'Trade', exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$1,000.0000').first().waitFor();
  await dialog.getByRole('radio', { name: /btc/ }).check({ force: true });
  await dialog.getByRole('button', { name: '250', exact: true }).click();
  await dialog.getByRole('button', { name: 'Trade Now' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('$750.0000').first().waitFor();
}

async function watchItSettle(page: Page): Promise<Trade> {
  const find = async () => (await ask<{ items: Trade[] }>(page, 'trading/fetch-user-trade')).items[0];
  await expect.poll(async () => (await find())?.state, { timeout: 120_000, interval: 500 }).toBe('settled');
  const settled = (await find()) as Trade;
  expect(settled).toMatchObject({ symbol: 'btc', wallet_type: 'primary', amount: 250, fee: 1 });
  return settled;
}

async function findResult(page: Page, settled: Trade): Promise<void> {
  const result = settled.result as number;
  const balance = await ask<{ primary_wallet: number; profit_wallet: number }>(page, 'auth/wallet-balance');
  expect(balance.primary_wallet + balance.profit_wallet).toBeCloseTo(1000 + result, 6);
  const { items } = await ask<{ items: { wallet: string; amount: number }[] }>(page, 'auth/transaction-hist?limit=100');
  const inWallets = items.filter((line) => line.wallet === 'primary' || line.wallet === 'profit');
  expect(inWallets.reduce((sum, line) => sum + line.amount, 0)).toBeCloseTo(1000 + result, 6);

  await page.goto('/portfolio');
  await page.getByText(formatSignedMoney(result)).first().waitFor();
  await page.goto('/fund/transaction-history');
  await page
    .getByText(/Deposit/)
    .filter({ visible: true })
    .first()
    .waitFor();
  await page.goto('/dashboard');
  await page.getByText(formatMoney(balance.primary_wallet)).first().waitFor();
}

/** Every figure of the trade once more, from the recorded candles and the product page alone. */
function checkAgainstCandles(settled: Trade, folder: string): void {
  const path = pathOf(readCandles(folder, 'btc'));
  const seconds = (instant: string | null) => new Date(instant ?? Number.NaN).getTime() / 1000;
  const openMark = path.find((tick) => tick.at === seconds(settled.opened_at))?.price ?? Number.NaN;
  expect(settled.open_price).toBeCloseTo(openMark * 1.0005, 6);
  expect(settled.close_reason).toBe('session_close');
  const closesAt = Date.parse(`${settled.opened_at?.slice(0, 10)}T17:30:00Z`) / 1000;
  expect(settled.close_price).toBeCloseTo(averageOver(path, closesAt - 60, closesAt) * 0.9995, 6);
  const proceeds = (249 * (settled.close_price as number)) / (settled.open_price as number);
  const performanceFee = Math.max(0, proceeds - 250) * 0.1;
  expect(settled.gross).toBeCloseTo(proceeds - 249, 5);
  expect(settled.performance_fee).toBeCloseTo(performanceFee, 5);
  expect(settled.result).toBeCloseTo(proceeds - 250 - performanceFee, 5);
}
