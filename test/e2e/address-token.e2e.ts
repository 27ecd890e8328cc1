import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoPassword } from '#server/demo/people.ts';
import { callApi, sendApi } from '../send-api.ts';
import { openStage } from './stage.ts';
import { anika, call } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/** A link with the token of somebody's account: whoever opens it is asked whose it is before anything personal goes in. */
const stage = openStage(() => openDemoWorld('address_token'));

const strip = (page: Page) => page.getByRole('region', { name: 'Confirm whose account this is' });
const isFree = async (token: string) => {
  const reply = await sendApi(stage.world.origin, 'ticket/create', { token, body: {} });
  return ((await reply.json()) as { code: string }).code !== 'confirm_identity';
};
/** Of the sender, who signed in by password. */
const makeToken = async (): Promise<string> => {
  const login = { loginId: anika.code, password: demoPassword };
  const { access_token } = await call<{ access_token: string }>(stage.world.origin, 'auth/login', undefined, login);
  return access_token;
};
async function startDeposit(page: Page): Promise<void> {
  await page.goto('/fund/deposits');
  await page.getByLabel('Amount in USDT').fill('100');
  await page.getByRole('button', { name: 'Start deposit' }).click();
}

test('a token in the address is checked, stored, taken out of the address, and its owner is named until it is confirmed', async () => {
  const token = await makeToken();
  const { context, page, close } = await stage.openPage();
  await page.goto(`/?accessToken=${token}`);
  await page.waitForURL('**/dashboard');
  expect(page.url()).not.toContain(token);
  await strip(page).getByText('Signed in as Anika Rao. Not you?').waitFor();

  await startDeposit(page);
  await page
    .getByText(/^This account was opened with a link\./)
    .first()
    .waitFor();
  await expect.poll(() => strip(page).evaluate((element) => element === document.activeElement)).toBe(true);

  // The sender has the token too, and confirms for their own browser only.
  const mine = await callApi<{ confirmation: string }>(stage.world.origin, 'auth/adopt', { token, method: 'POST' });
  const { confirmation } = mine;
  await call(stage.world.origin, 'auth/confirm-identity', token, { confirmation });
  expect(await isFree(token)).toBe(false);

  await page.reload();
  await strip(page).waitFor();
  const tab = await context.newPage();
  await tab.goto('/profile');
  await strip(tab).getByRole('button', { name: 'This is me' }).click();
  await strip(tab).waitFor({ state: 'detached' });
  await strip(page).waitFor({ state: 'detached' });
  expect(await isFree(token)).toBe(true);
  await startDeposit(page);
  await page
    .getByRole('link', { name: /Open payment page/ })
    .first()
    .waitFor();
  await close();
});

test('who is not the owner signs out, and the link is worth nothing afterwards', async () => {
  const token = await makeToken();
  const { page, close } = await stage.openPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`/?accessToken=${token}`);
  await strip(page).getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await page.goto(`/?accessToken=${token}`);
  await page.getByText('Please sign in.').first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await close();
});
