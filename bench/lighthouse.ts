import lighthouse, { desktopConfig } from 'lighthouse';
import type { BrowserContext } from 'playwright-core';
import { demoPassword, demoPeople } from '#server/demo/people.ts';
import { freePort } from '#test/database/postgres-cluster.ts';
import { openDebuggedBrowser } from '#test/e2e/browser.ts';
import { callApi } from '#test/kit/send-api.ts';
import { startServer } from '#test/kit/server-process.ts';
import { buildWeb } from '../scripts/build.ts';
import { type Figure, median, report } from './report.ts';

const presets = { mobile: { config: undefined, bar: 92 }, desktop: { config: desktopConfig, bar: 95 } } as const;
type Preset = keyof typeof presets;

const pages = [
  { name: 'login', path: '/login', isPublic: true },
  { name: 'register', path: '/register', isPublic: true },
  { name: 'dashboard', path: '/dashboard', isPublic: false },
  { name: 'btc', path: '/btc', isPublic: false },
  { name: 'portfolio', path: '/portfolio', isPublic: false },
] as const;

type Score = { readonly category: string; readonly score: number };
type Look = { readonly scores: readonly Score[]; readonly paintMs: number; readonly failed: readonly string[] };

/**
 * Lighthouse on the built app and the demo world, with the browser from an npm package: the pages people see first, on a
 * phone with a slow connection and on a desktop.
 *
 * @returns whether every figure meets its target
 */
export async function runLighthouseBench(rounds = 1): Promise<boolean> {
  await buildWeb();
  const server = await startServer({ DEMO: '1', JOBS: 'off', RATE_LIMIT: '1000000' }, 170);
  const port = await freePort();
  const browser = await openDebuggedBrowser(port);
  try {
    const figures: Figure[] = [];
    const remarks: string[] = [];
    for (const page of pages) {
      await keepSignIn(browser, server.origin, !page.isPublic);
      for (const preset of Object.keys(presets) as Preset[]) {
        const looks: Look[] = [];
        for (let round = 0; round < rounds; round += 1)
          looks.push(await look(`${server.origin}${page.path}`, port, preset, page.isPublic));
        figures.push(...figuresOf(`${page.name}, ${preset}`, looks, presets[preset].bar));
        remarks.push(remarkOn(`${page.name}, ${preset}`, looks));
      }
    }
    const how = `Medians of ${rounds}. Pages behind sign-in are not for search engines: their SEO is not looked at. Largest contentful paint: ${remarks.join('; ')}.`;
    return report('lighthouse', 'Lighthouse', figures, [how]);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function look(url: string, port: number, preset: Preset, withSeo: boolean): Promise<Look> {
  const onlyCategories = ['performance', 'accessibility', 'best-practices', ...(withSeo ? ['seo'] : [])];
  const flags = { port, hostname: '127.0.0.1', logLevel: 'error', onlyCategories, disableStorageReset: true } as const;
  const result = await lighthouse(url, { ...flags, onlyCategories: [...onlyCategories] }, presets[preset].config);
  if (result === undefined || result.lhr.runtimeError !== undefined)
    throw new Error(`Lighthouse has no result for ${url}: ${result?.lhr.runtimeError?.message}`);
  const { categories, audits } = result.lhr;
  const failed = Object.values(categories)
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0))
    .map(({ id }) => id);
  return {
    scores: Object.values(categories).map(({ id, score }) => ({ category: id, score: Math.round((score ?? 0) * 100) })),
    paintMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    failed,
  };
}

const figuresOf = (where: string, looks: readonly Look[], bar: number): Figure[] =>
  (looks[0]?.scores ?? []).map(({ category }, at) => {
    const measured = median(looks.map(({ scores }) => scores[at]?.score ?? Number.NaN));
    const must = category === 'performance' ? bar : 100;
    return {
      what: `${where}: ${category}`,
      measured,
      unit: 'points',
      value: measured,
      bar: must,
      aim: 100,
      atMost: false,
    };
  });

function remarkOn(where: string, looks: readonly Look[]): string {
  const failed = [...new Set(looks.flatMap((one) => one.failed))];
  const seconds = (median(looks.map(({ paintMs }) => paintMs)) / 1000).toFixed(1);
  return `${where} ${seconds} s${failed.length > 0 ? ` (failed: ${failed.join(', ')})` : ''}`;
}

/** Lighthouse opens its pages in the same browser, with the same storage. */
async function keepSignIn(browser: BrowserContext, origin: string, isSignedIn: boolean): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${origin}/icon.svg`);
  const member = isSignedIn ? await signIn(origin) : undefined;
  await page.evaluate((stored) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, JSON.stringify(value));
  }, member ?? {});
  await page.close();
}

async function signIn(origin: string): Promise<Record<string, unknown>> {
  const body = { loginId: demoPeople[0]?.code, password: demoPassword };
  const { access_token, user } = await callApi<{ access_token: string; user: unknown }>(origin, 'auth/login', { body });
  return { accessToken: access_token, userDetail: user };
}
