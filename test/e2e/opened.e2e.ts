import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSponsorName } from '#server/accounts/index.ts';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { signUp, TEST_PASSWORD } from '../members.ts';
import { makeOperator } from '../operators.ts';
import { openBrowser, sizes } from './browser.ts';
import { openDemoWorld, type WorldInProcess } from './world-in-process.ts';

/** Who else looks at an account, and how its member leaves: support reads it, everything is taken along, it is closed. */
const anika = demoPeople[0] as (typeof demoPeople)[number];
const REASON = 'She asked why a deposit waits';

let world: WorldInProcess;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([openDemoWorld('opened'), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await world.stop();
});

test('an operator opens an account, can change nothing in it and ends it; its member reads who it was and why', async () => {
  const operator = await makeOperator(world.context, 'support');
  const { items } = await askDesk<{ items: { id: string }[] }>(operator.token, 'GET', `members?search=${anika.code}`);
  const { address } = await askDesk<{ address: string }>(operator.token, 'POST', `members/${items[0]?.id}/open`, {
    reason: REASON,
  });
  const looking = await openPage();
  await looking.page.goto(address);
  await looking.page.getByText('Opened by Op support for support').waitFor();
  expect(looking.page.url()).not.toContain('accessToken');
  await looking.page.goto('/profile');
  await looking.page.getByRole('button', { name: 'Edit name and mobile' }).click();
  await looking.page.getByLabel('Name', { exact: true }).fill('Somebody Else');
  await looking.page.getByRole('button', { name: 'Save', exact: true }).click();
  await looking.page
    .getByText(/An operator opened this account/)
    .first()
    .waitFor();
  await looking.page.keyboard.press('Escape');
  await looking.page.getByRole('button', { name: 'End', exact: true }).click();
  await looking.page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await looking.close();

  const own = await openPage();
  await signIn(own.page, anika.code, demoPassword);
  await own.page.goto('/profile');
  await own.page.getByText(REASON).waitFor();
  expect(await findSponsorName(world.context, anika.code)).not.toContain('Somebody');
  await own.close();
});

test('a member takes everything along and closes the account; nobody signs in there again', async () => {
  const { referralCode } = await signUp(world.context, { email: 'lena@example.com' });
  const { page, close } = await openPage();
  await signIn(page, referralCode, TEST_PASSWORD);
  await page.goto('/profile');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export my data' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  expect(JSON.stringify(JSON.parse(text))).toContain('lena@example.com');

  await page.getByRole('button', { name: 'Close my account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
  await dialog.getByRole('button', { name: 'Close my account' }).click();
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await page.goto('/');
  await page.getByLabel('Registered Id').fill(referralCode);
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'SIGN IN' }).click();
  await page
    .getByText(/is wrong|not correct|do not match|Wrong/i)
    .first()
    .waitFor();
  await close();
});

async function openPage() {
  const context = await browser.newContext({
    viewport: sizes.desktop,
    baseURL: world.origin,
    acceptDownloads: true,
  });
  return { page: await context.newPage(), close: () => context.close() };
}

async function signIn(page: Page, code: string, password: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Registered Id').fill(code);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'SIGN IN' }).click();
  await page.waitForURL('**/dashboard');
}

async function askDesk<T>(token: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  const reply = await fetch(`${world.origin}/api/v1/operator/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect({ path, status: reply.status }).toEqual({ path, status: 200 });
  return ((await reply.json()) as { data: T }).data;
}
