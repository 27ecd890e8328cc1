import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Movement } from '#contract/funds/deposits.ts';
import { toMicros } from '#contract/money.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type DemoConsoleLogin, ensureDemoAdmins } from '#server/demo/make-operators.ts';
import { admitWithdrawal, createDeposit, holdWithdrawal, payInSandbox } from '#server/funds/index.ts';
import { checkStep } from './page-checks.ts';
import { setUpOperator } from './set-up-operator.ts';
import { openStage, watch } from './stage.ts';
import { anika, ask, enterCode, signInAs } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/**
 * What operators decide, as they see it: two of them, each in a browser of their own, who set up their authenticator
 * apps at the first sign-in. Every dialog they meet is checked in both themes. A member is signed in beside the second
 * one and sees the outcome.
 */

type Seat = {
  readonly name: string;
  readonly page: Page;
  /** The next code that the authenticator app shows. */
  readonly nextCode: () => string;
};

let vera: Seat;
let tomas: Seat;
let member: Page;
const faults: string[] = [];

const stage = openStage(() => openDemoWorld('operators'));
beforeAll(async () => {
  const [first, second] = await ensureDemoAdmins(stage.world.context);
  if (first === undefined || second === undefined) throw new Error('the demo world has two admins');
  vera = await seatOf(first);
  tomas = await seatOf(second);
  member = await tomas.page.context().newPage();
  watch(member, faults);
  // One browser holds both sessions, an operator's and a member's.
  await signInAs(member);
});

test('a late deposit is reviewed, credited with a code, and appears in statement and audit log', async () => {
  const { page, name, nextCode } = vera;
  await goTo(page, 'Deposits in review');
  const row = page.getByRole('row').filter({ hasText: anika.name });
  await row.getByText('paid late').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: /^Deposit DP-/ });
  const reference = (await panel.getByRole('heading', { level: 2 }).textContent()) ?? '';
  await expect.poll(() => panel.textContent()).toMatch(/Held for review\$500\.0000\$500\.00 requestedpaid late/);
  await checkStep(page, 'a deposit in review');

  await panel.getByRole('button', { name: 'Mark as refunded' }).click();
  await checkDialog(page, `Mark ${reference} as refunded`);
  await leaveDialog(page);
  await panel.getByRole('button', { name: 'Credit deposit' }).click();
  const dialog = await checkDialog(page, `Credit ${reference}`);
  await dialog.getByRole('button', { name: 'Credit deposit' }).click();
  await dialog.getByText('Enter a reason.').waitFor();
  await dialog.getByLabel('Reason').fill('The rest came 24 minutes late.');
  await enterCode(page, nextCode());
  await dialog.getByRole('button', { name: 'Credit deposit' }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel.getByText('Credited', { exact: true }).first().waitFor();

  const { items } = await ask<{ items: Movement[] }>(member, 'auth/transaction-hist?limit=100');
  const lines = items.filter(({ wallet }) => wallet === 'primary');
  const at = lines.findIndex((line) => line.reference === reference);
  expect(lines[at]).toMatchObject({ amount: 500, note: 'The rest came 24 minutes late.' });
  expect(lines[at]?.balance_after).toBeCloseTo((lines[at + 1]?.balance_after ?? Number.NaN) + 500, 6);
  await member.goto('/fund/transaction-history');
  await member.getByText(reference).first().waitFor();

  const id = new URL(page.url()).pathname.split('/').at(-1);
  await goTo(page, 'Audit log');
  await page.getByLabel('Subject').fill(`deposit:${id}`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'deposit.credit' }).waitFor();
  expect(faults).toEqual([]);
});

