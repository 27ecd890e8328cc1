import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ensureDemoAdmins } from '#server/demo/make-operators.ts';
import { checkStep } from './page-checks.ts';
import { setUpOperator } from './set-up-operator.ts';
import { openStage } from './stage.ts';
import { addVirtualAuthenticator } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/**
 * An operator's passkey, on the authenticator that Chromium simulates: as the second factor of a first sign-in, next to
 * an authenticator app, and for a decision. Passkeys need a domain, which the server takes from the address of the
 * request.
 */
type Login = { readonly email: string; readonly password: string };

const stage = openStage(async () => {
  const world = await openDemoWorld('operator_passkeys', { PUBLIC_URL: '' });
  return { ...world, origin: world.origin.replace('127.0.0.1', 'localhost') };
});

test('an operator adds a passkey next to the app, signs in and decides with it', async () => {
  const [login] = await ensureDemoAdmins(stage.world.context);
  if (login === undefined) throw new Error('the demo world has an admin');
  const { page, faults, close } = await stage.openPage();
  await addVirtualAuthenticator(page);
  const secret = await setUpOperator(page, login, stage.world.nextCode);

  await page.goto('/operator/account');
  const panel = page.getByRole('region', { name: 'Passkeys' });
  await panel.getByText(/^No passkeys yet/).waitFor();
  await panel.getByRole('button', { name: 'Add passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByLabel('Name').fill('Laptop');
  await adding.getByLabel('Current password', { exact: true }).fill(login.password);
  await checkStep(page, 'adding an operator’s passkey');
  await adding.getByLabel('Digit 1 of 6').click();
  await page.keyboard.type(stage.world.nextCode(secret));
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  await adding.waitFor({ state: 'detached' });
  await panel.getByText('Never used').waitFor();
  await checkStep(page, 'an operator’s account with a passkey');

  await signOut(page);
  await fillSignIn(page, login);
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  await checkStep(page, 'a code or a passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.goto('/operator/withdrawals');
  await page.getByRole('button', { name: 'Stop payouts' }).click();
  const stop = page.getByRole('dialog', { name: 'Stop all payouts' });
  await stop.getByLabel('Reason').fill('A look at the ledger.');
  await stop.getByRole('button', { name: 'Stop payouts' }).click();
  await stop.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resume payouts' }).click();
  const resume = page.getByRole('dialog', { name: 'Resume payouts' });
  await resume.getByRole('button', { name: 'Use a passkey' }).click();
  await resume.getByText('Enter a reason.').waitFor();
  await resume.getByLabel('Reason').fill('Looked into.');
  await checkStep(page, 'a decision with a passkey');
  await resume.getByRole('button', { name: 'Use a passkey' }).click();
  await resume.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Stop payouts' }).waitFor();
  await page.goto('/operator/account');
  await panel.getByText(/^Last used/).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a passkey alone is set up at the first sign-in and confirms by a dialog’s button', async () => {
  const [, login] = await ensureDemoAdmins(stage.world.context);
  if (login === undefined) throw new Error('the demo world has two admins');
  const { page, faults, close } = await stage.openPage({ colorScheme: 'dark' });
  await addVirtualAuthenticator(page);
  await fillSignIn(page, login);
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await page.getByRole('radiogroup', { name: 'Method' }).getByText('Passkey').click();
  await page.getByLabel('Name').fill('Key');
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  await checkStep(page, 'the set-up of a passkey');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await signOut(page);
  await fillSignIn(page, login);
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
  await checkStep(page, 'a passkey and no code');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.goto('/operator/operators');
  await page.getByRole('button', { name: 'Invite operator' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite an operator' });
  await dialog.getByLabel('Name').fill('Olga Berg');
  await dialog.getByLabel('Email id').fill('olga@mail.test');
  await dialog.getByLabel('Reason').fill('More tickets.');
  await dialog.getByText('Your device asks for your passkey next.').waitFor();
  await checkStep(page, 'a dialog of who has a passkey alone');
  await dialog.getByRole('button', { name: 'Invite operator' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Olga Berg').first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

async function fillSignIn(page: Page, { email, password }: Login): Promise<void> {
  await page.goto('/operator/sign-in');
  await page.getByLabel('Email id').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signed out like a browser whose storage was cleared. */
async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear());
}
