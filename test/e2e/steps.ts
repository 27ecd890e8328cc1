import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { OperatorWithdrawal } from '#contract/funds/review.ts';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { callApi } from '#test/kit/send-api.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import type { WorldInProcess } from './world-in-process.ts';

/** Anika Rao from the demo world. */
export const anika = demoPeople[0] as (typeof demoPeople)[number];

/** Signs up Noor Aziz, under the company or the sponsor of the link. */
export async function signUp(page: Page, link?: string): Promise<void> {
  await page.goto(link ?? '/register');
  if (link === undefined) await page.getByLabel('Invitation Id').fill('tradewind');
  await page.getByRole('combobox', { name: 'Dial code' }).fill('India');
  await page.getByRole('option', { name: /India/ }).first().click();
  await page.getByLabel('Mobile').fill('9876543210');
  await page.getByLabel('Name', { exact: true }).fill('Noor Aziz');
  await page.getByLabel('Email Id').fill('noor@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a harbour at dusk');
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await page.waitForURL(/\/login/);
}

/** Uses the id that registration left in the form. */
export async function signIn(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel('Registered Id').inputValue()).toMatch(/^TW[A-Z2-9]{8}$/);
  await page.getByLabel('Password', { exact: true }).fill('a harbour at dusk');
  await page.getByRole('button', { name: 'SIGN IN' }).click();
  await page.waitForURL('**/dashboard');
}

/** Deposits 1 000 dollars through the sandbox's pay page, and waits until they are credited. */
export async function deposit(page: Page, size: 'desktop' | 'mobile'): Promise<void> {
  if (size === 'mobile') await page.getByRole('link', { name: 'Assets' }).click();
  await page.getByRole('link', { name: 'Deposit', exact: true }).first().click();
  await page.waitForURL('**/fund/deposits');
  await page.getByLabel('Amount in USDT').fill('1000');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Start deposit' }).click();
  const paying = page.waitForEvent('popup');
  await page.getByRole('link', { name: /Open payment page/ }).click();
  const payPage = await paying;
  await payPage.getByRole('button', { name: /^Pay .* in full$/ }).click();
  await payPage.waitForURL(/\/payment\//);
  await payPage
    .getByText(/credited/i)
    .first()
    .waitFor();
  await payPage.close();
  await page.getByText('Credited', { exact: true }).first().waitFor();
}

/** An API call of the member signed in on the page. */
export async function ask<T>(page: Page, path: string): Promise<T> {
  const token = JSON.parse((await page.evaluate(() => localStorage.getItem('accessToken'))) ?? 'null') as string;
  const reply = await page.request.get(`/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(reply.status()).toBe(200);
  return ((await reply.json()) as { data: T }).data;
}

/** Signs in an existing member, up to the dashboard. */
export async function signInAs(page: Page, code = anika.code, password = demoPassword): Promise<void> {
  await page.goto('/');
  await fillSignIn(page, code, password);
  await page.waitForURL('**/dashboard');
}

export async function fillSignIn(page: Page, code: string, password: string): Promise<void> {
  await page.getByLabel('Registered Id').fill(code);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'SIGN IN' }).click();
}

/** Enters the one-time password of an email or app. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 6').click();
  await page.keyboard.type(code);
}

/** A virtual device that stores passkeys and verifies the user. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** An API call without a page, by an operator elsewhere or by somebody who bypasses every form. */
export const call = <T>(origin: string, path: string, token?: string, body?: unknown): Promise<T> =>
  callApi<T>(origin, path, {
    token,
    body,
    headers: body === undefined ? {} : { 'idempotency-key': crypto.randomUUID() },
  });

/** Approves by two operators with authenticator apps; the first approval does not change the state. */
export async function approveTwice({ context, origin }: WorldInProcess, withdrawalId: string): Promise<void> {
  const operators = [await makeOperator(context, 'finance'), await makeOperator(context, 'admin')];
  const path = `operator/withdrawals/${withdrawalId}`;
  const states: string[] = [];
  for (const { token, code } of operators) {
    const seen = await call<OperatorWithdrawal>(origin, path, token);
    expect(seen.approvals_needed).toBe(2);
    const body = { version: seen.version, otp: await code() };
    states.push((await call<OperatorWithdrawal>(origin, `${path}/approve`, token, body)).state);
  }
  expect(states).toEqual(['requested', 'approved']);
}
