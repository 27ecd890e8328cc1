import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { sizes } from './browser.ts';
import { watch } from './stage.ts';

/** The narrowest supported screen. */
const PHONE = { width: 320, height: 640 } as const;

/**
 * Loads each page without errors on a desktop, checks that it fits there, on a phone and at 320 px, and runs axe: on
 * the desktop in both themes, on the phone in the second one.
 */
export async function checkPages(context: BrowserContext, paths: readonly string[]): Promise<void> {
  const page = await context.newPage();
  const faults = watch(page);
  for (const [index, path] of paths.entries()) {
    await openAddress(page, path, index === 0);
    const look = await lookOver(page);
    expect({ path, faults: faults.splice(0), ...look }).toEqual({
      path,
      faults: [],
      surplus: 0,
      found: [],
      moving: [],
    });
  }
  await page.close();
}

/** Checks a dialog or step without its own address: axe in both themes, and the layout at 320 px. */
export async function checkStep(page: Page, where: string): Promise<void> {
  await page.waitForFunction(isStill);
  const found = [...(await findFaults(looking(page))), ...(await findFaultsOfOtherTheme(page))];
  const surplus = await measureAt(page, PHONE);
  expect({ where, found, surplus }).toEqual({ where, found: [], surplus: 0 });
}

async function lookOver(page: Page): Promise<{ surplus: number; found: string[]; moving: string[] }> {
  const found = [...(await findFaults(looking(page))), ...(await findUnnamedIcons(page)), ...(await findTight(page))];
  const moving = await findMoving(page);
  const surplus = await measure(page);
  await turnTheme(page);
  found.push(...(await findColourFaults(page)));
  const narrow = await lookOnPhone(page);
  await turnTheme(page);
  return { surplus: Math.max(surplus, narrow.surplus), found: [...found, ...narrow.found], moving };
}

/** Screen readers announce an icon that is neither named nor hidden as an image. */
const findUnnamedIcons = (page: Page): Promise<string[]> =>
  page
    .locator('.tabler-icon:not([aria-hidden="true"] *, [aria-hidden="true"], [aria-label], [role="img"] *)')
    .evaluateAll((all) =>
      all.map(({ parentElement, classList }) => `unnamed icon: ${parentElement?.className} ${classList}`),
    );

/** Lines that overlap where the browser's text is twice as large. */
const findTight = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    const hasText = ({ childNodes }: Element) =>
      [...childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim());
    const tight = [...document.body.querySelectorAll('*')].filter((one) => {
      const { fontSize, lineHeight } = getComputedStyle(one);
      return Number.parseFloat(lineHeight) < Number.parseFloat(fontSize) && hasText(one);
    });
    document.documentElement.style.fontSize = '';
    return tight.map(({ className, textContent }) => `lines of ${className} overlap: ${textContent}`);
  });

/** Animations that continue with reduced motion. */
async function findMoving(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = await page.evaluate(() =>
    document.getAnimations().flatMap((one) => (one instanceof CSSAnimation ? [one.animationName] : [])),
  );
  await page.emulateMedia({ reducedMotion: null });
  return moving;
}

/** Resizes the open page to a phone and back, as resizing the window does. */
async function lookOnPhone(page: Page): Promise<{ surplus: number; found: string[] }> {
  await markGone(page);
  await page.setViewportSize(sizes.mobile);
  await settle(page);
  const found = await findFaults(looking(page));
  const surplus = Math.max(await measure(page), await measureAt(page, PHONE));
  await page.setViewportSize(sizes.desktop);
  return { surplus, found: found.map((one) => `on a phone: ${one}`) };
}

/** Loads the first page, and navigates to the others from it as a link does. */
export async function openAddress(page: Page, path: string, isFirst: boolean): Promise<void> {
  watchRequests(page);
  if (isFirst) await page.goto(path);
  else {
    await markGone(page);
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  }
  await settle(page);
  await page.evaluate(() => document.fonts.ready);
}

/** The requests of each page that are not answered yet. */
const unanswered = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  if (unanswered.has(page)) return;
  const requests = new Set<Request>();
  unanswered.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Waits until the page at the address is drawn: its code may still be loading while the page before it is shown. */
async function settle(page: Page): Promise<void> {
  do {
    await page.waitForFunction(isQuiet, undefined, { polling: 100 });
    // Runs after what is still being rendered.
    await page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }));
  } while (unanswered.get(page)?.size || !(await page.evaluate(isQuiet)));
}

/** `isQuiet` then waits for what is loaded from now on. */
const markGone = (page: Page) =>
  page.evaluate(() => {
    performance.clearResourceTimings();
    performance.mark('gone');
  });

/** Nothing was loaded recently, nothing is marked as loading, and the page has its heading. */
const isQuiet = () => {
  const entries = [...performance.getEntriesByType('resource'), ...performance.getEntriesByName('gone')];
  const ends = entries.map((entry) => entry.startTime + entry.duration);
  return (
    document.readyState === 'complete' &&
    document.querySelector('[aria-busy="true"]') === null &&
    document.querySelector('h1') !== null &&
    performance.now() - Math.max(0, ...ends) > 150
  );
};

/**
 * Nothing is fading in, when its colours belong to no theme, or is about to: a dialog starts invisible. What lasts longer,
 * like the time of a toast and the dot of an open session, is no fade.
 */
const isStill = () =>
  document.getAnimations().every(({ effect }) => Number(effect?.getComputedTiming().endTime) > 1_000) &&
  [...document.querySelectorAll('[role="dialog"]')].every((one) => getComputedStyle(one).opacity === '1');

/** Resizes the open page, as resizing its window does, until scripts have adjusted the layout. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** The horizontal overflow of the page in px. */
const measure = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));

const LOOKS = 50;

/** The same at another screen size, after scripts have adjusted the layout. */
async function measureAt(page: Page, other: { width: number; height: number }): Promise<number> {
  const size = page.viewportSize();
  await page.setViewportSize(other);
  let surplus = await measure(page);
  for (let look = 0; surplus > 0 && look < LOOKS; look += 1) {
    await page.waitForTimeout(100);
    surplus = await measure(page);
  }
  if (size !== null) await page.setViewportSize(size);
  return surplus;
}

// Legacy mode avoids the second, empty page that axe opens to merge the results of frames.
const looking = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

async function findFaults(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

async function findFaultsOfOtherTheme(page: Page): Promise<string[]> {
  await turnTheme(page);
  const found = await findColourFaults(page);
  await turnTheme(page);
  return found;
}

/** The themes differ in colours only. */
const findColourFaults = async (page: Page): Promise<string[]> =>
  (await findFaults(looking(page).withRules(['color-contrast']))).map((one) => `in the other theme: ${one}`);

/** Buttons fade between themes through colours of neither, so the transitions are finished at once. */
const turnTheme = (page: Page) =>
  page.evaluate(() => {
    const { dataset } = document.documentElement;
    dataset.mantineColorScheme = dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) animation.finish();
    }
  });
