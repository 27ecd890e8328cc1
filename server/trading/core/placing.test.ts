import { expect, test } from 'vitest';
import { refusePlacing } from './placing.ts';

const fine = {
  isTradable: true,
  amount: 5_000_000n,
  wallet: 'primary' as const,
  isFrozen: false,
  isPaused: false,
  isLossLimitReached: false,
  isHalted: false,
  isAssetHalted: false,
  marketEnded: false,
};

test('the smallest trades of both wallets are accepted', () => {
  expect(refusePlacing(fine)).toBeUndefined();
  expect(refusePlacing({ ...fine, amount: 1_000_000n, wallet: 'profit' })).toBeUndefined();
});

test('with everything wrong, the refusals come in the documented order', () => {
  const wrong = {
    isTradable: false,
    amount: 0n,
    wallet: 'primary' as const,
    isFrozen: true,
    isPaused: true,
    isLossLimitReached: true,
    isHalted: true,
    isAssetHalted: true,
    marketEnded: true,
  };
  expect(refusePlacing(wrong)).toBe('trade_not_selected');
  expect(refusePlacing({ ...wrong, isTradable: true })).toBe('trade_under_primary_minimum');
  expect(refusePlacing({ ...wrong, isTradable: true, amount: 5_000_000n })).toBe('account_frozen');
  expect(refusePlacing({ ...fine, isPaused: true, isLossLimitReached: true, marketEnded: true })).toBe('own_pause');
  expect(refusePlacing({ ...fine, isLossLimitReached: true, marketEnded: true })).toBe('own_loss_limit');
  expect(refusePlacing({ ...fine, isHalted: true, isAssetHalted: true, marketEnded: true })).toBe('trading_halted');
  expect(refusePlacing({ ...fine, isAssetHalted: true, marketEnded: true })).toBe('asset_halted');
  expect(refusePlacing({ ...fine, marketEnded: true })).toBe('replay_ended');
});
