import { expect, test } from 'vitest';
import { riskSentence } from '#contract/rules.ts';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { formatSignedMoney } from '../../web/src/ui/format/number.ts';
import { sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/** A backtest of a member in the demo world. */
const stage = openStage(() => startDemoServer('backtest', { JOBS: 'off' }));

test('a backtest: a strategy is chosen and played over stored prices, and shown as the server worked it out', async () => {
  const { page, close } = await stage.openPage({ viewport: sizes.mobile });
  await signInAs(page);
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
  const answer = page.getByRole('region', { name: 'Backtest result' });
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
  await close();
});
