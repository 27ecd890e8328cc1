import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.ts';

test('calls during a run share one further run, and two never overlap', async () => {
  let runs = 0;
  let running = 0;
  let maxRunning = 0;
  const ask = singleFlight(async () => {
    runs += 1;
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await Promise.resolve();
    running -= 1;
  });
  await Promise.all([ask(), ask(), ask(), ask()]);
  expect({ runs, maxRunning }).toEqual({ runs: 2, maxRunning: 1 });
});

test('a caller waits for a run that began after its call, also when the previous one failed', async () => {
  const order: string[] = [];
  let fails = true;
  const ask = singleFlight(async () => {
    await Promise.resolve();
    order.push('run');
    if (!fails) return;
    fails = false;
    throw new Error('first');
  });
  const first = ask().catch((error: Error) => order.push(error.message));
  await ask().then(() => order.push('second'));
  await first;
  expect(order).toEqual(['run', 'first', 'run', 'second']);
});
