import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Trade } from '#contract/trading/trading.ts';
import { formatMoney, formatSignedMoney } from '../../web/src/ui/format/number.ts';
import type { sizes } from './browser.ts';
import { ask, deposit, signIn, signUp } from './steps.ts';

/** The main journey up to the session: sign up under the company, deposit 1 000 on the pay page, trade 250 on btc. */
export async function beginJourney(page: Page, size: keyof typeof sizes): Promise<void> {
  await signUp(page);
  await signIn(page);
  await deposit(page, size);
  await trade(page, size);
}

async function trade(page: Page, size: keyof typeof sizes): Promise<void> {
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
  // On a busy machine, the session can end before the page shows the reduced balance.
  await expect.poll(async () => (await findTrade(page))?.amount).toBe(250);
}

/** The journey's only trade, from the API. */
export const findTrade = async (page: Page): Promise<Trade | undefined> =>
  (await ask<{ items: Trade[] }>(page, 'trading/fetch-user-trade')).items[0];

/** The second half, after settlement: the result appears in wallet, statement and portfolio. */
export async function endJourney(page: Page): Promise<Trade> {
  const settled = (await findTrade(page)) as Trade;
  expect(settled).toMatchObject({ state: 'settled', symbol: 'btc', wallet_type: 'primary', amount: 250, fee: 1 });
  await findResult(page, settled);
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
