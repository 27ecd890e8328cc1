import type { BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startDemoServer } from './demo-world.ts';
import { openAddress } from './page-checks.ts';
import { openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/** What a high-contrast palette of the system leaves visible: states are told apart without the colours of a theme. */
const stage = openStage(() => startDemoServer('forced_colours', { JOBS: 'off' }));
let context: BrowserContext;
beforeAll(async () => {
  const opened = await stage.openPage();
  ({ context } = opened);
  await signInAs(opened.page);
});

async function open(path: string): Promise<Page> {
  const page = await context.newPage();
  await openAddress(page, path, true);
  return page;
}

test('in forced colours a selection is visible, and not by colour alone', async () => {
  const page = await open('/fund/investments/new');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByText('btc/usdt', { exact: true }).first().click();
  const outlined = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('main label, nav a, [role="tab"]')]
        .filter((one) => one.getClientRects().length > 0 && getComputedStyle(one).outlineStyle === 'solid')
        .map((one) => one.textContent),
    );
  await expect
    .poll(outlined)
    .toEqual(['Investment', 'btc/usdt', 'Primary Wallet'].map((words) => expect.stringContaining(words)));
  await page.goto('/dashboard');
  await expect.poll(outlined).toEqual(['Dashboard', '1M']);
  await page.goto('/rewards');
  const tabs = page.getByRole('navigation', { name: 'Income' }).getByRole('link');
  await tabs.first().waitFor();
  const bordersOf = (all: Element[]) => all.map((one) => getComputedStyle(one).borderBottomStyle);
  expect(new Set(await tabs.evaluateAll(bordersOf))).toEqual(new Set(['none']));
  await page.close();
});

test('in forced colours the bars of a chart and the parts of an allocation keep theirs', async () => {
  const page = await open('/portfolio');
  await page.emulateMedia({ forcedColors: 'active' });
  const colours = await page.evaluate(() =>
    [...document.querySelectorAll('main i[data-tone], main [aria-hidden] > i')].map(
      (one) => getComputedStyle(one).backgroundColor,
    ),
  );
  expect(new Set(colours).size).toBeGreaterThan(4);
  await page.goto('/dashboard');
  const samples = page.locator('main [class*="_parts_"] li i');
  await samples.first().waitFor();
  const drawn = await samples.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  expect(new Set(drawn).size).toBeGreaterThan(3);
  await page.close();
});

test('in forced colours a switch shows its state, and an error has its sign', async () => {
  const page = await open('/profile');
  await page.emulateMedia({ forcedColors: 'active' });
  const colourOf = (part: Locator, pseudo?: string) =>
    part.evaluate((one, which) => getComputedStyle(one, which).backgroundColor, pseudo);
  const switches = page.getByRole('switch');
  const tracks = [switches.and(page.locator(':checked')), switches.and(page.locator(':not(:checked)'))];
  await expect
    .poll(async () => new Set(await Promise.all(tracks.map((one) => colourOf(one.first().locator('+ *'))))).size)
    .toBe(2);
  await page.getByRole('button', { name: 'Change password' }).click();
  const error = page.getByText('Password is required').first();
  await expect.poll(() => colourOf(error, '::before')).not.toBe(await colourOf(page.locator('body')));
  await page.close();
});

test.each(['dark', 'light'] as const)('in forced colours a tick stands out from a %s box', async (colorScheme) => {
  const page = await context.newPage();
  await page.emulateMedia({ forcedColors: 'active', colorScheme });
  await openAddress(page, '/backtest', true);
  const tick = page.getByRole('checkbox', { name: /^Reinvest/ }).locator('+ svg');
  const colourOf = (part: Locator) => part.evaluate((one) => getComputedStyle(one).color);
  expect(await colourOf(tick)).toBe(await colourOf(page.locator('body')));
  await page.close();
});

test('in forced colours the steps that a payment passed differ from those ahead', async () => {
  const page = await open('/fund/withdrawal-history?withdrawal=1');
  await page.emulateMedia({ forcedColors: 'active' });
  const ground = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  const lookOf = (at: string) =>
    page
      .locator(`main li[data-at="${at}"]`)
      .first()
      .evaluate((one, behind) => {
        const [dot, line] = ['::before', '::after'].map((part) => getComputedStyle(one, part));
        const colours = [dot?.backgroundColor, dot?.borderTopColor, line?.backgroundColor];
        return colours.map((colour) => (colour === behind ? 'unseen' : 'seen'));
      }, ground);
  expect(await lookOf('done')).toEqual(['seen', 'seen', 'seen']);
  await openAddress(page, '/fund/deposits', false);
  expect(await lookOf('ahead')).toEqual(['unseen', 'seen', 'seen']);
  await page.close();
});
