import { expect, test } from 'vitest';
import { applyMoves } from './holding-state.ts';

const nothing = { held: '0', membersCash: 0n, venueCash: '0', result: 0n };
const none = { soldCoins: '0', soldCash: 0n };

test('what the exchange moved and members do not pay is the house’s, less coins that it lacks, rounded against it', () => {
  const members = { quantity: '1.0000001', cash: -101_000_000n, ...none };
  expect(applyMoves(nothing, { coins: '1', dollars: '-100.10' }, members, '100.001')).toEqual({
    held: '1',
    // Ten millionths of a dollar and a little: eleven.
    membersCash: -100_999_989n,
    venueCash: '-100.1',
    result: 899_989n,
  });
});

test('what a part of a position brought is its member’s before the rest is sold', () => {
  const bought = { ...nothing, held: '2', membersCash: -200_000_000n, venueCash: '-200' };
  const members = { quantity: '2', cash: -200_000_000n, soldCoins: '1', soldCash: 110_000_000n };
  expect(applyMoves(bought, { coins: '-1', dollars: '111' }, members, '110')).toMatchObject({
    held: '1',
    membersCash: -90_000_000n,
    result: 1_000_000n,
  });
});
