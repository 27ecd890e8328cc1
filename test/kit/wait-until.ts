import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Polls a condition. @returns whether it became true in time */
export async function waitUntil(isSo: () => Promise<boolean>, timeoutMs: number, pauseMs = 20): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (await isSo()) return true;
    await sleep(pauseMs);
  }
  return false;
}

/** The same, but throws on a timeout. */
export async function waitFor(isSo: () => Promise<boolean>, what: string, timeoutMs = 60_000): Promise<void> {
  assert(await waitUntil(isSo, timeoutMs, 50), `It never came that ${what}`);
}
