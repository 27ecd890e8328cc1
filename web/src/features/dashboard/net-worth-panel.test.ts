import { describe, expect, test } from 'vitest';
import { sinceLastSession, worthParts } from './net-worth-panel.tsx';

const point = (value: number, put_in: number) => ({ time: '2026-03-04T00:00:00Z', value, put_in });

describe('sinceLastSession', () => {
  test.each([
    ['a gain', [point(9600, 9000), point(9700, 9000)], 100],
    ['a deposit is not a gain', [point(9600, 9000), point(9700, 9100)], 0],
    ['a deposit and a loss', [point(9600, 9000), point(9650, 9100)], -50],
    ['a withdrawal is not a loss', [point(9600, 9000), point(9300, 8700)], 0],
  ])('%s', (_, equity, result) => {
    expect(sinceLastSession(equity)?.result).toBe(result);
  });

  test('the percentage is of the net worth at that time, and unknown when that was zero', () => {
    expect(sinceLastSession([point(1000, 900), point(1010, 900)])?.percent).toBe(1);
    expect(sinceLastSession([point(0, 0), point(10, 5)])?.percent).toBeNull();
  });

  test('a single point has nothing to compare with', () => {
    expect(sinceLastSession([point(1, 1)])).toBeNull();
    expect(sinceLastSession([])).toBeNull();
  });
});

describe('worthParts', () => {
  const wallet = (balance: number, in_trade = 0, held = 0) => ({ balance, in_trade, held });
  const values = (parts: ReturnType<typeof worthParts>) => parts.map(({ label, value }) => [label, value]);

  test('parts add up to the net worth, including unrealised P&L', () => {
    const parts = worthParts(1010, { primary: wallet(600, 300), profit: wallet(100) }, 0);
    expect(values(parts)).toEqual([
      ['Primary wallet', 600],
      ['Profit wallet', 100],
      ['Value of trades', 310],
    ]);
  });

  test('without trades and holds there are only the two wallets', () => {
    expect(values(worthParts(50, { primary: wallet(50), profit: wallet(0) }, 0))).toEqual([
      ['Primary wallet', 50],
      ['Profit wallet', 0],
    ]);
  });

  test('plans are a part of their own, whether in a trade or not', () => {
    const parts = worthParts(1000, { primary: wallet(600), profit: wallet(100) }, 300);
    expect(values(parts).slice(2)).toEqual([['Value of plans', 300]]);
    const trading = worthParts(1000, { primary: wallet(500, 200), profit: wallet(0) }, 310);
    expect(values(trading).slice(2)).toEqual([
      ['Value of trades', 190],
      ['Value of plans', 310],
    ]);
  });

  test('money on hold is a part of its own', () => {
    const parts = worthParts(100, { primary: wallet(60, 0, 40), profit: wallet(0) }, 0);
    expect(values(parts).at(-1)).toEqual(['On hold', 40]);
  });
});
