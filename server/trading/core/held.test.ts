import { expect, test } from 'vitest';
import { heldByWallet } from './held.ts';

test('what is held belongs to the wallet it was taken from', () => {
  expect(
    heldByWallet([
      { reference: 'WD-1', wallet: 'primary', signed: 100n },
      { reference: 'WD-2', wallet: 'profit', signed: 40n },
    ]),
  ).toEqual({ primary: 100n, profit: 40n });
});

test('a withdrawal that was paid, fee and all, or released holds nothing any more', () => {
  expect(
    heldByWallet([
      { reference: 'WD-2', wallet: null, signed: -40n },
      { reference: 'WD-1', wallet: null, signed: -1n },
      { reference: 'WD-1', wallet: null, signed: -99n },
      { reference: 'WD-3', wallet: 'profit', signed: 7n },
      { reference: 'WD-2', wallet: 'profit', signed: 40n },
      { reference: 'WD-1', wallet: 'primary', signed: 100n },
    ]),
  ).toEqual({ primary: 0n, profit: 7n });
});

test('without movements nothing is held', () => {
  expect(heldByWallet([])).toEqual({ primary: 0n, profit: 0n });
});
