import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as playwright } from 'playwright-core';

// The package's own arguments hold --single-process (dies at the second page) and --disable-web-security (hides faults).
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that comes inside an npm package; nothing else has to be installed. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await chromium.executablePath(), args: ARGS, headless: true });
}

/** The same, which another program may steer from this port; without a folder of its own it keeps nothing. */
export async function openDebuggedBrowser(port: number): Promise<BrowserContext> {
  const args = [...ARGS, `--remote-debugging-port=${port}`];
  return playwright.launchPersistentContext('', { executablePath: await chromium.executablePath(), args });
}

export const sizes = { desktop: { width: 1440, height: 900 }, mobile: { width: 390, height: 844 } } as const;
