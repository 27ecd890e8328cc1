import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as playwright } from 'playwright-core';

// The package's own arguments add --single-process (dies at the second page) and --disable-web-security (hides faults).
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

/**
 * The package unpacks into the folder of temporary files, where what another user of the machine unpacked cannot be
 * started: each has a folder there.
 */
export function unpackBrowser(): Promise<string> {
  unpacked ??= unpack();
  return unpacked;
}
let unpacked: Promise<string> | undefined;

async function unpack(): Promise<string> {
  const shared = tmpdir();
  const own = join(shared, `tradewind-browser-${userInfo().uid}`);
  mkdirSync(own, { recursive: true });
  process.env.TMPDIR = own;
  try {
    return await chromium.executablePath();
  } finally {
    process.env.TMPDIR = shared;
  }
}

/** The browser of an npm package; nothing else needs to be installed. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await unpackBrowser(), args: ARGS, headless: true });
}

/** The same with a remote debugging port, in a temporary profile. */
export async function openDebuggedBrowser(port: number): Promise<BrowserContext> {
  const args = [...ARGS, `--remote-debugging-port=${port}`];
  return playwright.launchPersistentContext('', { executablePath: await unpackBrowser(), args });
}

export const sizes = { desktop: { width: 1440, height: 900 }, mobile: { width: 390, height: 844 } } as const;
