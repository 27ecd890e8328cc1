import { describe, expect, test } from 'vitest';
import { ADDRESS } from '../../../test/withdrawals.ts';
import { askedStateOf, liveStep } from './requested-state.ts';

const code = {
  sentTo: 'a•••@example.com',
  expiresAt: '2026-03-04T13:15:00Z',
  resendAt: '2026-03-04T13:06:00Z',
  delayed: false,
};
const destination = { network: 'TRC20', address: ADDRESS } as const;
const asked = { ...destination, amount: 500, fee: 5, net: 495, walletType: 'profit' } as const;

describe('what stands in the history of the browser', () => {
  test('is taken when it is whole', () => {
    const state = { withdrawal: { asked, code }, address: { asked: destination, code } };
    expect(askedStateOf(state)).toEqual(state);
  });

  test.each([
    [null],
    ['text'],
    [{ withdrawal: null, address: 7 }],
    [{ withdrawal: { asked }, address: { asked: destination } }],
    [{ withdrawal: { asked: { ...asked, amount: '500' }, code } }],
    [{ withdrawal: { asked: { ...asked, walletType: 'savings' }, code } }],
    [{ withdrawal: { asked: { ...asked, network: 'DOGE' }, code } }],
    [{ withdrawal: { asked, code: { ...code, delayed: undefined } } }],
    [{ address: { asked: { network: 'TRC20' }, code } }],
  ])('is not believed as %j', (state) => {
    expect(askedStateOf(state)).toEqual({});
  });
});

describe('a code that was mailed before', () => {
  const last = { asked, code };
  const before = Date.parse(code.expiresAt) - 1;

  test('serves the same operation while it is valid', () => {
    expect(liveStep(last, { ...asked }, before)).toBe(last);
  });

  test('serves no other amount, wallet or address, and none after it has expired', () => {
    expect(liveStep(last, { ...asked, amount: 501 }, before)).toBeUndefined();
    expect(liveStep(last, { ...asked, walletType: 'primary' }, before)).toBeUndefined();
    expect(liveStep(last, { ...asked, address: `${ADDRESS}x` }, before)).toBeUndefined();
    expect(liveStep(last, asked, before + 1)).toBeUndefined();
    expect(liveStep(undefined, asked, before)).toBeUndefined();
  });
});
