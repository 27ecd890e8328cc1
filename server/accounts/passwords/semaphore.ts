import { Refused } from '#server/refused.ts';

/** Work that runs a few at a time, first come first served. Refuses `not_ready` when too much waits already. */
export function createSemaphore(limits: { readonly mostRunning: number; readonly mostWaiting: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running < limits.mostRunning) running += 1;
    else if (waiting.length >= limits.mostWaiting) throw new Refused('not_ready', { retryAfterSeconds: 5 });
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed on, not given back, so that nobody new slips in before who waits.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
