import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { demoPassword, demoPeople } from '#server/demo/people.ts';

/** In px; up to here it is a phone. */
const NARROW = 400;
/** The narrowest that pages are made for. */
const PHONE = { width: 320, height: 640 } as const;

/** Anika Rao of the demo world, in a browser that shows this theme. */
export async function signInAnika(context: BrowserContext, theme: 'dark' | 'light'): Promise<void> {
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

/**
 * Every page loads without a fault, fits the screen (one of a phone at 320 px, too), and axe finds nothing: on a wide
 * screen the colours of both themes are looked at.
 */
export async function checkPages(context: BrowserContext, paths: readonly string[]): Promise<void> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  for (const [index, path] of paths.entries()) {
    await open(page, path, index === 0);
    const look = await lookOver(page);
    expect({ path, faults: faults.splice(0), ...look }).toEqual({ path, faults: [], surplus: 0, found: [] });
  }
  await page.close();
}

/** A dialog or a step that has no address of its own: axe finds nothing in either theme, and all fits at 320 px. */
export async function checkStep(page: Page, where: string): Promise<void> {
  const found = [...(await findFaults(looking(page))), ...(await findFaultsOfOtherTheme(page))];
  const surplus = await measureAt(page, PHONE);
  expect({ where, found, surplus }).toEqual({ where, found: [], surplus: 0 });
}

async function lookOver(page: Page): Promise<{ surplus: number; found: string[] }> {
  const isWide = (page.viewportSize()?.width ?? 0) > NARROW;
  const found = await findFaults(looking(page));
  if (isWide) found.push(...(await findFaultsOfOtherTheme(page)));
  const surplus = isWide ? await measure(page) : Math.max(await measure(page), await measureAt(page, PHONE));
  return { surplus, found };
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

/** How far the page can be scrolled sideways, in px. */
const measure = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));

/** The same on a screen of another size. */
async function measureAt(page: Page, other: { width: number; height: number }): Promise<number> {
  const size = page.viewportSize();
  await page.setViewportSize(other);
  const surplus = await measure(page);
  if (size !== null) await page.setViewportSize(size);
  return surplus;
}

// Without frames there is nothing that a second, empty page would have to put together.
const looking = (page: Page) => new AxeBuilder({ page }).exclude('#tv-attr-logo').setLegacyMode();

async function findFaults(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

/** Only its colours make one theme differ from the other, and they are the same at each width. */
async function findFaultsOfOtherTheme(page: Page): Promise<string[]> {
  const turn = () =>
    page.evaluate(() => {
      const { dataset } = document.documentElement;
      dataset.mantineColorScheme = dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
    });
  await turn();
  const found = await findFaults(looking(page).withRules(['color-contrast']));
  await turn();
  return found.map((one) => `in the other theme: ${one}`);
}
