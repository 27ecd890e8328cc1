import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import type { Plan } from '#contract/trading/plan.ts';
import type { Trade } from '#contract/trading/trading.ts';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { findCode } from './emails.ts';
import { choose, isFocused, press, reach, tick, write } from './keyboard.ts';
import { openStage } from './stage.ts';
import { anika, ask } from './steps.ts';
import { openDemoWorld, withEmails } from './world-in-process.ts';

/**
 * The journeys of a member by keyboard alone: Tab, arrows, Space, Enter and Escape. Queries and two-factor
 * authentication have files of their own.
 */
const ravi = demoPeople[1] as (typeof demoPeople)[number];

const stage = openStage(() => withEmails(openDemoWorld, 'keyboard'));

test('a new member signs up, signs in, deposits, trades and creates a plan', async () => {
  const { page, faults, close } = await openPage();
  await register(page);
  await page.waitForURL('**/login');
  await reach(page, 'textbox', 'Registered Id');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a harbour at dusk');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await depositByKeyboard(page);
  await tradeByKeyboard(page);
  await planByKeyboard(page);
  expect(faults).toEqual([]);
  await close();
});

test('a member closes a trade, withdraws, reads the notifications, changes details and theme, and signs out', async () => {
  const { page, faults, close } = await openPage();
  await signIn(page, anika.code, demoPassword);
  await closeTrade(page);
  await withdraw(page);
  await readNotifications(page);
  await changeDetails(page);
  await press(page, 'button', 'Sign out');
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await expectPageFocused(page);
  expect(faults).toEqual([]);
  await close();
});

