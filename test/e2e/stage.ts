import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser, sizes } from './browser.ts';

export type Opened = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page. */
  readonly faults: string[];
  readonly close: () => Promise<void>;
};

type Server = { readonly origin: string; readonly stop: () => Promise<unknown> };

/** A server for all tests of a file, and a browser that uses it. */
export function openStage<World extends Server>(open: () => Promise<World>) {
  const stage = {} as { world: World; browser: Browser };
  beforeAll(async () => {
    [stage.world, stage.browser] = await Promise.all([open(), openBrowser()]);
  });
  afterAll(async () => {
    // Either may be missing; the error of its start is the one to show.
    await stage.browser?.close();
    await stage.world?.stop();
  });
  /** Opens a page in a new browser context, on a desktop screen by default. */
  const openPage = async (options: BrowserContextOptions = {}): Promise<Opened> => {
    const settings = { viewport: sizes.desktop, baseURL: stage.world.origin, acceptDownloads: true };
    const context = await stage.browser.newContext({ ...settings, ...options });
    // On a busy machine a step is late, not wrong.
    context.setDefaultTimeout(90_000);
    const page = await context.newPage();
    return { context, page, faults: watch(page), close: () => context.close() };
  };
  return Object.assign(stage, { openPage });
}

/** Collects errors of scripts and of the console. */
export function watch(page: Page, faults: string[] = []): string[] {
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url})`);
  });
  return faults;
}
