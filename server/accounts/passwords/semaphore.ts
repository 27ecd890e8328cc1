import { Refused } from '#server/refused.ts';

/** Limits concurrent work, first come first served. Refuses `not_ready` when the queue is full. */
export function createSemaphore(limits: { readonly maxRunning: number; readonly maxWaiting: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running < limits.maxRunning) running += 1;
    else if (waiting.length >= limits.maxWaiting) throw new Refused('not_ready', { retryAfterSeconds: 5 });
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot goes to the next in the queue, so that no newcomer overtakes it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
