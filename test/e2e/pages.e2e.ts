import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestResult } from '#contract/backtest.ts';
import { riskSentence } from '#contract/rules.ts';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { formatSignedMoney } from '../../web/src/shared/format/money.ts';
import type { ServerProcess } from '../server-process.ts';
import { openBrowser } from './browser.ts';
import { startDemoServer } from './demo-world.ts';

/**
 * Every page of the demo world, looked at by machine: it loads without a fault, fits the screen (at
 * 320 px too), and axe finds nothing.
 */
const signedOut = [
  '/',
  '/register',
  '/register?referralCode=TW7K3QMX9D',
  '/forgot-password',
  '/terms',
  '/fees',
  '/not-me',
  '/not-me#a-token-of-nobody',
  '/nowhere/at/all',
];
const signedIn = [
  '/dashboard',
  '/dashboard?trade=btc',
  '/btc',
  '/portfolio',
  '/fund',
  '/fund/deposits',
  '/fund/deposit-history',
  '/fund/withdrawal',
  '/fund/withdrawal?address',
  '/fund/withdrawal-history',
  '/fund/withdrawal-history?withdrawal=1',
  '/fund/transaction-history',
  '/fund/transaction-history?period=days&from=2026-01-01',
  '/fund/statement',
  '/fund/investments',
  '/fund/investments/new',
  '/fund/investments/1',
  '/fund/compounding-withdrawal-history',
  '/backtest',
  '/income/referral-bonus',
  '/income/team-level-bonus',
  '/income/trade-income',
  '/income/weekly-income',
  '/income/monthly-income',
  '/income/team-profit',
  '/income/compounding-income',
  '/rewards',
  '/payout',
  '/team/referral-team',
  '/team/level-team',
  '/team/team-analysis',
  '/query',
  '/query?state=closed',
  '/query/1',
  '/query/new',
  '/query/new?about=trade:1',
  '/solvency',
  '/trades/1',
  '/payment/success',
  '/profile',
  '/privacy',
  '/risk',
  '/unknowncoin',
];

/** In px; up to here it is a phone. */
const NARROW = 400;

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startDemoServer('pages'), openBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.stop();
});

const looks = [
  { name: '1440 dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: '390 light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const;

describe.each(looks)('at $name', (look) => {
  let context: BrowserContext;

  beforeAll(async () => {
    context = await browser.newContext({ ...look, baseURL: server.origin });
  });

  afterAll(() => context.close());

  test('signed out', () => checkPages(context, signedOut));

  test('signed in', async () => {
    await signIn(context, look.colorScheme);
    await checkPages(context, signedIn);
  });
});

test('a backtest: a strategy is chosen and played over stored prices, and shown as the server worked it out', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, baseURL: server.origin });
  await signIn(context, 'dark');
  const page = await context.newPage();
  await page.goto('/fund/investments');
  await page.getByRole('link', { name: 'Backtest' }).click();
  await page.waitForURL('**/backtest');
  await page.getByRole('button', { name: 'Run backtest' }).click();
  await page.getByText('Choose a strategy.').first().waitFor();
  await page.getByText('Session hold', { exact: true }).click();
  await page.getByText('1 week', { exact: true }).click();
  const answered = page.waitForResponse('**/api/v1/trading/backtest');
  await page.getByRole('button', { name: 'Run backtest' }).click();
  const { data } = (await (await answered).json()) as { data: BacktestResult };
  const answer = page.getByRole('region', { name: 'Result of the backtest' });
  await answer.waitFor();
  const words = ((await answer.textContent()) ?? '').replace(/\s+/g, ' ');
  // One trade a session: what is bought at each opening is sold at each close.
  expect(data.stats.trades).toBe(data.sessions.length);
  expect(data.trades.reduce((sum, trade) => sum + Math.round(trade.result * 1e6), 0)).toBe(
    Math.round(data.stats.result * 1e6),
  );
  for (const shown of [formatSignedMoney(data.stats.result), formatSignedMoney(data.stats.hold_result)])
    expect(words).toContain(shown);
  expect(await page.getByText(riskSentence).count()).toBeGreaterThan(0);
  await context.close();
});

