import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { makeOperator, OPERATOR_PASSWORD, type TestOperator } from '#test/worlds/operators.ts';
import { operatorPaths } from '../../web/src/ui/paths.ts';
import { sizes } from './browser.ts';
import { isFocused, press, write } from './keyboard.ts';
import { checkPages, openAddress, resize } from './page-checks.ts';
import { openStage } from './stage.ts';
import { openDemoWorld } from './world-in-process.ts';

/**
 * Every page of the operators' console, taken from its own table, in a demo world without jobs: a page that is added is
 * checked as well.
 */
const table = readFileSync(join(import.meta.dirname, '../../web/src/features/console/pages.ts'), 'utf8');
const listed = [...table.matchAll(/^ {4}path: '([^']+)',$/gm)].map(([, path]) => `${operatorPaths.console}/${path}`);
const pages = [...listed, `${operatorPaths.console}/nowhere`];

let admin: TestOperator;
/** Signed in by the first test. */
let context: BrowserContext;

const stage = openStage(() => openDemoWorld('console', { JOBS: 'off' }));
beforeAll(async () => {
  ({ context } = await stage.openPage({ colorScheme: 'dark' }));
  admin = await makeOperator(stage.world.context, 'admin');
  // The longest name and title that the forms take, in one word.
  const { db } = stage.world.context;
  await sql`update identity.member set name = repeat('W', 100) where not is_company`.execute(db);
  await sql`
    insert into notify.announcement (title, text, begins_at, ends_at, written_by, written_at)
    select repeat('W', 80), text, begins_at, ends_at, written_by, written_at from notify.announcement`.execute(db);
  await sql`
    insert into jobs.health (name, kind, overdue_seconds, first_seen_at, failed_at, fault, failures)
    values ('payout.run', 'loop', 60, now(), now(), 'ECONNREFUSED', 3)`.execute(db);
  await sql`
    insert into notify.mail (to_name, to_address, subject, text, state, last_fault)
    values ('Anna', 'anna@mail.test', 'Your code', '', 'failed', 'EENVELOPE')`.execute(db);
});

test('the console’s page table is read completely', () => {
  expect(listed).toHaveLength(table.match(/^ {4}load: /gm)?.length ?? 0);
  expect(listed.length).toBeGreaterThan(0);
});

test('an operator signs in by keyboard alone', async () => {
  await checkPages(context, [operatorPaths.signIn]);
  await signIn(await context.newPage());
});

test('every page passes the checks', () => checkPages(context, pages));

test.each([
  ['no list is scrolled sideways or cuts an amount', checkWidthOfLists],
  ['a list leaves out no column that fits', checkColumns],
  ['lists that open no detail cut no text', checkWholeLists],
  ['one long word widens neither list nor detail', checkLongWords],
  ['with letters set wider, no decision below a detail is cut', checkDecisions],
  ['a row reached by arrow keys is below the head of its list', checkRowsByKeyboard],
  ['the mode has two lines on a phone', checkModeOnPhone],
  ['ranks show all figures on a phone', checkTermsOnPhone],
  ['every tab is in sight on a phone, with letters set wider, too', checkTabsOnPhone],
  ['at 400 % zoom a detail scrolls with its buttons', checkDetailWhenLow],
])('%s', async (_, check) => {
  const page = await context.newPage();
  await check(page);
  await page.close();
});

/** Lists that another tab or a search shows. */
const otherLists = [
  'ledger?tab=accounts',
  'ledger?tab=seals',
  'jobs?tab=emails',
  'members?search=tw',
  'deposits?state=credited',
  'withdrawals?state=completed',
].map((path) => `${operatorPaths.console}/${path}`);

/** Where the menu is open and leaves the least room, and on phones, no list is scrolled sideways or cuts an amount. */
async function checkWidthOfLists(page: Page): Promise<void> {
  for (const [index, path] of [...listed, ...otherLists].entries()) {
    await openAddress(page, path, index === 0);
    for (const width of [992, 900, 768, sizes.mobile.width, 320]) {
      await resize(page, { width, height: 900 });
      const surplus = await surplusOf(page);
      const cut = await page
        .locator('main section td[data-align="right"], main section td[data-align="right"] small')
        .evaluateAll((all) =>
          all.flatMap((one) => (one.scrollWidth > one.clientWidth && one.checkVisibility() ? [one.textContent] : [])),
        );
      expect.soft({ path, width, surplus, cut }).toEqual({ path, width, surplus: 0, cut: [] });
    }
  }
}

/** By the width of the list itself: the menu takes some of 992 px, and none of 900. */
async function checkColumns(page: Page): Promise<void> {
  for (const [path, width, last] of [
    ['audit', 900, 'Details'],
    ['audit', 768, 'Subject'],
    ['deposits', 1024, 'Cause'],
    ['deposits', 992, 'Held'],
    ['members', 1024, 'State'],
  ] as const) {
    await openAddress(page, `${operatorPaths.console}/${path}`, true);
    await resize(page, { width, height: 900 });
    const heads = await page.locator('main section th').allTextContents();
    expect.soft({ path, width, last: heads.at(-1) }).toEqual({ path, width, last });
  }
}

