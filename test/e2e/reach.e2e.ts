import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ticket } from '#contract/tickets/tickets.ts';
import type { ServerProcess } from '../server-process.ts';
import { openBrowser, sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { signInAnika } from './page-checks.ts';
import { ask } from './steps.ts';

/** What can be pressed can be reached: large enough, under nothing, and as wide as it looks. */
let server: ServerProcess;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemoServer('reach', { JOBS: 'off' }), openBrowser()]);
  context = await browser.newContext({ viewport: sizes.desktop, baseURL: server.origin });
  await signInAnika(context);
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

async function open(path: string, size: keyof typeof sizes = 'desktop'): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(sizes[size]);
  await page.goto(path);
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy="true"]'));
  return page;
}

test.each(['/dashboard', '/portfolio', '/query'])('every target of %s has its size on a wide screen', async (path) => {
  const page = await open(path);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(['target-size']).analyze();
  expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
  await page.close();
});

test.each([
  '/dashboard',
  '/fund/deposits',
  '/fund/withdrawal',
  '/fund/investments',
  '/fund/investments/new',
  '/backtest',
  '/profile',
  '/query',
  '/query/new',
  '/query/1',
])(
  'on a phone the chat button covers no action of %s: not one that stays, and none at the end of the page',
  async (path) => {
    const page = await open(path, 'mobile');
    const covered = () =>
      page.evaluate(() => {
        const chat = document.querySelector('nav[aria-label="Support"] a')?.getBoundingClientRect();
        if (!chat) return ['there is no chat button'];
        const isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
        const stays = (one: Element | null): boolean =>
          one !== null && (getComputedStyle(one).position === 'sticky' || stays(one.parentElement));
        return [...document.querySelectorAll('main :is(a, button, input, textarea)')]
          .filter((action) => isAtEnd || stays(action))
          .filter((action) => {
            const box = action.getBoundingClientRect();
            const isBeside =
              box.right <= chat.left || box.left >= chat.right || box.bottom <= chat.top || box.top >= chat.bottom;
            return box.width > 1 && !isBeside;
          })
          .map((action) => action.outerHTML.slice(0, 120));
      });
    expect(await covered()).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(await covered()).toEqual([]);
    await page.close();
  },
);

test('a query opens wherever its row is pressed, by key, and with the middle button in a page of its own', async () => {
  const page = await open('/query');
  const { items } = await ask<{ items: Ticket[] }>(page, 'ticket/tickets');
  const ticket = items[0] as Ticket;
  const row = page.getByRole('row').filter({ hasText: ticket.reference });
  const box = await row.getByRole('cell').last().boundingBox();
  if (!box) throw new Error('the row is on screen');
  const end = [box.x + box.width - 4, box.y + box.height / 2] as const;

  const opened = context.waitForEvent('page');
  await page.mouse.click(...end, { button: 'middle' });
  const beside = await opened;
  await beside.waitForURL(`**/query/${ticket.id}`);
  await beside.close();

  await page.mouse.click(...end);
  await page.waitForURL(`**/query/${ticket.id}`);
  await page.goBack();
  await row.getByRole('link', { name: ticket.subject }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/query/${ticket.id}`);
  await page.close();
});

test.each(['{}', '{"id":"1"}', '{"id":1,"name":null}', 'null', 'no json'])(
  'with a stored member of %s the pages are shown, and who it is',
  async (text) => {
    const page = await open('/dashboard');
    await page.evaluate((stored) => localStorage.setItem('userDetail', stored), text);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('banner').getByText('Anika Rao').waitFor();
    await page.close();
  },
);

test.each(['"unknown"', '"snow ☃"', '{}', 'null'])('a stored token of %s leads to the login', async (text) => {
  const other = await browser.newContext({ baseURL: server.origin });
  const page = await other.newPage();
  await page.goto('/terms');
  await page.evaluate((stored) => {
    localStorage.setItem('accessToken', stored);
    localStorage.setItem('userDetail', '{}');
  }, text);
  await page.goto('/portfolio');
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('button', { name: 'SIGN IN' }).waitFor();
  await other.close();
});
