import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { marketPairs } from '#contract/rules.ts';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { sizes } from './browser.ts';
import { startDemoServer } from './demo-world.ts';
import { openAddress } from './page-checks.ts';
import { signedInPages, signedOutPages } from './page-list.ts';
import { begin, end, pseudoCatalogue } from './pseudo-language.ts';
import { type Opened, openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/**
 * Pages of the demo world on a phone, in a pseudo-language that is only a file: text not in its letters would stay
 * English in any other language, and text that is cut off would be cut off in German.
 */
const stage = openStage(() => startDemoServer('languages', { JOBS: 'off' }));
let opened: Opened;
beforeAll(async () => {
  opened = await stage.openPage({ viewport: sizes.mobile });
});

test('signed-out pages are translated and fit', async () => {
  await speak(opened.context);
  await checkLanguage(opened.page, signedOutPages);
});

test('signed-in pages are translated and fit', async () => {
  const page = await opened.context.newPage();
  await page.addInitScript(() => localStorage.removeItem('language'));
  await signInAs(page);
  await page.close();
  await speak(opened.context);
  await checkLanguage(opened.page, signedInPages);
});

async function speak(context: BrowserContext): Promise<void> {
  await context.unroute('**/texts/*.json');
  await context.route('**/texts/en-XA.json', (route) => route.fulfill({ json: pseudoCatalogue() }));
  await context.addInitScript(() => localStorage.setItem('language', '"en-XA"'));
}

async function checkLanguage(page: Page, paths: readonly string[]): Promise<void> {
  for (const [index, path] of paths.entries()) {
    await openAddress(page, path, index === 0);
    const { shown, spoken, cut, surplus } = await page.evaluate(readPage);
    const english = [...new Set([shown, ...spoken].flatMap(listEnglish))];
    expect.soft({ path, english, cut, surplus }).toEqual({ path, english: [], cut: [], surplus: 0 });
  }
}

/** Visible text, text for screen readers, text that is cut off, and the width by which the page overflows. */
const readPage = () => {
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
    (one) => one.checkVisibility() && !one.closest('[aria-hidden="true"], [translate="no"], #tv-attr-logo'),
  );
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode())
    if (
      !walker.currentNode.parentElement?.closest(
        'style, script, noscript, textarea[aria-hidden], [translate="no"], #tv-attr-logo',
      )
    )
      texts.push(walker.currentNode.textContent ?? '');
  const ownText = (one: Element) =>
    [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  const isCut = (one: HTMLElement) =>
    ownText(one) &&
    getComputedStyle(one).overflowX !== 'visible' &&
    getComputedStyle(one).overflowX !== 'auto' &&
    one.clientWidth > 1 &&
    one.scrollWidth > one.clientWidth + 1;
  return {
    shown: texts.join(''),
    spoken: elements.flatMap((one) =>
      ['aria-label', 'title', 'placeholder', 'alt'].flatMap((name) => one.getAttribute(name) ?? []),
    ),
    cut: elements.filter(isCut).map((one) => one.textContent),
    surplus: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
  };
};

/** Words outside translated texts that are nobody's name. */
function listEnglish(text: string): string[] {
  let outside = text;
  const translated = new RegExp(`${begin}[^${begin}${end}]*${end}`, 'gu');
  while (translated.test(outside)) outside = outside.replace(translated, ' ');
  return [...outside.replace(data, ' ').matchAll(/\p{L}{3,}/gu)].map(([word]) => word);
}

/** Names of members, coins and networks, texts by operators, and output of `Intl`. */
const months = Array.from({ length: 12 }, (_, month) =>
  ['short', 'long'].map((style) =>
    new Date(Date.UTC(2026, month)).toLocaleString('en-GB', { month: style as 'short', timeZone: 'UTC' }),
  ),
);
const people = demoPeople.flatMap(({ name, code, email }) => [name, ...name.split(' '), code, email]);
const coins = marketPairs.flatMap(({ displayName, apiname }) => [...displayName.split('/'), apiname]);
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const names = [
  ...weekdays,
  'Safari',
  'Linux',
  'tradewind.example',
  ...people,
  ...coins,
  ...months.flat(),
  demoPassword,
  'Tradewind',
  'name@example.com',
  '.example',
  'Devika',
  'TRC20',
  'BEP20',
  'ERC20',
  'UTC',
];
const data = new RegExp(
  [...new Set(names)]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
  'giu',
);