test('a large withdrawal needs two operators: whoever approved it first cannot approve it again', async () => {
  await askForLargeWithdrawal();
  const first = await openLarge(vera.page);
  await first.panel.getByText('Two operators: you may approve').waitFor();
  await checkStep(vera.page, 'a withdrawal that takes two operators');
  await first.panel.getByRole('button', { name: 'Reject' }).click();
  await checkDialog(vera.page, `Reject ${first.reference}`);
  await leaveDialog(vera.page);
  await approve(vera, first, 'This is the first of two approvals.');
  await first.panel.getByText('You approved it. A second operator has to approve it too.').waitFor();
  await first.panel.getByText('Approvals, 1 of 2').waitFor();
  expect(await first.panel.getByRole('button', { name: 'Approve' }).count()).toBe(0);

  const second = await openLarge(tomas.page);
  expect(second.reference).toBe(first.reference);
  await second.panel.getByText(`${vera.name}, `).first().waitFor();
  await second.panel.getByText('A second operator: you may approve').waitFor();
  await approve(tomas, second, 'is paid to Anika Rao on TRC20 next.');
  await second.panel.getByText('Completed', { exact: true }).first().waitFor();
  await second.panel.getByText('Approvals, 2 of 2').waitFor();
  await second.panel.getByText(`${vera.name}, `).first().waitFor();
  await second.panel.getByText('You, ').first().waitFor();

  await first.panel.getByText('Completed', { exact: true }).first().waitFor();
  await first.panel.getByText(`${tomas.name}, `).first().waitFor();
  await checkStep(vera.page, 'a withdrawal that was paid');
  expect(faults).toEqual([]);
});

test('a ticket is claimed, noted, answered and closed by keys; its member sees the answer, not the note', async () => {
  const { page } = vera;
  await member.goto('/query/new');
  await member.getByLabel('Subject').fill('Which day counts');
  await member.getByRole('combobox', { name: 'Category' }).click();
  await member.getByRole('option', { name: 'Withdrawal' }).click();
  await member.getByRole('textbox', { name: 'Message' }).fill('Is my limit by day of UTC?');
  await member.getByRole('button', { name: 'Send' }).click();
  await member.waitForURL(/\/query\/\d+$/);

  await goTo(page, 'Tickets');
  await page.getByRole('row').filter({ hasText: 'Which day counts' }).click();
  const panel = page.getByRole('complementary', { name: /^Ticket Q-/ });
  await panel.getByText('Is my limit by day of UTC?').waitFor();
  await page.keyboard.press('t');
  await panel.getByRole('button', { name: `Assigned to ${vera.name}` }).waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('Asked the same in spring.');
  await page.keyboard.press('Control+Enter');
  await panel.getByText(`${vera.name}, private note`).waitFor();
  await checkStep(page, 'a ticket with a private note');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.keyboard.type('Yes, from midnight to midnight UTC.');
  await page.keyboard.press('Control+Enter');
  await panel.getByRole('log', { name: 'Messages' }).getByText('Yes, from midnight to midnight UTC.').waitFor();

  const messages = member.getByRole('log', { name: 'Messages' });
  await messages.getByText('Yes, from midnight to midnight UTC.').waitFor();
  expect(await member.getByText('Asked the same in spring.').count()).toBe(0);
  const id = new URL(member.url()).pathname.split('/').at(-1);
  expect(JSON.stringify(await ask(member, `ticket/ticket-msg?ticketId=${id}`))).not.toContain('in spring');
  await panel.getByText('Seen by the member').waitFor();

  await panel.getByRole('button', { name: 'Close ticket' }).click();
  const dialog = await checkDialog(page, /^Close Q-.*\?$/);
  await dialog.getByRole('button', { name: 'Close ticket' }).click();
  await panel.getByText('Closed', { exact: true }).waitFor();
  await member.getByText('This query is closed. A reply reopens it.').waitFor();
  expect(faults).toEqual([]);
});

