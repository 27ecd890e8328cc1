import { expect, test } from 'vitest';
import { ADDRESS } from '../../../test/withdrawals.ts';
import { isDestination, isWithdrawalRequest } from './withdrawal-request.ts';

const destination = { network: 'TRC20', address: ADDRESS };
const asked = { ...destination, amount: 500, fee: 5, net: 495, walletType: 'profit' };

test.each<[value: unknown, withdrawal: boolean, address: boolean]>([
  [asked, true, true],
  [destination, false, true],
  [{ ...asked, amount: '500' }, false, true],
  [{ ...asked, walletType: 'savings' }, false, true],
  [{ ...asked, network: 'DOGE' }, false, false],
  [{ network: 'TRC20' }, false, false],
  [null, false, false],
])('%j is accepted as a withdrawal: %s, as an address: %s', (value, withdrawal, address) => {
  expect([isWithdrawalRequest(value), isDestination(value)]).toEqual([withdrawal, address]);
});
