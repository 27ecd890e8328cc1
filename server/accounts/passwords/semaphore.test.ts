import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

function job() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, finish: resolve, fail: reject };
}

test('runs at most the allowed number at a time, the rest in arrival order', async () => {
  const limited = createSemaphore({ maxRunning: 2, maxWaiting: 10 });
  const started: number[] = [];
  const jobs = [job(), job(), job(), job()];
  const ends = jobs.map(({ work }, index) =>
    limited(() => {
      started.push(index);
      return work();
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  jobs[1]?.finish('second');
  await ends[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  jobs[0]?.finish('first');
  jobs[2]?.finish('third');
  jobs[3]?.finish('fourth');
  expect(await Promise.all(ends)).toEqual(['first', 'second', 'third', 'fourth']);
});

test('failing work releases its slot and passes its fault to the caller', async () => {
  const limited = createSemaphore({ maxRunning: 1, maxWaiting: 10 });
  const failing = limited(() => Promise.reject(new Error('broken')));
  const next = limited(() => Promise.resolve('runs'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('runs');
});

test('refuses work when too much is queued, and accepts it again afterwards', async () => {
  const limited = createSemaphore({ maxRunning: 1, maxWaiting: 1 });
  const first = job();
  const ends = [limited(first.work), limited(() => Promise.resolve('waited'))];
  await expect(limited(() => Promise.resolve('too much'))).rejects.toMatchObject({
    code: 'not_ready',
    retryAfterSeconds: 5,
  });
  first.finish('done');
  expect(await Promise.all(ends)).toEqual(['done', 'waited']);
  expect(await limited(() => Promise.resolve('again'))).toBe('again');
});
