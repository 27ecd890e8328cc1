import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { beforeAll, expect, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { recordHours } from '#test/kit/boot.ts';
import { qrPath } from '../../web/src/ui/text/qr-code.tsx';
import { startEmptyServer } from './demo-world.ts';
import { openStage } from './stage.ts';
import { ask, signIn, signUp } from './steps.ts';

/**
 * Deposits in a real browser: each outcome that the sandbox's payment page offers, as the member sees it on the deposit
 * page, and then all of them in wallet, history and CSV.
 */
const market = closeAfterAll(recordHours({ symbols, speed: 1 }));
const stage = openStage(() => startEmptyServer('deposit', market.env));
let page: Page;
let faults: string[];
beforeAll(async () => {
  ({ page, faults } = await stage.openPage());
});

const amountField = () => page.getByLabel('Amount in USDT');
const state = () => page.getByRole('region', { name: 'Pay' }).getByRole('status');

/** Starts a deposit on the page and returns the address in its QR code. */
async function start(dollars: number): Promise<string> {
  await page.goto('/fund/deposits');
  await amountField().fill(String(dollars));
  await page.getByRole('button', { name: 'Start deposit' }).click();
  const link = page.getByRole('link', { name: 'Open payment page' });
  const payUrl = (await link.getAttribute('href')) ?? '';
  const drawn = await page.getByRole('img', { name: 'QR code of the payment page' }).locator('path').getAttribute('d');
  expect(drawn).toBe(qrPath(encode(payUrl, { ecc: 'M', border: 4 }).data));
  return payUrl;
}

/** Whoever pays has only the address: another browser, without the member's session. */
async function pay(payUrl: string, press: string | RegExp, amount?: { label: string; dollars: string }): Promise<void> {
  const payer = await stage.browser.newContext();
  const payPage = await payer.newPage();
  await payPage.goto(payUrl);
  if (amount) await payPage.getByLabel(amount.label).fill(amount.dollars);
  await payPage.getByRole('button', { name: press }).click();
  await payPage.waitForURL((url) => !url.pathname.startsWith('/sandbox/'));
  await payer.close();
}

test('the first deposit of a new member requires the tick below the risk disclosure', async () => {
  await signUp(page);
  await signIn(page);
  await page.goto('/fund/deposits');
  await amountField().fill('100');
  await page.getByRole('button', { name: 'Start deposit' }).click();
  await page.getByText('Please read and accept the risk disclosure first.').waitFor();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Start deposit' }).click();
  const href = await page.getByRole('link', { name: 'Open payment page' }).getAttribute('href');
  await pay(href ?? '', /^Pay .* in full$/);
  await state().getByText('Credited').waitFor();
});

test('an underpaid deposit waits for the rest, and all of it is credited', async () => {
  const payUrl = await start(200);
  await pay(payUrl, 'Pay less', { label: 'Amount for Pay less, in dollars', dollars: '150' });
  await state().getByText('Underpaid').waitFor();
  await pay(payUrl, /^Pay \$50\.00 in full$/);
  await state().getByText('Credited').waitFor();
});

test('an overpaid deposit is credited in full', async () => {
  await pay(await start(300), 'Pay more', { label: 'Amount for Pay more, in dollars', dollars: '320' });
  await state().getByText('Credited').waitFor();
  await page.getByText('Overpaid, credited in full').first().waitFor();
});

test('a late payment is reviewed by an operator and not credited', async () => {
  await pay(await start(400), 'Pay late');
  await state().getByText('Under review').waitFor();
});

test('an unpaid deposit expires and can no longer be paid', async () => {
  await pay(await start(500), 'Let it expire');
  await state().getByText('Invoice expired').waitFor();
  expect(await page.getByRole('link', { name: 'Open payment page' }).count()).toBe(0);
});

test('wallet, history and CSV agree on all of them', async () => {
  const wallet = await ask<{ primary: { balance: number }; arriving: { count: number; amount: number } }>(
    page,
    'auth/wallet',
  );
  expect([wallet.primary.balance, wallet.arriving]).toEqual([100 + 200 + 320, { count: 1, amount: 400 }]);
  await page.goto('/fund');
  await page.getByRole('link', { name: '1 deposit', exact: true }).waitFor();

  await page.goto('/fund/deposit-history');
  const rows = page.getByRole('table', { name: 'Deposit history' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(5);
  expect(await readFile()).toMatchObject([
    ['500.000000', '', 'Expired'],
    ['400.000000', '', 'Review'],
    ['300.000000', '320.000000', 'Credited'],
    ['200.000000', '200.000000', 'Credited'],
    ['100.000000', '100.000000', 'Credited'],
  ]);

  await page.getByRole('button', { name: 'State: All states' }).click();
  await page.getByRole('menuitemradio', { name: 'Review' }).click();
  await page.waitForURL('**/fund/deposit-history?state=review');
  await expect.poll(() => rows.count()).toBe(1);
  expect(await readFile()).toEqual([['400.000000', '', 'Review']]);
  expect(faults).toEqual([]);
});

/** The columns requested, credited and state of the saved file, row by row. */
async function readFile(): Promise<string[][]> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  const [head = '', ...lines] = text.trim().split('\r\n');
  const at = ['Requested (USD)', 'Credited (USD)', 'State'].map((name) => head.split(',').indexOf(name));
  return lines.map((line) => at.map((column) => line.split(',')[column] ?? ''));
}
