import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { noteOutage } from '#server/db/outage.ts';

/** Work that runs several times a second, too often for a queue. */
export type Loop = {
  readonly name: string;
  readonly pauseMs: number;
  readonly round: (elapsedMs: number) => Promise<unknown>;
};

/**
 * Repeats a round and a pause until stopped. It waits out database outages; any other error is logged and the next
 * round retries, because a late market is better than a stopped one.
 *
 * @returns a function that stops the loop and waits for the current round
 */
export function startLoop(context: Context, loop: Loop): () => Promise<void> {
  const stopping = new AbortController();
  const finished = run(context, loop, stopping.signal);
  return async () => {
    stopping.abort();
    await finished;
  };
}

async function run(context: Context, loop: Loop, signal: AbortSignal): Promise<void> {
  let last = performance.now();
  let pauseMs = loop.pauseMs;
  while (!signal.aborted) {
    const now = performance.now();
    try {
      await loop.round(now - last);
      pauseMs = loop.pauseMs;
    } catch (error) {
      if (!noteOutage(context, error)) context.log.error({ err: error, loop: loop.name }, 'loop iteration failed');
      pauseMs = 1000;
    }
    last = now;
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
