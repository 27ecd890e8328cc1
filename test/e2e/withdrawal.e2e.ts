import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Movement } from '#contract/funds/deposits.ts';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { symbols } from '#contract/rules.ts';
import { createDeposit, payInSandbox } from '#server/funds/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { recordHours } from '#test/kit/boot.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { findCode, findEmail } from './emails.ts';
import { openStage, watch } from './stage.ts';
import { approveTwice, ask, enterCode, fillSignIn } from './steps.ts';
import { openEmptyWorld, withEmails } from './world-in-process.ts';

/**
 * A withdrawal as a member sees it: an address saved with the code of a real email, the waiting day, a withdrawal with
 * another code, two operators who approve, the payout, and the email's link that stops everything.
 */
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const IN_GROUPS = '0x5a Aeb6 053F 3E94 C9b9 A09f 3366 9435 E7Ef 1BeA ed';
const EMAIL = 'anika.rao@harbour.example';
const DAY_SECONDS = 24 * 60 * 60;

const market = closeAfterAll(recordHours({ symbols, speed: 1 }));
const stage = openStage(() => withEmails(openEmptyWorld, 'withdrawal', market.env));

test('an address waits a day, a withdrawal is approved twice and paid, and the email’s link stops all others', async () => {
  const { context } = stage.world;
  const { memberId, referralCode } = await signUp(context, { name: 'Anika Rao', email: EMAIL });
  await giveFunds(context, memberId, 4_000_000_000n);
  await deposit(memberId, 3_000);
  const today = await openPage();
  await today.page.goto('/');
  await today.page.getByLabel('Remember Me').check();
  await fillSignIn(today.page, referralCode, TEST_PASSWORD);
  await today.page.waitForURL('**/dashboard');
  await saveAddress(today.page);
  await findWaiting(today.page);
  expect(today.faults).toEqual([]);
  await today.page.close();

  stage.world.advance(DAY_SECONDS + 60);
  const { page, faults } = await openPage(today.context);
  const asked = await withdraw(page, 6_000);
  await approveTwice(stage.world, asked.id);
  await page.getByRole('status').getByText('Paid', { exact: true }).waitFor();
  await findInHistory(page, asked);
  await findInStatement(page, asked);
  expect(faults).toEqual([]);

  await pressNotMe();
  await findStopped(page);
  await today.context.close();
});

/** With the browser's clock set to the server's. */
async function openPage(known?: BrowserContext) {
  const opened = known === undefined ? await stage.openPage() : { context: known, page: await known.newPage() };
  await opened.page.clock.install({ time: stage.world.context.now() });
  return { ...opened, faults: watch(opened.page) };
}

/** Large enough to need two operators. */
async function deposit(memberId: bigint, amount: number): Promise<void> {
  const started = await createDeposit(stage.world.context, memberId, { amount }, undefined);
  await payInSandbox(stage.world.context, { depositId: BigInt(started.id) }, 'full');
}

async function saveAddress(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('region', { name: 'Payout address' }).getByRole('link', { name: 'Add address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Payout address' });
  await dialog.getByRole('radio', { name: /ERC20/ }).check();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(ADDRESS);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await enterCode(page, await findCode(stage.world.mails, EMAIL, 'Subject: Your payout address code', IN_GROUPS));
  await dialog.getByRole('button', { name: 'Save address' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/^Available from/).waitFor();
}

async function findWaiting(page: Page): Promise<void> {
  await page.goto('/fund');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Withdraw(al)?$/ })
    .first()
    .click();
  await page.waitForURL('**/fund/withdrawal');
  await page.getByText('Withdrawals are on hold', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Send code' }).isDisabled()).toBe(true);
}

async function withdraw(page: Page, amount: number): Promise<Withdrawal> {
  await page.goto('/fund/withdrawal');
  await page.getByText('Simulated payouts: no real money moves').waitFor();
  const before = await heldOf(page);
  await page.getByLabel('Amount in USDT').fill(String(amount));
  await page.getByRole('button', { name: 'Send code' }).click();
  await enterCode(page, await findCode(stage.world.mails, EMAIL, 'Subject: Your withdrawal code', '$6,000.00'));
  expect(await heldOf(page)).toBe(before);
  await page.getByRole('button', { name: 'Withdraw $6,000.00' }).click();
  await page.waitForURL(/withdrawal\?withdrawal=\d+$/);
  await page.getByText('Waiting for approval').waitFor();
  expect(await heldOf(page)).toBeCloseTo(before + amount, 6);
  const id = new URL(page.url()).searchParams.get('withdrawal');
  const found = await ask<Withdrawal>(page, `safe/withdrawal/${id}`);
  expect(found).toMatchObject({ amount, fee: 60, net: 5_940, network: 'ERC20', address: ADDRESS, state: 'requested' });
  return found;
}

const heldOf = async (page: Page) => (await ask<{ primary: { held: number } }>(page, 'auth/wallet')).primary.held;

async function findInHistory(page: Page, { reference }: Withdrawal): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Withdrawal History' }).click();
  await page.waitForURL('**/fund/withdrawal-history');
  const row = page.getByRole('row').filter({ hasText: reference });
  await row.getByText('Completed').waitFor();
  await row.getByRole('link', { name: `Withdrawal ${reference}` }).click();
  const steps = page.getByRole('list', { name: 'Steps of this withdrawal' });
  await steps.getByText('Paid', { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: reference }).textContent()).toContain(ADDRESS);
}

/** The amount held left the wallet: the net amount was paid and the fee kept. */
async function findInStatement(page: Page, { reference }: Withdrawal): Promise<void> {
  const { items } = await ask<{ items: Movement[] }>(page, 'auth/transaction-hist?limit=100');
  const lines = items.filter((movement) => movement.reference === reference);
  expect(lines.map(({ kind, wallet, amount }) => [kind, wallet, amount]).sort()).toEqual([
    ['withdrawal_fee', 'on_hold', -60],
    ['withdrawal_hold', 'on_hold', 6_000],
    ['withdrawal_hold', 'primary', -6_000],
    ['withdrawal_payout', 'on_hold', -5_940],
  ]);
  await page.goto('/fund/transaction-history');
  await page.getByText(reference).first().waitFor();
}

/** From the email about the change, in a browser where nobody is signed in. */
async function pressNotMe(): Promise<void> {
  const mail = await findEmail(
    stage.world.mails,
    EMAIL,
    'Subject: Your account has a new payout address',
    ADDRESS.slice(0, 4),
  );
  const link = mail.match(/http:\/\/\S+\/not-me#\S+/)?.[0] ?? '';
  const { context, page, faults } = await openPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'This was not me' }).waitFor();
  expect(page.url()).toBe(`${stage.world.origin}/not-me`);
  await page.getByRole('button', { name: 'This was not me' }).click();
  await page.getByRole('heading', { name: 'Withdrawals are stopped' }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
}

async function findStopped(page: Page): Promise<void> {
  await page.goto('/fund/withdrawal');
  await page.getByText('Withdrawals of your account are stopped').waitFor();
  expect(await page.getByRole('button', { name: 'Send code' }).isDisabled()).toBe(true);
  await findEmail(stage.world.mails, EMAIL, 'Subject: Withdrawals from your account were stopped', 'support');
}
