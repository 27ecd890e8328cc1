import { setTimeout as delay } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { openAddress, resize } from './page-checks.ts';
import { openStage } from './stage.ts';
import { ask, signInAs } from './steps.ts';

/** Every control can be reached: large enough, not covered, and clickable in its full width. */
const stage = openStage(() => startDemoServer('reach', { JOBS: 'off' }));
let context: BrowserContext;
beforeAll(async () => {
  const opened = await stage.openPage();
  ({ context } = opened);
  await signInAs(opened.page);
});

async function open(path: string, size: keyof typeof sizes = 'desktop'): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize(sizes[size]);
  await openAddress(page, path, true);
  return page;
}

test.each([
  ['/dashboard', 'desktop'],
  ['/portfolio', 'desktop'],
  ['/query', 'desktop'],
  ['/fund/withdrawal', 'mobile'],
  ['/backtest', 'mobile'],
] as const)('every target of %s is big enough on a %s screen', async (path, size) => {
  const page = await open(path, size);
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
  'on a phone the chat button covers no action of %s: no sticky one, and none at the end of the page',
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

test.each([
  ['mobile', '/dashboard', '**/api/v1/trading/session'],
  ['desktop', '/rewards', '**/api/v1/safe/fetch-sir-reward'],
] as const)('%s: %s does not move when its slowest answer arrives', async (size, path, slowest) => {
  const page = await context.newPage();
  await page.setViewportSize(sizes[size]);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.route(slowest, async (route) => {
    await delay(1_500);
    await route.continue();
  });
  await Promise.all([page.waitForResponse(slowest), page.goto(path)]);
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy="true"]'));
  await page.waitForTimeout(500);
  const moved = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(moved.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01);
  // The page may have asked again meanwhile.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
});

test('a query opens by a click anywhere in its row, by key, and by the middle button in a new page', async () => {
  const page = await open('/query');
  const { items } = await ask<{ items: Ticket[] }>(page, 'ticket/tickets');
  const ticket = items[0] as Ticket;
  const row = page.getByRole('row').filter({ hasText: ticket.reference });
  const link = row.getByRole('link', { name: ticket.subject });
  /** The very end of the row, as it lies now: loading content may still move it. */
  const endOfRow = async () => {
    const [box, rowBox] = [await link.boundingBox(), await row.boundingBox()];
    if (!box || !rowBox) throw new Error('the row is on screen');
    return { x: rowBox.x + rowBox.width - box.x - 4, y: rowBox.y + rowBox.height / 2 - box.y };
  };

  const besides = () => context.pages().filter((one) => one.url().endsWith(`/query/${ticket.id}`));
  // On a busy machine a click may be lost between press and release.
  await expect
    .poll(async () => {
      await link.click({ position: await endOfRow(), button: 'middle' });
      await page.waitForTimeout(2000);
      return besides().length;
    })
    .toBeGreaterThan(0);
  expect(page.url()).toMatch(/\/query$/);
  for (const one of besides()) await one.close();

  await link.click({ position: await endOfRow() });
  await page.waitForURL(`**/query/${ticket.id}`);
  await page.goBack();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/query/${ticket.id}`);
  await page.close();
});

/** The focused element, if none of it is visible. */
const hiddenFocus = () => {
  const active = document.activeElement;
  const box = active?.getBoundingClientRect();
  // The hidden input behind a custom control has no size or no opacity of its own.
  if (!active || !box || box.width < 2 || box.height < 2 || getComputedStyle(active).opacity === '0') return null;
  const x = box.left + box.width / 2;
  const isSeen = [box.top + 2, box.top + box.height / 2, box.bottom - 2].some((y) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (active.contains(top) || top.contains(active));
  });
  return isSeen ? null : active.outerHTML.slice(0, 120);
};

test.each([
  ['mobile', 'Tab'],
  ['mobile', 'Shift+Tab'],
  ['desktop', 'Shift+Tab'],
] as const)('%s: what %s leads to is not under header, bar or chat button', async (size, key) => {
  const page = await open('/dashboard', size);
  await page.getByRole('link', { name: 'Manage plans' }).focus();
  const hidden: string[] = [];
  if (key === 'Tab') await page.getByRole('link', { name: 'Deposit', exact: true }).last().focus();
  for (let presses = 0; presses < 50; presses += 1) {
    await page.keyboard.press(key);
    const found = await page.evaluate(hiddenFocus);
    if (found !== null) hidden.push(found);
  }
  expect(hidden).toEqual([]);
  await page.close();
});

test('at 400 % zoom the amount of a trade is reachable and visible, and the mode stays in the header', async () => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 320, height: 256 });
  await openAddress(page, '/dashboard', true);
  const mode = await page.locator('header [data-compact]').boundingBox();
  expect(mode?.height).toBeLessThan(36);
  await page.getByRole('link', { name: 'Trades', exact: true }).click();
  const amount = page.getByLabel('Amount', { exact: true });
  await amount.focus();
  await expect
    .poll(() =>
      amount.evaluate((field) => {
        const { left, top, height } = field.getBoundingClientRect();
        return document.elementFromPoint(left + 40, top + height / 2) === field;
      }),
    )
    .toBe(true);
  await page.close();
});

test.each([
  ['a low phone', { width: 390, height: 500 }],
  ['a low desktop screen', { width: 1440, height: 450 }],
])('on %s, each asset that the arrow keys choose for a trade is scrolled into view', async (_, size) => {
  const page = await open('/dashboard?trade=btc');
  await resize(page, size);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^btc/ }).focus();
  const hidden: string[] = [];
  for (const _ of await dialog.getByRole('radio', { name: /^[a-z]+.*%/ }).all()) {
    await page.keyboard.press('ArrowDown');
    hidden.push(
      ...(await page.evaluate(() => {
        const card = document.activeElement?.closest('label');
        if (!card) return ['no card has the focus'];
        const { left, top, bottom } = card.getBoundingClientRect();
        const isSeen = [top + 2, bottom - 2].every((y) => card.contains(document.elementFromPoint(left + 12, y)));
        return isSeen ? [] : [card.textContent];
      })),
    );
  }
  expect(hidden).toEqual([]);
  await page.close();
});

/** While a part unfolds it has a height of its own. */
const isUnfolded = (head: Element) =>
  document.getElementById(head.getAttribute('aria-controls') ?? '')?.style.height === '';

test('on a phone, the error of a refused stop is not under the button of the trade dialog', async () => {
  const page = await open('/dashboard?trade=btc', 'mobile');
  await page.getByLabel('Amount', { exact: true }).fill('100');
  await page.getByRole('button', { name: /^Stops/ }).click();
  for (const group of await page.getByRole('group').all())
    await group.getByRole('radio').first().check({ force: true });
  const submit = page.getByRole('button', { name: 'Trade Now' });
  const stop = page.getByLabel('Stop-loss');
  await stop.fill('999');
  await expect.poll(() => page.getByRole('button', { name: /^Stops/ }).evaluate(isUnfolded)).toBe(true);
  // The field is visible above the button, with no room for a line between them.
  await stop.evaluate((field) => {
    field.blur();
    const foot = field.closest('form')?.lastElementChild as Element;
    const below = field.getBoundingClientRect().bottom - foot.getBoundingClientRect().top + 12;
    field.closest('form > *')?.scrollBy(0, below);
  });
  await submit.click();
  const error = page.getByText('From 0.1 to 99.9%.', { exact: true });
  await error.waitFor();
  await expect
    .poll(() =>
      error.evaluate((one) => {
        const { left, bottom } = one.getBoundingClientRect();
        return document.elementFromPoint(left + 4, bottom - 2) === one;
      }),
    )
    .toBe(true);
  await page.close();
});

test('the chart of realised P&L fills its panel, however tall the panels beside it are', async () => {
  const page = await open('/portfolio');
  const panel = page
    .locator('main section')
    .filter({ has: page.getByText('Realised P&L by session', { exact: true }) });
  await panel.evaluate((section) => section.style.setProperty('min-height', '700px'));
  const chart = await panel.getByRole('img', { name: /^P&L of/ }).boundingBox();
  expect(chart?.height).toBeGreaterThan(350);
  await page.close();
});

/** Amounts that run out of a box around them which does not scroll, by more than a card's padding. */
const spilled = () =>
  [...document.querySelectorAll('[class*="_number_"]')].flatMap((amount) => {
    const { right, width } = amount.getBoundingClientRect();
    for (let box = amount.parentElement; box && width > 1; box = box.parentElement) {
      const { overflowX, display } = getComputedStyle(box);
      if (overflowX === 'auto') break;
      if (display !== 'inline' && box.getBoundingClientRect().right < right - 16) {
        return `${amount.textContent} in ${amount.closest('li, label, dl, section, div')?.textContent}`;
      }
    }
    return [];
  });

test('a screen reader finds no table in the candle chart', async () => {
  const page = await open('/btc');
  await page.locator('main canvas').first().waitFor();
  await expect.poll(() => page.locator('main table').count()).toBe(2);
  expect(await page.locator('main').getByRole('table').count()).toBe(1);
  await page.close();
});

test.each([1280, 390])('at %i px with text twice as large, each asset stays in its card', async (width) => {
  const page = await open('/terms');
  await page.setViewportSize({ width, height: 900 });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await openAddress(page, '/fund/investments/new', true);
  const spilled = page
    .locator('main fieldset')
    .first()
    .locator('label')
    .evaluateAll((cards) =>
      cards.flatMap((card) => {
        const box = card.getBoundingClientRect();
        const words = [...card.querySelectorAll('span')].filter((one) => one.checkVisibility());
        const boxes = words.map((one) => one.getBoundingClientRect());
        return boxes.some(({ top, bottom }) => top < box.top || bottom > box.bottom) ? [card.textContent] : [];
      }),
    );
  expect(await spilled).toEqual([]);
  await page.close();
});

test('pages fit on a phone with text twice as large', async () => {
  const page = await open('/terms', 'mobile');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  for (const path of ['/portfolio', '/fund/investments/new', '/payout', '/solvency', '/btc']) {
    await openAddress(page, path, false);
    const surplus = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft({ path, surplus }).toEqual({ path, surplus: 0 });
  }
  await page.close();
});

test.each([
  ['mobile', 390],
  ['tablet', 900],
  ['desktop', 1440],
])('%s: amounts of twelve digits run neither over each other nor out of their page', async (_, width) => {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  const money =
    /"(primary_wallet|profit_wallet|balance|in_trade|net_worth|deposited|total|realised|on_hold|amount|net)":-?\d+(\.\d+)?/g;
  await page.route(/\/api\/v1\/(auth\/wallet|trading\/portfolio|safe\/withdrwal-hist)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(money, '"$1":123456789012.345678');
    await route.fulfill({ response, body });
  });
  for (const path of ['/portfolio', '/fund', '/fund/withdrawal', '/dashboard']) {
    await openAddress(page, path, true);
    await page.getByText('$123,456,789,012.3457').first().waitFor();
    const surplus = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect({ path, surplus, spilled: await page.evaluate(spilled) }).toEqual({ path, surplus: 0, spilled: [] });
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
});

test.each([320, 390, 768, 992, 1024, 1280])(
  'balances of ten digits leave their room to the mode at %i px',
  async (width) => {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 600 });
    await page.routeWebSocket(/./, () => {});
    await page.route('**/api/v1/auth/wallet-balance', (route) =>
      route.fulfill({
        json: { status: 'success', data: { primary_wallet: 1234567890.1234, profit_wallet: 1234567890.1234 } },
      }),
    );
    await page.goto('/privacy');
    await page.getByText('$1,234,567,890.1234').first().waitFor();
    await page.locator('header').getByText(/UTC/).filter({ visible: true }).waitFor();
    const look = await page.locator('header').evaluate((header) => {
      const boxes = [...header.children].map((part) => part.getBoundingClientRect()).filter((box) => box.height > 0);
      return {
        surplus: document.documentElement.scrollWidth - window.innerWidth,
        tall: boxes.filter((box) => box.height > 44).length,
        // The touch targets of bell and avatar meet.
        over: boxes.filter((box, index) => index > 0 && box.left < (boxes[index - 1] as DOMRect).right - 8).length,
      };
    });
    expect(look).toEqual({ surplus: 0, tall: 0, over: 0 });
    await page.close();
  },
);

test('at 320 px the address of a withdrawal stays in its row', async () => {
  const page = await open('/fund/withdrawal-history', 'mobile');
  await page.setViewportSize({ width: 320, height: 640 });
  const parts = page.locator('main li small').filter({ visible: true });
  await parts.first().waitFor();
  expect(await parts.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0);
  await page.close();
});

test('at 320 px the figures of an asset stand on one line, however long their labels', async () => {
  const page = await open('/btc', 'mobile');
  await page.setViewportSize({ width: 320, height: 640 });
  const tops = page
    .locator('[aria-labelledby="asset-name"] dd')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(await tops).size).toBe(1);
  await page.close();
});

test('on a tablet no card of a page in pairs stands alone in half a row', async () => {
  const page = await open('/dashboard');
  await page.setViewportSize({ width: 900, height: 900 });
  const ends = page
    .locator('main [data-pairs]')
    .evaluate((pairs) => [pairs, pairs.lastElementChild as Element].map((one) => one.getBoundingClientRect().right));
  const [column, last] = await ends;
  expect(last).toBe(column);
  await page.close();
});
