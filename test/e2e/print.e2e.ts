import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { operatorPaths } from '../../web/src/ui/paths.ts';
import { openAddress } from './page-checks.ts';
import { openStage } from './stage.ts';
import { enterCode, signInAs } from './steps.ts';
import { openDemoWorld } from './world-in-process.ts';

/** Pages on paper, from the dark theme: a sheet of A4 within the margins of a browser. */
const SHEET = { width: 718, height: 1047 } as const;

const stage = openStage(() => openDemoWorld('print', { JOBS: 'off' }));

test('a member prints pages in light colours, without what is around them', async () => {
  const { page, close } = await stage.openPage({ viewport: SHEET, colorScheme: 'dark' });
  await signInAs(page);
  for (const path of ['/dashboard', '/portfolio', '/solvency', '/query/1', '/fund/transaction-history']) {
    await checkOnPaper(page, path);
    if (path === '/portfolio') expect(await page.locator('main canvas').count()).toBeGreaterThan(0);
  }
  await openAddress(page, '/fund/statement', true);
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate(readPaper)).toMatchObject(paper);
  await close();
});

test('an operator prints a list in whole, with what is open beside it below', async () => {
  const { page, close } = await stage.openPage({ viewport: SHEET, colorScheme: 'dark' });
  const { email, secret } = await makeOperator(stage.world.context, 'admin');
  await page.goto(operatorPaths.signIn);
  await page.getByLabel('Email id').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(OPERATOR_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterCode(page, stage.world.nextCode(secret));
  await page.waitForURL(`**${operatorPaths.console}/overview`);
  for (const path of ['overview', 'reserves', 'ledger', 'deposits']) {
    await checkOnPaper(page, `${operatorPaths.console}/${path}`);
  }
  await close();
});

/** The root's colour is that of the margins as well. */
const paper = { scheme: 'light', root: 'rgb(255, 255, 255)', body: 'rgb(255, 255, 255)', bars: 'exact' };

async function checkOnPaper(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: null });
  await openAddress(page, path, true);
  await page.emulateMedia({ media: 'print' });
  const around = page.locator(':is(nav, header :is(a, button, input), [href="#page"]):visible');
  expect.soft({ path, around: await around.count() }).toEqual({ path, around: 0 });
  // The mode is never hidden.
  expect.soft(await page.locator('header [data-mode]:visible').count()).toBe(1);
  expect.soft({ path, ...(await page.evaluate(readPaper)) }).toEqual({ path, ...paper, dark: 0, kept: [], surplus: 0 });
}

/** `bars`: whether backgrounds are printed. `dark`: charts in the colours of the dark theme. `kept`: what is repeated on each sheet or keeps what is beyond its edge from the next one. */
const readPaper = () => {
  const root = getComputedStyle(document.documentElement);
  const inPage = [...document.querySelectorAll('main, main *')].filter((one) => one.checkVisibility());
  return {
    scheme: root.colorScheme,
    root: root.backgroundColor,
    body: getComputedStyle(document.body).backgroundColor,
    bars: root.printColorAdjust,
    dark: inPage.filter((one) => one.tagName === 'CANVAS' && getComputedStyle(one).filter === 'none').length,
    kept: inPage.flatMap((one) => {
      const { position, overflowY } = getComputedStyle(one);
      const isKept = position === 'fixed' || (/auto|scroll/.test(overflowY) && one.querySelector('table') !== null);
      return isKept ? [one.outerHTML.slice(0, 100)] : [];
    }),
    surplus: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
  };
};
