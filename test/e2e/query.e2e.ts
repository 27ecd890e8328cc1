import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { OperatorTicket, Ticket } from '#contract/tickets/tickets.ts';
import { makePng } from '#server/tickets/attachment-files.test-setup.ts';
import { makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { sizes } from './browser.ts';
import { isFocused, press, reach } from './keyboard.ts';
import { openStage } from './stage.ts';
import { ask, call, signInAs } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/**
 * A query as a member sees it: created about a trade with a picture, answered by an operator, read without reloading,
 * replied to and closed. Then once more by keyboard alone.
 */
const SCRIPT = '<script>document.title = "taken over"</script><img src=x onerror="document.title=1">';

let operator: TestOperator;

const stage = openStage(() => openDemoWorld('query'));
beforeAll(async () => {
  operator = await makeOperator(stage.world.context, 'support');
});

test('a query about a trade with a picture gets an answer without reloading, a reply, and is closed', async () => {
  const { page, faults, close } = await openPage();
  await page.goto('/trades/1');
  await page.getByRole('link', { name: 'Ask about this: Trade 1' }).click();
  await page.waitForURL('**/query/new?about=trade:1');
  await page.getByText('About Trade 1').waitFor();
  await page.getByLabel('Subject').fill('The price I got');
  await page.getByRole('textbox', { name: 'Message' }).fill(`Why this price?\n${SCRIPT}`);
  await page.locator('input[type=file]').setInputFiles([
    { name: 'screen.png', mimeType: 'image/png', buffer: makePng() },
    { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
  ]);
  await page.getByText('drawing.svg was not attached').waitFor();
  await page.getByRole('list', { name: 'Files to send' }).getByText('screen.png').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL(/\/query\/\d+$/);
  const ticket = await ticketOn(page);
  expect(ticket).toMatchObject({ category: 'trade', state: 'open', about: { kind: 'trade', id: '1' } });
  const messages = page.getByRole('log', { name: 'Messages' });
  await messages.getByText(SCRIPT).waitFor();
  await saveAndCompare(page);

  await answer(ticket, 'It is the mark of the opening.');
  await messages.getByText('It is the mark of the opening.').waitFor();
  await messages.getByText('New', { exact: true }).waitFor();
  await messages.getByText('Seen', { exact: true }).waitFor();
  await page.getByText('Answered', { exact: true }).waitFor();
  await expect.poll(async () => (await ticketOn(page)).unread).toBe(0);

  await page.getByLabel('Write a reply').fill('Thank you.');
  await page.getByLabel('Write a reply').press('Control+Enter');
  await messages.getByText('Thank you.').waitFor();
  expect((await ticketOn(page)).state).toBe('open');

  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close query' }).click();
  await page.getByText('This query is closed. A reply reopens it.').waitFor();
  expect((await ticketOn(page)).state).toBe('closed');
  await page.getByLabel('Write a reply').fill('One more thing.');
  await page.getByRole('button', { name: 'Send' }).click();
  await messages.getByText('One more thing.').waitFor();
  expect((await ticketOn(page)).state).toBe('open');
  expect(await page.title()).toContain('The price I got');
  expect(faults).toEqual([]);
  await close();
});

test('by keyboard alone a query is sent from the menu, opened from the list, replied to and closed', async () => {
  const { page, faults, close } = await openPage();
  await press(page, 'link', 'Query');
  await page.waitForURL('**/query');
  await press(page, 'link', 'New query');
  await page.waitForURL('**/query/new');
  await reach(page, 'textbox', 'Subject');
  await page.keyboard.type('How do I rise in rank');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Income' }).waitFor();
  await page.keyboard.type('In');
  for (let step = 0; step < 6 && !(await isChosen(page, 'Income')); step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await reach(page, 'textbox', 'Message');
  await page.keyboard.type('Where do I read about it?');
  await press(page, 'button', 'Send');
  await page.waitForURL(/\/query\/\d+$/);
  const ticket = await ticketOn(page);
  expect(ticket).toMatchObject({ category: 'income', about: null });

  await press(page, 'link', 'All queries');
  await page.waitForURL('**/query');
  // Only now, because an open thread would be marked as read at once.
  await answer(ticket, 'On the page Rewards.');
  const row = page.getByRole('row').filter({ hasText: ticket.reference });
  await row.getByText('1 unread').waitFor();
  await press(page, 'link', ticket.subject);
  await page.getByText('On the page Rewards.').waitFor();
  await reach(page, 'textbox', 'Write a reply');
  await page.keyboard.type('Thanks');
  await page.keyboard.press('Enter');
  await page.keyboard.type('and good night.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('log', { name: 'Messages' }).getByText('Thanks\nand good night.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Write a reply' }).evaluate(isFocused)).toBe(true);
  await press(page, 'button', 'Close');
  await page.getByRole('dialog', { name: 'Close this query?' }).waitFor();
  await press(page, 'button', 'Close query');
  await page.getByText('This query is closed.').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a new answer does not scroll a reader further up in a long thread, and one press leads to it', async () => {
  const { page, faults, close } = await openPage();
  await page.setViewportSize(sizes.mobile);
  await page.getByRole('link', { name: /^Query/ }).click();
  await page.waitForURL('**/query');
  await page.goto('/query/new');
  await page.getByLabel('Subject').fill('A long story');
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Other' }).click();
  await page
    .getByRole('textbox', { name: 'Message' })
    .fill(Array.from({ length: 120 }, (_, line) => `Line ${line}`).join('\n'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL(/\/query\/\d+$/);
  const ticket = await ticketOn(page);
  await page.getByText('Line 119').waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000);
  // Up to the next frame, in which the page takes note.
  await page.evaluate(() => {
    window.scrollTo(0, 200);
    return new Promise(requestAnimationFrame);
  });
  await answer(ticket, 'A short answer.');
  await page.getByRole('button', { name: 'New messages' }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(200);
  expect((await ticketOn(page)).unread).toBe(1);
  await page.getByRole('button', { name: 'New messages' }).click();
  await expect.poll(async () => (await ticketOn(page)).unread).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

/** A signed-in member, on the dashboard. */
async function openPage() {
  const opened = await stage.openPage();
  await signInAs(opened.page);
  return opened;
}

/** The query on the page, as the server has it. */
async function ticketOn(page: Page): Promise<Ticket> {
  const id = new URL(page.url()).pathname.split('/').at(-1);
  return (await ask<{ ticket: Ticket }>(page, `ticket/ticket-msg?ticketId=${id}`)).ticket;
}

/** By an operator, who has read the messages before. */
async function answer({ id }: Ticket, message: string): Promise<void> {
  const ticket = `operator/tickets/${id}`;
  const seen = await call<{ ticket: OperatorTicket }>(stage.world.origin, ticket, operator.token);
  expect(seen.ticket.id).toBe(id);
  await call(stage.world.origin, `${ticket}/reply`, operator.token, { message });
}

/** The picture is saved as a file with the same bytes, and the page does not navigate. */
async function saveAndCompare(page: Page): Promise<void> {
  const saving = page.waitForEvent('download');
  const before = page.url();
  await page.getByRole('button', { name: /^Save screen\.png/ }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('screen.png');
  const parts: Buffer[] = [];
  for await (const part of await file.createReadStream()) parts.push(part as Buffer);
  expect(Buffer.concat(parts).equals(makePng())).toBe(true);
  expect(page.url()).toBe(before);
}

/** Whether Enter would select this option of the open list. */
const isChosen = (page: Page, name: string) =>
  page.getByRole('option', { name }).evaluate((option) => option.hasAttribute('data-combobox-selected'));