/** Nothing else shows what these lists would cut: emails of operators, errors of jobs and emails. */
async function checkWholeLists(page: Page): Promise<void> {
  for (const [path, text] of [
    ['operators', admin.email],
    ['jobs', 'ECONNREFUSED'],
    ['jobs?tab=emails', 'EENVELOPE'],
  ] as const) {
    await openAddress(page, `${operatorPaths.console}/${path}`, true);
    for (const width of [992, sizes.mobile.width]) {
      await resize(page, { width, height: 900 });
      const cut = await page
        .locator('main section :is(td, td small)')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
      const broken = await page.locator('main section td').evaluateAll((all) =>
        all.flatMap(({ firstChild }) => {
          if (!(firstChild instanceof Text)) return [];
          const range = document.createRange();
          range.selectNode(firstChild);
          return /^\w+$/.test(firstChild.data) && range.getClientRects().length > 1 ? [firstChild.data] : [];
        }),
      );
      const shown = await page.locator('main tr[data-index]').getByText(text).filter({ visible: true }).count();
      expect.soft({ path, width, cut, broken, shown }).toEqual({ path, width, cut: [], broken: [], shown: 1 });
    }
  }
}

/** A name or title that is one long word is shortened in the list and broken in the detail. */
async function checkLongWords(page: Page): Promise<void> {
  await page.setViewportSize(sizes.mobile);
  for (const path of ['tickets?state=answered', 'announcements']) {
    await openAddress(page, `${operatorPaths.console}/${path}`, true);
    await page.locator('main tr[data-index]', { hasText: 'WWWW' }).first().click();
    await page.locator('aside').getByText('WWWW').first().waitFor();
    expect.soft({ path, surplus: await surplusOf(page) }).toEqual({ path, surplus: 0 });
  }
}

/** As style sheets of readers set letters (WCAG 1.4.12). */
const WIDER = '* { letter-spacing: .12em !important; word-spacing: .16em !important; }';

async function checkDecisions(page: Page): Promise<void> {
  for (const path of ['deposits', 'withdrawals']) {
    await openAddress(page, `${operatorPaths.console}/${path}`, true);
    await page.addStyleTag({ content: WIDER });
    await page.locator('main tr[data-index]').first().click();
    const words = page.locator('aside button [class*="Button-label"]');
    await words.first().waitFor();
    const cut = await words.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
    expect.soft({ path, cut }).toEqual({ path, cut: [] });
  }
}

/** How far the widest content of a list or detail exceeds it. */
const surplusOf = (page: Page): Promise<number> =>
  page
    .locator('main section')
    .evaluateAll((all) => Math.max(0, ...all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)));

/** On the way up, the row with the focus is below the head of the list, which stays. */
async function checkRowsByKeyboard(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 500 });
  await openAddress(page, `${operatorPaths.console}/members`, true);
  const rows = page.locator('main tr[data-index]');
  await rows.last().focus();
  const head = await page.locator('main th').first().boundingBox();
  for (let left = await rows.count(); left > 1; left -= 1) {
    await page.keyboard.press('ArrowUp');
    const row = await page.locator('tr:focus').boundingBox();
    expect.soft(row?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1);
  }
}

/** Two whole lines, the second with the market's time: a third would fill the header to its edges. */
async function checkModeOnPhone(page: Page): Promise<void> {
  await page.setViewportSize(sizes.mobile);
  await openAddress(page, `${operatorPaths.console}/overview`, true);
  const mode = page.locator('header [data-compact]');
  expect((await mode.boundingBox())?.height).toBeLessThan(36);
  const cut = await mode
    .locator('span')
    .evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.textContent));
  expect(cut).toEqual([]);
}

/** Nobody guesses that there are more tabs beyond the edge of the list. */
async function checkTabsOnPhone(page: Page): Promise<void> {
  await page.setViewportSize(sizes.mobile);
  for (const path of ['reserves', 'fee-plans', 'members/2']) {
    await openAddress(page, `${operatorPaths.console}/${path}`, true);
    await page.addStyleTag({ content: WIDER });
    const beyond = await page
      .getByRole('tab')
      .evaluateAll((all) =>
        all.flatMap((one) => (one.getBoundingClientRect().right > window.innerWidth ? [one.textContent] : [])),
      );
    expect.soft({ path, beyond }).toEqual({ path, beyond: [] });
  }
}

async function checkDetailWhenLow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 256 });
  await openAddress(page, `${operatorPaths.console}/withdrawals`, true);
  await page.locator('main tr[data-index]').first().click();
  const approve = page.locator('aside').getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  const foot = await approve.boundingBox();
  expect(foot?.y).toBeGreaterThan(256);
  await approve.focus();
  expect((await approve.boundingBox())?.y).toBeLessThan(256);
}

/** All three figures of a rank are visible without horizontal scrolling. */
async function checkTermsOnPhone(page: Page): Promise<void> {
  await page.setViewportSize(sizes.mobile);
  await openAddress(page, `${operatorPaths.console}/fee-plans`, true);
  const surplus = await page
    .getByRole('table', { name: 'Ranks' })
    .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
  expect(surplus).toBeLessThanOrEqual(0);
}

async function signIn(page: Page): Promise<void> {
  await page.goto(operatorPaths.console);
  await page.waitForURL(`**${operatorPaths.signIn}`);
  await write(page, 'Email id', admin.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OPERATOR_PASSWORD);
  await press(page, 'button', 'Sign in');
  await page.getByLabel('Digit 1 of 6').waitFor();
  await expect.poll(() => page.getByLabel('Digit 1 of 6').evaluate(isFocused)).toBe(true);
  await page.keyboard.type(stage.world.nextCode(admin.secret));
  await page.waitForURL(`**${listed[0]}`);
  await page.close();
}
