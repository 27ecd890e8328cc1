import { expect, test } from 'vitest';
import { batchOf, digestText, type RunDigest } from './run-digest.ts';

const digest: RunDigest = {
  day: '2026-03-04',
  rates: { tradeBps: 40, performanceBps: 1000 },
  marks: [
    { symbol: 'btc', mark: '102.000000000000', closePrice: '101.949000000000' },
    { symbol: 'eth', mark: '98.000000000000', closePrice: '97.951000000000' },
  ],
  batches: [
    {
      symbol: 'btc',
      side: 'buy',
      quantity: '0.02',
      cost: '1000.5',
      coins: '0.02',
      dollars: '1001.5005',
      buyPrice: '50100.062512500000',
      sellPrice: '-',
    },
  ],
  blocks: ['9f86', 'd081'],
};

test('a run digest has a line for each input and result', () => {
  expect(digestText(digest)).toBe(
    [
      'session 2026-03-04',
      'rates 40 1000',
      'mark btc 102.000000000000 101.949000000000',
      'mark eth 98.000000000000 97.951000000000',
      'batch btc buy 0.02 1000.5 0.02 1001.5005 50100.062512500000 -',
      'block 9f86',
      'block d081',
      '',
    ].join('\n'),
  );
});

test('a session without open trades has only its day', () => {
  expect(digestText({ day: '2026-03-04', rates: null, marks: [], batches: [], blocks: [] })).toBe(
    'session 2026-03-04\nrates none\n',
  );
});

test.each([
  [1n, { no: 0n, after: -1n, upTo: 4095n }],
  [4095n, { no: 0n, after: -1n, upTo: 4095n }],
  [4096n, { no: 1n, after: 4095n, upTo: 8191n }],
  [5000n, { no: 1n, after: 4095n, upTo: 8191n }],
])('member %s is in its batch', (memberId, block) => {
  expect(batchOf(memberId)).toEqual(block);
});
