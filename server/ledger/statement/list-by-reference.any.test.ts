import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openTestDatabase } from '#test/database.ts';
import { house, marketAt, of, openMembers, postAll, postOne, transfer } from '../ledger-world.test-setup.ts';
import { reverse } from '../posting/reverse.ts';
import { listTransfersOf } from './list-by-reference.ts';

let database: Database;
const place = (trade: number, amountMicros: bigint) =>
  transfer({
    key: `trade/${trade}/place`,
    from: of(1n, 'primary'),
    to: of(1n, 'trade_escrow'),
    amountMicros,
    reason: 'trade_place',
    reference: `trade ${trade}`,
  });

beforeAll(async () => {
  database = await openTestDatabase();
  await openMembers(database.db, [1n]);
  await postAll(database.db, [
    transfer({ key: 'd', from: house('gateway'), to: of(1n, 'primary'), amountMicros: 1000n, reason: 'deposit' }),
    place(12, 100n),
    place(120, 200n),
    place(1, 300n),
    transfer({
      key: 'trade/12/fee',
      from: of(1n, 'trade_escrow'),
      to: house('trade_fees'),
      amountMicros: 4n,
      reason: 'trade_fee',
      reference: 'trade 12',
    }),
    // Booked for many trades together, under the key of the last.
    transfer({
      key: 'trade/12/venue_fund',
      from: house('venue'),
      to: house('gateway'),
      amountMicros: 96n,
      reason: 'venue_fund',
      reference: 'trades 1 to 12',
    }),
  ]);
});
afterAll(() => database.close());

const list = (trade: number) =>
  listTransfersOf(database.db, { keyPrefix: `trade/${trade}`, reference: `trade ${trade}` });

test('all transfers of one thing, in their order, with both accounts and the balances that are a member’s', async () => {
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

test('a longer number that begins alike is another thing', async () => {
  expect((await list(120)).map(({ amountMicros }) => amountMicros)).toEqual([200n]);
  expect((await list(1)).map(({ amountMicros }) => amountMicros)).toEqual([300n]);
  expect(await list(2)).toEqual([]);
});

test('what was reversed is followed by its reversal', async () => {
  const posted = await postOne(database.db, place(7, 50n));
  await inTransaction(database.db, (tx) =>
    reverse(tx, { transferId: posted.id, key: 'undo 7', reference: 'undo', marketAt, note: 'test' }),
  );
  expect((await list(7)).map(({ from, to, reason }) => [from, to, reason])).toEqual([
    ['primary', 'trade_escrow', 'trade_place'],
    ['trade_escrow', 'primary', 'reversal'],
  ]);
});
