import { base32nopad } from '@scure/base';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { codeAt } from '../operators.ts';
import { findCode, findEmail } from './emails.ts';
import { openStage } from './stage.ts';
import { anika, ask, call, enterCode, fillSignIn, signInAs } from './steps.ts';
import { openDemoWorld, withEmails } from './world-in-process.ts';

/**
 * A thief with the password of a member, and what each step that leads money out asks them for: the authenticator app of
 * an account that has one, also of who has a stolen sign-in and reads the mailbox; the mailbox of one that has none.
 */
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const DAY_SECONDS = 24 * 60 * 60;
const ravi = demoPeople[1] as (typeof demoPeople)[number];

const stage = openStage(() => withEmails(openDemoWorld, 'thief'));
const mailed = (to: string, ...says: string[]) => findCode(stage.world.mails, to, ...says);

/** With the browser's clock where the server's is; what is refused is no fault here. */
async function openPage() {
  const opened = await stage.openPage();
  await opened.page.clock.install({ time: stage.world.context.now() });
  return opened;
}

test('with the password alone nothing goes out, the owner reads of each try, and one press stops it', {
  timeout: 120_000,
}, async () => {
  await signIn(ravi.code);
  const { page, close } = await openPage();
  await signInAs(page, ravi.code);
  await findEmail(stage.world.mails, ravi.email, 'Subject: New sign-in', '/not-me#');

  await startAddress(page);
  await enterCode(page, '000000');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByRole('alert').filter({ hasText: 'This code is wrong or has expired' }).first().waitFor();
  await findEmail(stage.world.mails, ravi.email, 'Subject: Your payout address code');

  const dialog = await startEmail(page, 'thief@mail.test');
  await dialog.getByRole('button', { name: 'I lost access to the old mailbox' }).click();
  await dialog.getByRole('button', { name: 'Request change' }).click();
  await page.getByText(/^You asked to change it to t•••@mail\.test/).waitFor();
  const told = await findEmail(stage.world.mails, ravi.email, 'Subject: A change of your');

  const owner = await openPage();
  await owner.page.goto(told.match(/http:\/\/\S+\/not-me#\S+/)?.[0] ?? '');
  await owner.page.getByRole('button', { name: 'This was not me' }).click();
  await owner.page.getByRole('heading', { name: 'Withdrawals are stopped' }).waitFor();
  await findEmail(stage.world.mails, ravi.email, 'email address was withdrawn');
  await owner.close();

  await page.goto('/fund/withdrawal');
  await page.getByText('Withdrawals of your account are stopped').waitFor();
  expect(await ask(page, 'auth/security')).toMatchObject({ email_request: null });
  await close();
});

test('with the password and the mailbox, and even a stolen sign-in, nothing goes out without the app', {
  timeout: 120_000,
}, async () => {
  const token = await protect();
  stage.world.advance(DAY_SECONDS + 60);
  const { page, close } = await openPage();
  await page.goto('/');
  await fillSignIn(page, anika.code, demoPassword);
  await page.waitForURL('**/verify-otp');
  await enterCode(page, '000000');
  await page.getByRole('alert').filter({ hasText: 'This code is wrong' }).first().waitFor();

  await page.goto(`/?accessToken=${token}`);
  await page.waitForURL('**/dashboard');
  const strip = page.getByRole('region', { name: 'Confirm whose account this is' });
  await strip.getByRole('button', { name: 'This is me' }).click();
  await strip.waitFor({ state: 'detached' });
  const held = await heldOf(page);

  const address = await startAddress(page);
  await enterCode(page, await mailed(anika.email, 'Subject: Your payout address code'));
  await refuse(address, 'Save address');

  await page.goto('/profile');
  await page.getByLabel('Current password', { exact: true }).fill(demoPassword);
  await page.getByLabel('New password', { exact: true }).fill('gale force nine');
  await refuse(page.getByRole('region', { name: 'Password', exact: true }), 'Change password');

  await page.goto('/fund/withdrawal');
  await page.getByLabel('Amount in USDT').fill('50');
  await page.getByRole('button', { name: 'Send code' }).click();
  await enterCode(page, await mailed(anika.email, 'Subject: Your withdrawal code'));
  await refuse(page.getByRole('main'), 'Withdraw $50.00');

  const email = await startEmail(page, 'first@mail.test');
  await email
    .getByLabel('Code from your current mailbox')
    .fill(await mailed(anika.email, 'changes to first@mail.test'));
  await refuse(email, 'Confirm new address');
  await email.getByRole('button', { name: 'I lost access to the old mailbox' }).click();
  await refuse(email, 'Request change');

  const me = await ask<{ user: { email: string } }>(page, 'auth/me');
  expect(me.user.email).toBe(anika.email);
  expect(await heldOf(page)).toBe(held);
  await close();
});

const heldOf = async (page: Page) => (await ask<{ primary: { held: number } }>(page, 'auth/wallet')).primary.held;

/** The member, on a device that stays signed in. */
async function signIn(loginId: string): Promise<string> {
  const login = { loginId, password: demoPassword, remember: true };
  return (await call<{ access_token: string }>(stage.world.origin, 'auth/login', undefined, login)).access_token;
}

/** Anika sets up an app. @returns the token of her sign-in */
async function protect(): Promise<string> {
  const { origin, context } = stage.world;
  const token = await signIn(anika.code);
  const { secret } = await call<{ secret: string }>(origin, 'auth/totp/start', token, { password: demoPassword });
  await call(origin, 'auth/totp/confirm', token, { otp: codeAt(base32nopad.decode(secret), context.now()) });
  return token;
}

/** In the profile, up to the code that is emailed. */
async function startAddress(page: Page): Promise<Locator> {
  await page.goto('/profile');
  const panel = page.getByRole('region', { name: 'Payout address' });
  await panel.getByRole('link', { name: /^(Add|Change) address$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Payout address' });
  await dialog.getByRole('radio', { name: /ERC20/ }).check();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(ADDRESS);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Digit 1 of 6').waitFor();
  return dialog;
}

/** In the profile, with the code of a mailbox that is the thief's own, and the password. */
async function startEmail(page: Page, to: string): Promise<Locator> {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Change email address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email address' });
  await dialog.getByLabel('New email address').fill(to);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Digit 1 of 6').waitFor();
  await enterCode(page, await mailed(to, 'Subject: Your Tradewind email address code'));
  await dialog.getByLabel('Password', { exact: true }).fill(demoPassword);
  return dialog;
}

/** The form asks for the app, and the server does not take a guess. */
async function refuse(form: Locator, button: string): Promise<void> {
  await form.getByLabel('Authenticator code').fill('000000');
  await form.getByRole('button', { name: button }).click();
  await form.getByRole('alert').filter({ hasText: 'This code is wrong, expired or already used.' }).waitFor();
}
