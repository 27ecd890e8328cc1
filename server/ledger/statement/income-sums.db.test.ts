import { expect, test } from 'vitest';
import { house, of, openLedger, postAll, postOne, reverseOne, transfer } from '../ledger-world.test-setup.ts';
import { listIncomes, sumIncomes, sumIncomesBetween } from './income-sums.ts';
import { listTransfersByKey } from './transfers-by-key.ts';

const level = (key: string, marketAt: string, amountMicros: bigint, memberId = 1n) =>
  transfer(key, house('trade_fees'), of(memberId, 'profit'), amountMicros, 'level_bonus', {
    marketAt: new Date(marketAt),
  });

const database = await openLedger(1n, 2n);
await postAll(database.db, [
  level('feb', '2026-02-27T17:30:00Z', 1n),
  // The last instant of Sunday and the first of Monday: the week begins between them.
  level('sunday', '2026-03-01T23:59:59.999Z', 10n),
  level('monday', '2026-03-02T00:00:00Z', 100n),
  level('today', '2026-03-04T17:30:00Z', 1000n),
  level('other', '2026-03-04T17:30:00Z', 5n, 2n),
  transfer('referral', house('trade_fees'), of(1n, 'profit'), 20_000n, 'referral_bonus', {
    marketAt: new Date('2026-03-04T17:30:00Z'),
  }),
]);
const wrong = await postOne(database.db, level('wrong', '2026-03-04T17:30:00Z', 7n));
await reverseOne(database.db, wrong.id, 'undo', new Date('2026-03-05T00:00:00Z'));

const since = { today: '2026-03-04', week: '2026-03-02', month: '2026-03-01' };
const reasons = ['referral_bonus', 'level_bonus', 'reward'] as const;

test('sums of today, week, month and lifetime by reason: of this member only, by market day, without reversed transfers', async () => {
  expect(await sumIncomes(database.db, 1n, reasons, since)).toEqual({
    referral_bonus: { today: 20_000n, week: 20_000n, month: 20_000n, lifetime: 20_000n },
    level_bonus: { today: 1000n, week: 1100n, month: 1110n, lifetime: 1111n },
    reward: { today: 0n, week: 0n, month: 0n, lifetime: 0n },
  });
});

test.each([
  [{}, 1111n],
  [{ from: '2026-03-02' }, 1100n],
  [{ to: '2026-03-01' }, 11n],
  [{ from: '2026-03-01', to: '2026-03-02' }, 110n],
  [{ from: '2026-03-03', to: '2026-03-03' }, 0n],
])('a period includes its first and last day: %o', async (period, sum) => {
  expect(await sumIncomesBetween(database.db, 1n, ['level_bonus'], period)).toEqual({ level_bonus: sum });
});

test('a list of one reason starts at a day and a cursor, newest first', async () => {
  const list = (query: { to?: string; before?: bigint; limit?: number }) =>
    listIncomes(database.db, { memberId: 1n, reason: 'level_bonus', limit: 10, ...query });
  const all = await list({});
  expect(all.map(({ day, amountMicros }) => [day, amountMicros])).toEqual([
    ['2026-03-04', 1000n],
    ['2026-03-02', 100n],
    ['2026-03-01', 10n],
    ['2026-02-27', 1n],
  ]);
  expect(await list({ to: '2026-03-02' })).toEqual(all.slice(1));
  expect(await list({ before: all[1]?.id as bigint, limit: 1 })).toEqual(all.slice(2, 3));
});

test('transfers are found by their keys, with their reversals, and by no others', async () => {
  expect(
    (await listTransfersByKey(database.db, ['wrong', 'feb', 'never'])).map((t) => [t.reason, t.from, t.to]),
  ).toEqual([
    ['level_bonus', 'trade_fees', 'profit'],
    ['level_bonus', 'trade_fees', 'profit'],
    ['reversal', 'profit', 'trade_fees'],
  ]);
  expect(await listTransfersByKey(database.db, ['fe', 'feb/'])).toEqual([]);
});
