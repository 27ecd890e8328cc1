import { describe, expect, test } from 'vitest';
import { inLanguage } from '../../../test/in-language.ts';
import { disabledReason, findTradeError, type TradeDraft } from './check-trade.ts';

const draft = (change: Partial<TradeDraft>): TradeDraft => ({
  tradeId: 'btc',
  typed: '50',
  walletType: 'primary',
  ...change,
});

describe('findTradeError', () => {
  test.each<[string, Partial<TradeDraft>, string | undefined]>([
    ['no asset comes first, whatever the amount', { tradeId: null, typed: '' }, 'Please select a trade.'],
    ['no asset comes before a small amount', { tradeId: null, typed: '1' }, 'Please select a trade.'],
    ['an empty amount from the primary wallet', { typed: '' }, 'Min amount for trade is 5$.'],
    ['an empty amount from the profit wallet', { typed: '', walletType: 'profit' }, 'Min amount for trade is 1$.'],
    ['just under the primary minimum', { typed: '4.999999' }, 'Min amount for trade is 5$.'],
    ['the primary minimum itself', { typed: '5' }, undefined],
    ['one dollar from the profit wallet', { typed: '1', walletType: 'profit' }, undefined],
    ['just under the profit minimum', { typed: '0.99', walletType: 'profit' }, 'Min amount for trade is 1$.'],
    ['one dollar from the primary wallet', { typed: '1' }, 'Min amount for trade is 5$.'],
    ['a grouping comma, which others read as a decimal point', { typed: '5,000' }, 'Enter an amount in numbers.'],
    ['an exponent', { typed: '1e3' }, 'Enter an amount in numbers.'],
    ['a negative amount', { typed: '-50' }, 'An amount cannot be negative.'],
    ['more decimals than six', { typed: '50.0000001' }, 'An amount has at most 6 decimals.'],
  ])('%s', (_, change, message) => {
    expect(findTradeError(draft(change))?.message).toBe(message);
  });

  test('is in the language of the page', async () => {
    const catalogue = { 'Please select a trade.': 'Trade?', 'Min amount for trade is 5$.': 'Mindestens 5$.' };
    const translated = await inLanguage(catalogue, () => import('./check-trade.ts'));
    const messages = [draft({ tradeId: null }), draft({ typed: '1' })].map(
      (one) => translated.findTradeError(one)?.message,
    );
    expect(messages).toEqual(Object.values(catalogue));
  });

  test('names the field to focus', () => {
    expect(findTradeError(draft({ tradeId: null }))?.field).toBe('tradeId');
    expect(findTradeError(draft({ typed: '0' }))?.field).toBe('amount');
  });
});

describe('disabledReason', () => {
  test.each<[string, number | undefined, number | null, string | null]>([
    ['an unknown balance', undefined, 50, 'Reading your balances.'],
    ['an empty wallet, before the amount is looked at', 0, null, 'Your Primary Wallet is empty.'],
    ['an amount above the balance', 100, 100.000001, 'Insufficient balance.'],
    ['an amount equal to the balance', 100, 100, null],
    ['no amount yet: pressing says what is missing', 100, null, null],
    ['an amount under the minimum: pressing says so', 100, 1, null],
  ])('%s', (_, balance, amount, reason) => {
    expect(disabledReason(balance, amount, 'Primary Wallet', { frozen: false, pause: null, halt: null })).toBe(reason);
  });

  test('a frozen account comes first, then the member’s pause, then a halt of trading, in the operator’s words', () => {
    const halt = { reason: 'An exchange is down.', at: '2026-03-04T14:00:00Z' };
    const reason = (frozen: boolean, pause: string | null) =>
      disabledReason(0, 50, 'Primary Wallet', { frozen, pause, halt });
    expect(reason(true, 'Paused.')).toBe('Your account is frozen. Please write to support.');
    expect(reason(false, 'Paused.')).toBe('Paused.');
    expect(reason(false, null)).toBe('Trading is halted: An exchange is down.');
  });
});
