import { expect, test } from 'vitest';
import { house, marketAt, of, openLedger, postAll, postOne, reverseOne, transfer } from '../ledger-world.test-setup.ts';
import { listTransfersOf } from './transfers-by-key.ts';

const place = (trade: number, amountMicros: bigint) =>
  transfer(`trade/${trade}/place`, of(1n, 'primary'), of(1n, 'trade_escrow'), amountMicros, 'trade_place', {
    reference: `trade ${trade}`,
  });

const database = await openLedger(1n);
await postAll(database.db, [
  transfer('d', house('gateway'), of(1n, 'primary'), 1000n, 'deposit'),
  place(12, 100n),
  place(120, 200n),
  place(1, 300n),
  transfer('trade/12/fee', of(1n, 'trade_escrow'), house('trade_fees'), 4n, 'trade_fee', { reference: 'trade 12' }),
  // Booked for many trades together, under the key of the last.
  transfer('trade/12/venue_fund', house('venue'), house('gateway'), 96n, 'venue_fund', { reference: 'trades 1 to 12' }),
]);

const list = (trade: number) =>
  listTransfersOf(database.db, { keyPrefix: `trade/${trade}`, reference: `trade ${trade}` });

test('all transfers of one subject, in order, with both accounts and the member balances', async () => {
  expect(await list(12)).toEqual([
    expect.objectContaining({
      from: 'primary',
      to: 'trade_escrow',
      amountMicros: 100n,
      reason: 'trade_place',
      marketAt,
      fromBalanceAfterMicros: 900n,
      toBalanceAfterMicros: 100n,
    }),
    expect.objectContaining({
      from: 'trade_escrow',
      to: 'trade_fees',
      amountMicros: 4n,
      fromBalanceAfterMicros: 596n,
      toBalanceAfterMicros: null,
    }),
  ]);
});

test('a longer number with the same beginning is another subject', async () => {
  expect((await list(120)).map(({ amountMicros }) => amountMicros)).toEqual([200n]);
  expect((await list(1)).map(({ amountMicros }) => amountMicros)).toEqual([300n]);
  expect(await list(2)).toEqual([]);
});

test('a reversed transfer is followed by its reversal', async () => {
  const posted = await postOne(database.db, place(7, 50n));
  await reverseOne(database.db, posted.id);
  expect((await list(7)).map(({ from, to, reason }) => [from, to, reason])).toEqual([
    ['primary', 'trade_escrow', 'trade_place'],
    ['trade_escrow', 'primary', 'reversal'],
  ]);
});
