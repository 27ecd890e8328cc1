import { expect, test } from 'vitest';
import { stubServer, success } from '../../../test/server.ts';
import { collectTrades } from './export-menu.tsx';

const PATH = 'GET /trading/fetch-user-trade';

test('all pages are loaded, each with the cursor of the one before', async () => {
  const pages = [
    { items: [{ id: '3' }, { id: '2' }], next_cursor: 'after2' },
    { items: [{ id: '1' }], next_cursor: null },
  ];
  const counts: number[] = [];
  const calls = stubServer({ [PATH]: () => success(pages.shift()) });
  const trades = await collectTrades(new AbortController().signal, (count) => counts.push(count));
  expect(trades.map(({ id }) => id)).toEqual(['3', '2', '1']);
  expect(counts).toEqual([2, 3]);
  expect(calls.map(({ url }) => url.split('?')[1])).toEqual(['limit=100', 'limit=100&cursor=after2']);
});

test('a page that fails aborts the export, so that half of the trades are not taken for all', async () => {
  const answers = [
    success({ items: [{ id: '2' }], next_cursor: 'x' }),
    { status: 503, body: { status: 'error', message: 'Not ready.' } },
  ];
  stubServer({ [PATH]: () => answers.shift() ?? {} });
  await expect(collectTrades(new AbortController().signal, () => undefined)).rejects.toThrow('Not ready.');
});