test('a token in the address is checked, stored, taken out of the address, and its owner is named', async () => {
  const reply = await fetch(`${server.origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ loginId: demoPeople[0]?.code, password: demoPassword }),
  });
  const { data } = (await reply.json()) as { data: { access_token: string } };
  const context = await browser.newContext({ baseURL: server.origin });
  const page = await context.newPage();
  await page.goto(`/?accessToken=${data.access_token}`);
  await page.waitForURL('**/dashboard');
  expect(page.url()).not.toContain(data.access_token);
  await page.getByText('Signed in as Anika Rao').first().waitFor();
  await context.close();
});

async function signIn(context: BrowserContext, theme: 'dark' | 'light'): Promise<void> {
  const page = await context.newPage();
  await page.goto('/');
  await page.getByLabel('Registered Id').fill(demoPeople[0]?.code.toLowerCase() ?? '');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'SIGN IN' }).click();
  await page.waitForURL('**/dashboard');
  if (theme === 'light') {
    await page.goto('/profile');
    await page.getByText('Light', { exact: true }).click();
  }
  await page.close();
}

/** The first page is loaded, the others are gone to from it as a link does. */
async function open(page: Page, path: string, isFirst: boolean): Promise<void> {
  if (isFirst) await page.goto(path);
  else
    await page.evaluate((to) => {
      performance.clearResourceTimings();
      performance.mark('gone');
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  await page.waitForFunction(isQuiet);
  await page.getByRole('heading').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** Nothing was loaded for a while, and nothing says that it is loading. */
const isQuiet = () => {
  const entries = [...performance.getEntriesByType('resource'), ...performance.getEntriesByName('gone')];
  const ends = entries.map((entry) => entry.startTime + entry.duration);
  return (
    document.readyState === 'complete' &&
    document.querySelector('[aria-busy="true"]') === null &&
    performance.now() - Math.max(0, ...ends) > 150
  );
};

/** How far a page can be scrolled sideways; one that is looked at on a phone also at 320 px. */
async function findSurplus(page: Page): Promise<number> {
  const measure = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const here = await measure();
  const size = page.viewportSize();
  if (size === null || size.width > NARROW) return here;
  await page.setViewportSize({ width: 320, height: 640 });
  const narrow = await measure();
  await page.setViewportSize(size);
  return Math.max(here, narrow);
}

async function checkPages(context: BrowserContext, paths: readonly string[]): Promise<void> {
  const page = await context.newPage();
  const isWide = (page.viewportSize()?.width ?? 0) > NARROW;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  for (const [index, path] of paths.entries()) {
    await open(page, path, index === 0);
    const surplus = await findSurplus(page);
    const found = [...(await lookOver(page)), ...(isWide ? await lookOverInOtherTheme(page) : [])];
    expect({ path, faults: faults.splice(0), surplus: Math.max(0, surplus), found }).toEqual({
      path,
      faults: [],
      surplus: 0,
      found: [],
    });
  }
  await page.close();
}

// Without frames there is nothing that a second, empty page would have to put together.
const looking = (page: Page) => new AxeBuilder({ page }).exclude('#tv-attr-logo').setLegacyMode();

async function lookOver(page: Page, builder = looking(page)): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

/** Only its colours make one theme differ from the other, and they are the same at each width. */
async function lookOverInOtherTheme(page: Page): Promise<string[]> {
  const turn = () =>
    page.evaluate(() => {
      const { dataset } = document.documentElement;
      dataset.mantineColorScheme = dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
    });
  await turn();
  const found = await lookOver(page, looking(page).withRules(['color-contrast']));
  await turn();
  return found.map((one) => `in the other theme: ${one}`);
}