/** The other dialogs that ask before acting, one of each form; the pages behind them are checked in console.e2e.ts. */
const dialogs: readonly { readonly at: string; readonly press: string; readonly name: string | RegExp }[] = [
  { at: 'members/2', press: 'Freeze account', name: /^Freeze the account of / },
  { at: 'members/2', press: 'Tighten limits', name: /^Tighten the limits of / },
  { at: 'members/2', press: 'View as member', name: /^View the account of / },
  { at: 'withdrawals', press: 'Stop payouts', name: 'Stop all payouts' },
  { at: 'adjustments', press: 'Propose adjustment', name: 'Propose an adjustment' },
  { at: 'adjustments/1', press: 'Approve', name: /^Approve AD-/ },
  { at: 'adjustments/4', press: 'Propose reversal', name: /^Propose to reverse AD-/ },
  { at: 'treasury', press: 'Record move', name: 'Record a treasury move' },
  { at: 'reserves', press: 'Propose statement', name: 'Propose a statement of reserves' },
  { at: 'sessions', press: 'Halt trading', name: 'Halt trading' },
  { at: 'assets/btc', press: 'Disable trading', name: /^Disable trading of / },
  { at: 'assets/btc', press: 'Change spread', name: /^Change the spread of / },
  { at: 'assets/btc', press: 'Propose limits', name: /^Propose limits of / },
  { at: 'tickets', press: 'Canned replies', name: 'Canned replies' },
  { at: 'announcements', press: 'New announcement', name: 'New announcement' },
  { at: 'operators', press: 'Invite operator', name: 'Invite an operator' },
];

test.each(dialogs)(
  'the dialog of $press under $at is readable in both themes and closes by Escape',
  async ({ at, press, name }) => {
    const { page } = vera;
    await goBelow(page, at);
    await page.getByRole('button', { name: press, exact: true }).first().click();
    await checkDialog(page, name);
    await leaveDialog(page);
    expect(faults).toEqual([]);
  },
);

async function seatOf(login: DemoConsoleLogin): Promise<Seat> {
  const { page } = await stage.openPage({ colorScheme: 'dark' });
  watch(page, faults);
  const { nextCode } = stage.world;
  const secret = await setUpOperator(page, login, nextCode, (at) => checkStep(at, 'the set-up of the second factor'));
  return { name: login.name, page, nextCode: () => nextCode(secret) };
}

async function goTo(page: Page, label: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Operator' });
  await menu.getByRole('link', { name: new RegExp(`^${label}`) }).click();
  await page.getByRole('heading', { name: label, level: 1 }).waitFor();
}

/** As a link within the console does it, without reloading the page. */
async function goBelow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/operator/${path}`);
}

async function checkDialog(page: Page, name: string | RegExp) {
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  await checkStep(page, `the dialog ${name}`);
  return dialog;
}

async function leaveDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** More than one operator may approve alone; requested as after the right code, which only member and email know. */
async function askForLargeWithdrawal(): Promise<void> {
  const { context } = stage.world;
  const { user } = await ask<{ user: { id: string } }>(member, 'auth/me');
  const memberId = BigInt(user.id);
  const started = await createDeposit(context, memberId, { amount: 6_000 }, undefined);
  await payInSandbox(context, { depositId: BigInt(started.id) }, 'full');
  await inTransaction(context.db, async (tx) => {
    const order = { memberId, amountMicros: toMicros(6_000), wallet: 'primary' } as const;
    await holdWithdrawal(tx, context, await admitWithdrawal(tx, context, order));
  });
}

async function openLarge(page: Page) {
  await goTo(page, 'Withdrawals');
  await page.getByRole('row').filter({ hasText: '$6,000.00' }).click();
  const panel = page.getByRole('complementary', { name: /^Withdrawal WD-/ });
  const reference = (await panel.getByRole('heading', { level: 2 }).textContent()) ?? '';
  return { panel, reference };
}

async function approve(
  { page, nextCode }: Seat,
  { panel, reference }: Awaited<ReturnType<typeof openLarge>>,
  says: string,
) {
  await panel.getByRole('button', { name: 'Approve' }).click();
  const dialog = await checkDialog(page, `Approve ${reference}`);
  await dialog.getByText(says).waitFor();
  await enterCode(page, nextCode());
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.waitFor({ state: 'detached' });
}
