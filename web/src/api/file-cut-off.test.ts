import { expect, test, vi } from 'vitest';
import { income } from '#contract/endpoints.ts';
import { CallError, callForFile } from './call.ts';

/** A response whose connection breaks after its first bytes. */
function breakOff() {
  const { promise: broken, resolve: cut } = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async () => {
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('Day,'));
        void broken.then(() => stream.error(new TypeError('network error')));
      },
    });
    return new Response(body);
  });
  return cut;
}

test('a file that is cut off is a call without a response, which its button reports', async () => {
  const cut = breakOff();
  const file = callForFile(income.getPayout, { query: { format: 'csv' } });
  cut();
  await expect(file).rejects.toMatchObject({
    name: 'CallError',
    status: 0,
    message: 'No connection. Please try again.',
  });
});

test('a file whose page was left is not', async () => {
  const cut = breakOff();
  const left = new AbortController();
  const file = callForFile(income.getPayout, { query: { format: 'csv' }, signal: left.signal });
  left.abort();
  cut();
  await expect(file).rejects.not.toBeInstanceOf(CallError);
});
