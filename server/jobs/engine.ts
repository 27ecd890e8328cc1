import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { noteOutage } from '#server/db/outage.ts';

/** One round of something that happens several times a second, too often for a queue. */
export type Loop = {
  readonly name: string;
  readonly pauseMs: number;
  readonly round: (elapsedMs: number) => Promise<unknown>;
};

/**
 * Runs a round, pauses, and so on until stopped. A fault of the database is waited out; any other is logged whole and
 * the next round tries again, because a market that stands still for good is worse than a late one.
 *
 * @returns the function that stops the loop and waits for the round under way
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
