import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoPassword } from '#server/demo/people.ts';
import { findCode } from './emails.ts';
import { checkStep } from './page-checks.ts';
import { openStage } from './stage.ts';
import { addVirtualAuthenticator, anika, enterCode, fillSignIn, signInAs } from './steps.ts';
import { openDemoWorld, withEmails } from './world-in-process.ts';

/**
 * A passkey as its member sees it, on the authenticator that Chromium simulates: added in the profile, used to sign in
 * and in place of a code, and removed. Passkeys need a domain, which the server takes from the address of the request.
 */
const DAY_SECONDS = 24 * 60 * 60;

const stage = openStage(async () => {
  const world = await withEmails(openDemoWorld, 'passkeys', { PUBLIC_URL: '' });
  return { ...world, origin: world.origin.replace('127.0.0.1', 'localhost') };
});

test('a passkey is added, signs in, confirms a withdrawal and is removed', async () => {
  const { page, faults, close } = await stage.openPage();
  await addVirtualAuthenticator(page);
  await page.clock.install({ time: stage.world.context.now() });
  await signInAs(page);
  await add(page);
  await signOut(page);

  // Withdrawals wait for a day, and the session ends in the meantime.
  stage.world.advance(DAY_SECONDS + 60);
  await page.clock.setSystemTime(stage.world.context.now());
  await signInWithPasskey(page);
  await withdraw(page);

  await signOut(page);
  await fillSignIn(page, anika.code, demoPassword);
  await page.waitForURL('**/verify-otp');
  await checkStep(page, 'second half of a sign-in');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/dashboard');

  await remove(page);
  expect(faults).toEqual([]);
  await close();
});

const panelOf = (page: Page) => page.getByRole('region', { name: 'Passkeys' });

async function add(page: Page): Promise<void> {
  await page.goto('/profile');
  await panelOf(page).getByText('No passkeys yet.').waitFor();
  await panelOf(page).getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.waitFor();
  await checkStep(page, 'what a passkey is, before its code is sent');
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Digit 1 of 6').waitFor();
  await enterCode(page, await findCode(stage.world.mails, anika.email, 'two-factor authentication code'));
  await dialog.getByLabel('Password', { exact: true }).fill(demoPassword);
  await checkStep(page, 'password and code before a passkey');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const name = dialog.getByLabel('Name');
  await name.fill('Laptop');
  await checkStep(page, 'name of a passkey');
  // Pressing Enter again during the request adds no second one, whose refusal would replace the recovery codes.
  const pressAgain = async (route: Route) => {
    await name.press('Enter');
    await route.continue();
  };
  await page.route('**/api/v1/auth/passkeys', pressAgain, { times: 1 });
  await name.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await codes.getByLabel('I have saved my recovery codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await panelOf(page).getByText('Never used').waitFor();
  expect(await panelOf(page).textContent()).toContain('Laptop');
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
}

async function signInWithPasskey(page: Page): Promise<void> {
  await checkStep(page, 'sign-in with a passkey beside the form');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/dashboard');
  await page.goto('/profile');
  await panelOf(page)
    .getByText(/^Last used/)
    .waitFor();
  await checkStep(page, 'profile with a passkey');
}

async function withdraw(page: Page): Promise<void> {
  await page.goto('/fund/withdrawal');
  await page.getByLabel('Amount in USDT').fill('50');
  await page.getByRole('button', { name: 'Send code' }).click();
  await enterCode(page, await findCode(stage.world.mails, anika.email, 'Subject: Your withdrawal code', '$50.00'));
  await page.getByRole('button', { name: 'Withdraw $50.00' }).click();
  await page.getByText('Use your passkey first.').waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('Confirmed with your passkey').waitFor();
  await checkStep(page, 'a withdrawal confirmed with a passkey');
  await page.getByRole('button', { name: 'Withdraw $50.00' }).click();
  await page.waitForURL(/withdrawal\?withdrawal=\d+$/);
}

async function remove(page: Page): Promise<void> {
  await page.goto('/profile');
  await panelOf(page).getByRole('button', { name: 'Rename: Laptop' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('Old laptop');
  await rename.getByRole('button', { name: 'Rename passkey' }).click();
  await panelOf(page).getByRole('button', { name: 'Remove: Old laptop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this passkey?' });
  await dialog.getByLabel('Password', { exact: true }).fill(demoPassword);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText('Confirmed with your passkey').waitFor();
  await checkStep(page, 'removing a passkey');
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await panelOf(page).getByText('No passkeys yet.').waitFor();
  await page.getByRole('region', { name: 'Two-factor authentication' }).getByText('Off', { exact: true }).waitFor();
}
