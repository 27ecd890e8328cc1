import { base32nopad } from '@scure/base';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { recoveryCodeRules } from '#contract/rules.ts';
import { demoPassword } from '#server/demo/people.ts';
import { findCode, findEmail } from './emails.ts';
import { isFocused, press, tick, write } from './keyboard.ts';
import { checkStep } from './page-checks.ts';
import { type Opened, openStage } from './stage.ts';
import { anika } from './steps.ts';
import { openDemoWorld, withEmails } from './world-in-process.ts';

/** Account access: two-factor authentication set up and used by keyboard alone, and recovery after a lost phone. */
const stage = openStage(() => withEmails(openDemoWorld, 'account'));

test('second factor and recovery code', async () => {
  const laptop = await openPage();
  await enterPassword(laptop.page);
  await laptop.page.waitForURL('**/dashboard');
  const { secret, codes } = await turnOn(laptop.page);

  await signOut(laptop.page);
  await enterPassword(laptop.page);
  await enterAppCode(laptop.page, secret);

  const phone = await openPage();
  await enterPassword(phone.page);
  await enterRecoveryCodes(phone.page, codes);

  expect([...laptop.faults, ...phone.faults]).toEqual([]);
  await laptop.close();
  await phone.close();
});

/** Without the console check, because wrong codes are tried on these pages. */
async function openPage(): Promise<Opened> {
  const opened = await stage.openPage();
  opened.page.removeAllListeners('console');
  return opened;
}

/** The first half of a sign-in, by keyboard alone. */
async function enterPassword(page: Page): Promise<void> {
  await page.goto('/');
  await write(page, 'Registered Id', anika.code.toLowerCase());
  await page.keyboard.press('Tab');
  await page.keyboard.type(demoPassword);
  await tick(page, 'Remember Me');
  await press(page, 'button', 'SIGN IN');
}

/** By keyboard alone, as an app without a camera is given the key. */
async function turnOn(page: Page): Promise<{ secret: Uint8Array; codes: string[] }> {
  await page.goto('/profile');
  await press(page, 'button', 'Set up');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/pauses withdrawals for 24 hours/).waitFor();
  await press(page, 'button', 'Send code');
  await expectFocus(page, 'Digit 1 of 6');
  await page.keyboard.type(await findCode(stage.world.mails, anika.email, 'two-factor authentication code'));
  await checkStep(page, 'the emailed code and the password');
  await page.keyboard.press('Tab');
  await expectFocus(page, 'Password');
  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const link = await dialog.getByRole('link', { name: 'Open the app' }).getAttribute('href');
  const secret = base32nopad.decode(new URL(link ?? '').searchParams.get('secret') ?? '');
  await expectFocus(page, 'Digit 1 of 6');
  await checkStep(page, 'the key');
  await dialog.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(stage.world.nextCode(secret));
  await page.keyboard.press('Enter');
  const list = dialog.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(recoveryCodeRules.count);
  await checkStep(page, 'the recovery codes');
  await tick(page, 'I have saved my recovery codes');
  await press(page, 'button', 'Done');
  await page.getByText(/10 recovery codes left/).waitFor();
  await findEmail(stage.world.mails, anika.email, 'Two-factor authentication');
  return { secret, codes };
}

const expectFocus = (page: Page, label: string) =>
  expect.poll(() => page.getByRole('dialog').getByLabel(label, { exact: true }).evaluate(isFocused)).toBe(true);

async function signOut(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
}

/** The second half: a wrong code is reported, and the right one opens the dashboard automatically. */
async function enterAppCode(page: Page, secret: Uint8Array): Promise<void> {
  await page.waitForURL('**/verify-otp');
  await page.getByLabel('Digit 1 of 6').waitFor();
  await checkStep(page, 'the second half of a sign-in');
  await page.getByLabel('Digit 1 of 6').focus();
  const code = stage.world.nextCode(secret);
  await page.keyboard.type(code.replace(/^./, (digit) => String((Number(digit) + 1) % 10)));
  await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).first().waitFor();
  await expect.poll(() => page.getByLabel('Digit 1 of 6').evaluate(isFocused)).toBe(true);
  await expect.poll(() => page.getByLabel('Digit 1 of 6').isEditable()).toBe(true);
  await page.keyboard.type(code);
  await page.waitForURL('**/dashboard');
}

/** The phone with the app is lost: a recovery code opens the account, once. */
async function enterRecoveryCodes(page: Page, [used, unused]: string[]): Promise<void> {
  await chooseRecovery(page);
  await page.keyboard.type(written(used));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await findEmail(stage.world.mails, anika.email, 'recovery code');
  await page.goto('/profile');
  await signOut(page);
  await enterPassword(page);
  await chooseRecovery(page);
  await page.keyboard.type(written(used));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).first().waitFor();
  await checkStep(page, 'a recovery code that is refused');
  await page.getByLabel('Recovery code', { exact: true }).fill(written(unused));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
}

async function chooseRecovery(page: Page): Promise<void> {
  await page.waitForURL('**/verify-otp');
  await press(page, 'button', 'Use recovery code');
  await page.getByLabel('Recovery code', { exact: true }).waitFor();
}

/** As copied from paper. */
const written = (code = '') => code.replaceAll('-', '').toLowerCase();
