import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** As Noor Aziz: under the company, or under whoever gave the link. */
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

/** With the id that registering left in the form. */
export async function signIn(page: Page): Promise<void> {
  await expect
    .poll(() => page.getByLabel('Registered Id').inputValue(), { timeout: 30_000 })
    .toMatch(/^TW[A-Z2-9]{8}$/);
  await page.getByLabel('Password', { exact: true }).fill('a harbour at dusk');
  await page.getByRole('button', { name: 'SIGN IN' }).click();
  await page.waitForURL('**/dashboard');
}

/** 1 000 dollars through the pay page of the sandbox, until they are credited. */
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

/** What the server tells the member who is signed in on the page. */
export async function ask<T>(page: Page, path: string): Promise<T> {
  const token = JSON.parse((await page.evaluate(() => localStorage.getItem('accessToken'))) ?? 'null') as string;
  const reply = await page.request.get(`/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(reply.status()).toBe(200);
  return ((await reply.json()) as { data: T }).data;
}
