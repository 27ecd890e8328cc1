import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { riskSentence } from '#contract/rules.ts';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { formatSignedMoney } from '../../web/src/ui/format/money.ts';
import type { ServerProcess } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { signInAnika } from './page-checks.ts';

/** Two ways of a member through the demo world that change nothing in it: a backtest, and a link that signs in. */
let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemoServer('backtest', { JOBS: 'off' }), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

test('a backtest: a strategy is chosen and played over stored prices, and shown as the server worked it out', async () => {
  const context = await browser.newContext({ viewport: sizes.mobile, baseURL: server.origin });
  await signInAnika(context);
  const page = await context.newPage();
  await page.goto('/fund/investments');
  await page.getByRole('link', { name: 'Backtest' }).click();
  await page.waitForURL('**/backtest');
  await page.getByRole('button', { name: 'Run backtest' }).click();
  await page.getByText('Choose a strategy.').first().waitFor();
  await page.getByText('Session hold', { exact: true }).click();
  await page.getByText('1 week', { exact: true }).click();
  const answered = page.waitForResponse('**/api/v1/trading/backtest');
  await page.getByRole('button', { name: 'Run backtest' }).click();
  const { data } = (await (await answered).json()) as { data: BacktestResult };
  const answer = page.getByRole('region', { name: 'Result of the backtest' });
  await answer.waitFor();
  const words = ((await answer.textContent()) ?? '').replace(/\s+/g, ' ');
  // One trade a session: what is bought at each opening is sold at each close.
  expect(data.stats.trades).toBe(data.sessions.length);
  expect(data.trades.reduce((sum, trade) => sum + Math.round(trade.result * 1e6), 0)).toBe(
    Math.round(data.stats.result * 1e6),
  );
  for (const shown of [formatSignedMoney(data.stats.result), formatSignedMoney(data.stats.hold_result)])
    expect(words).toContain(shown);
  expect(await page.getByText(riskSentence).count()).toBeGreaterThan(0);
  await context.close();
});

test('a token in the address is checked, stored, taken out of the address, and its owner is named', async () => {
  const reply = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ loginId: demoPeople[0]?.code, password: demoPassword }),
  });
  const { data } = (await reply.json()) as { data: { access_token: string } };
  const context = await browser.newContext({ baseURL: server.origin });
  const page = await context.newPage();
  await page.goto(`/?accessToken=${data.access_token}`);
  await page.waitForURL('**/dashboard');
  expect(page.url()).not.toContain(data.access_token);
  await page.getByText('Signed in as Anika Rao').first().waitFor();
  await context.close();
});
