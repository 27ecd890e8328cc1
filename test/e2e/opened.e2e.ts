import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findSponsorName } from '#server/accounts/index.ts';
import { signUp, TEST_PASSWORD } from '../members.ts';
import { makeOperator } from '../operators.ts';
import { openStage } from './stage.ts';
import { anika, call, fillSignIn, signInAs } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/** Who else looks at an account, and how its member leaves: support reads it, everything is taken along, it is closed. */
const REASON = 'She asked why a deposit waits';

const stage = openStage(() => openDemoWorld('opened'));

test('an operator opens an account, can change nothing in it and ends it; its member reads who it was and why', async () => {
  const operator = await makeOperator(stage.world.context, 'support');
  const { origin } = stage.world;
  const search = `operator/members?search=${anika.code}`;
  const { items } = await call<{ items: { id: string }[] }>(origin, search, operator.token);
  const open = `operator/members/${items[0]?.id}/open`;
  const { address } = await call<{ address: string }>(origin, open, operator.token, {
    reason: REASON,
    otp: await operator.code(),
  });
  const looking = await stage.openPage();
  await looking.page.goto(address);
  await looking.page.getByText('Support access by Op support').waitFor();
  expect(looking.page.url()).not.toContain('accessToken');
  await looking.page.goto('/profile');
  await looking.page.getByRole('button', { name: 'Edit name and mobile' }).click();
  await looking.page.getByLabel('Name', { exact: true }).fill('Somebody Else');
  await looking.page.getByRole('button', { name: 'Save', exact: true }).click();
  await looking.page
    .getByText(/This is read-only support access/)
    .first()
    .waitFor();
  await looking.page.keyboard.press('Escape');
  await looking.page.getByRole('button', { name: 'End access', exact: true }).click();
  await looking.page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await looking.close();

  const own = await stage.openPage();
  await signInAs(own.page);
  await own.page.goto('/profile');
  await own.page.getByText(REASON).waitFor();
  expect(await findSponsorName(stage.world.context, anika.code)).not.toContain('Somebody');
  await own.close();
});

test('a member takes everything along and closes the account; nobody signs in there again', async () => {
  const { referralCode } = await signUp(stage.world.context, { email: 'lena@example.com' });
  const { page, close } = await stage.openPage();
  await signInAs(page, referralCode, TEST_PASSWORD);
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
  await fillSignIn(page, referralCode, TEST_PASSWORD);
  await page
    .getByText(/is wrong|not correct|do not match|Wrong/i)
    .first()
    .waitFor();
  await close();
});