test('a member who forgot the password gets a code by email, sets a new password and signs in with it', async () => {
  const { page, faults, close } = await openPage();
  await press(page, 'link', /Forgot/);
  await page.waitForURL('**/forgot-password');
  await write(page, 'Registered Id or Email Id', ' ');
  await press(page, 'button', 'Send code');
  await expect.poll(() => page.getByLabel('Registered Id or Email Id').evaluate(isFocused)).toBe(true);
  await write(page, 'Registered Id or Email Id', ravi.code);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/verify-otp');
  await expect.poll(() => page.getByLabel('Digit 1 of 6').evaluate(isFocused)).toBe(true);
  await page.keyboard.type(await findCode(stage.world.mails, ravi.email, 'The password reset code'));
  await page.waitForURL('**/reset-password');
  await page.getByRole('button', { name: 'Show or hide new password' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('four lanterns on a pier');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await signIn(page, ravi.code, 'four lanterns on a pier');
  expect(faults).toEqual([]);
  await close();
});

async function openPage() {
  const opened = await stage.openPage();
  await opened.page.goto('/');
  return opened;
}

async function signIn(page: Page, code: string, password: string): Promise<void> {
  await write(page, 'Registered Id', code);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await expectPageFocused(page);
}

/** The page that a sign-in or a link outside the app led to: Tab goes on from there, and it is read out. */
const expectPageFocused = (page: Page) => expect.poll(() => page.locator('#page').evaluate(isFocused)).toBe(true);

async function register(page: Page): Promise<void> {
  await press(page, 'link', 'Sign up');
  await page.waitForURL('**/register');
  await expectPageFocused(page);
  await write(page, 'Invitation Id', anika.code.toLowerCase());
  await reach(page, 'combobox', 'Dial code');
  await page.keyboard.type('India');
  await page.getByRole('option', { name: 'India' }).first().waitFor();
  await page.keyboard.press('Enter');
  await write(page, 'Mobile', '9876543210');
  await write(page, 'Name', 'Noor Aziz');
  await write(page, 'Email Id', 'noor@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a harbour at dusk');
  await tick(page, /I have read the/);
  await press(page, 'button', 'SIGN UP');
}

async function depositByKeyboard(page: Page): Promise<void> {
  await press(page, 'link', 'Deposit');
  await page.waitForURL('**/fund/deposits');
  await write(page, 'Amount in USDT', '1000');
  await tick(page, /I have read the/);
  await press(page, 'button', 'Start deposit');
  await reach(page, 'link', 'Open payment page');
  const paying = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const payPage = await paying;
  await press(payPage, 'button', /^Pay .* in full$/);
  await payPage.waitForURL(/\/payment\//);
  await payPage.close();
  await page.getByText('Credited', { exact: true }).first().waitFor();
}

async function tradeByKeyboard(page: Page): Promise<void> {
  await press(page, 'link', 'Dashboard');
  await page.waitForURL('**/dashboard');
  await press(page, 'link', 'Trade');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$1,000.0000').first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.getByRole('link', { name: 'Trade', exact: true }).first().evaluate(isFocused))
    .toBe(true);
  await page.keyboard.press('Enter');
  await dialog.getByText('$1,000.0000').first().waitFor();
  await choose(page, /^btc/, /^eth/);
  await write(page, 'Amount', '250');
  await press(page, 'button', 'Trade Now');
  await dialog.waitFor({ state: 'detached' });
  const { items } = await ask<{ items: Trade[] }>(page, 'trading/fetch-user-trade');
  expect(items).toMatchObject([{ symbol: 'eth', amount: 250, wallet_type: 'primary' }]);
}

async function planByKeyboard(page: Page): Promise<void> {
  await press(page, 'link', 'Investment');
  await page.waitForURL('**/fund/investments');
  await page.getByRole('status').getByText('Auto-trade plans · Tradewind').waitFor();
  await press(page, 'link', 'New plan');
  await page.waitForURL('**/fund/investments/new');
  await page.getByText('$750.0000').first().waitFor();
  await choose(page, /^btc/, /^sol/);
  await choose(page, /^Session hold/, /^Momentum/);
  await choose(page, /^Reinvest gains/, /^Pay out gains/);
  await write(page, 'Amount', '100');
  await press(page, 'button', 'Create plan');
  await page.waitForURL(/\/fund\/investments\/\d+$/);
  const { items } = await ask<{ items: Plan[] }>(page, 'trading/plans');
  expect(items).toMatchObject([{ symbol: 'sol', strategy: 'momentum', compounding: false, amount: 100 }]);
}

/** Escape cancels the dialog; Enter on its button confirms it. */
async function closeTrade(page: Page): Promise<void> {
  const name = /^Close now: /;
  const dialog = page.getByRole('dialog');
  await press(page, 'button', name);
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('button', { name }).first().evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await press(page, 'button', 'Close now');
  // The toast lasts three seconds: longer than the dialog takes to fade, not longer than a busy machine may take.
  await page.getByText('The trade closes at the next price.').waitFor();
  await dialog.waitFor({ state: 'detached' });
}

async function withdraw(page: Page): Promise<void> {
  await press(page, 'link', 'Withdraw');
  await page.waitForURL('**/fund/withdrawal');
  await write(page, 'Amount in USDT', '40');
  await press(page, 'button', 'Send code');
  await page.getByLabel('Digit 1 of 6').waitFor();
  await expect.poll(() => page.getByLabel('Digit 1 of 6').evaluate(isFocused)).toBe(true);
  await page.keyboard.type(await findCode(stage.world.mails, anika.email, 'Subject: Your withdrawal code', '$40.00'));
  await press(page, 'button', 'Withdraw $40.00');
  await page.waitForURL(/withdrawal\?withdrawal=\d+$/);
  const id = new URL(page.url()).searchParams.get('withdrawal');
  expect(await ask<Withdrawal>(page, `safe/withdrawal/${id}`)).toMatchObject({ amount: 40, wallet_type: 'primary' });
}

/** The drawer takes the focus, and returns it to the bell. */
async function readNotifications(page: Page): Promise<void> {
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await press(page, 'button', /^Notifications/);
  await page.getByRole('dialog').waitFor();
  await press(page, 'button', 'Mark all as read');
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => bell.evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function changeDetails(page: Page): Promise<void> {
  await press(page, 'link', 'Profile');
  await page.waitForURL('**/profile');
  await choose(page, 'Dark', 'Light');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe('light');
  await press(page, 'button', 'Edit name and mobile');
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Name').evaluate(isFocused)).toBe(true);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Anika R. Rao');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Anika R. Rao').first().waitFor();
}
