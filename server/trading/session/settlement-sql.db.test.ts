import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { runs } from '#test/kit/property-runs.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { DAY, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { formatPrice } from '../core/price.ts';
import { type Settlement, settle, tradeFee } from '../core/settlement.ts';
import { insertClosingMark } from './session-sql.ts';
import { closingBySession, settledColumns, settleTrades } from './settlement-sql.ts';

const database = closeAfterAll(await openTestDatabase());

type Case = { amount: bigint; fee: bigint; openPrice: string; closePrice: string };

/** The SQL of the settlement over cases that are no rows of any table. */
async function settleInSql(cases: readonly Case[], performanceBps: number): Promise<Settlement[]> {
  const trades = sql`
    select ordinal, amount, fee, open_price, close_price
    from unnest(${cases.map((one) => one.amount)}::bigint[], ${cases.map((one) => one.fee)}::bigint[],
      ${cases.map((one) => one.openPrice)}::numeric[], ${cases.map((one) => one.closePrice)}::numeric[])
      with ordinality as given(amount, fee, open_price, close_price, ordinal)`;
  return listRows(database.db)<Settlement>`
    select proceeds, returned, loss, gain, profit, performance_fee as "performanceFee", gross, result
    from (${settledColumns(trades, performanceBps)}) as settled order by ordinal`;
}

const price = fc.bigInt({ min: 1n, max: 10n ** 17n }).map(formatPrice);
const near = fc.bigInt({ min: 99n * 10n ** 10n, max: 101n * 10n ** 10n }).map(formatPrice);
const prices = fc.oneof(
  fc.record({ openPrice: price, closePrice: price }),
  fc.record({ openPrice: near, closePrice: near }),
);
const cases = fc
  .record({ amount: fc.bigInt({ min: 1n, max: 50_000_000_000n }), prices, tradeBps: fc.integer({ min: 0, max: 500 }) })
  .map(({ amount, prices: pair, tradeBps }) => ({ amount, fee: tradeFee(amount, tradeBps), ...pair }))
  // Beyond this a balance would not fit its column: such prices move by more than any market.
  .filter(({ amount, openPrice, closePrice }) => (Number(amount) * Number(closePrice)) / Number(openPrice) < 9e18);

test('SQL and core settle alike, to the micro', async () => {
  const many = fc.array(cases, { minLength: 50, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(many, fc.integer({ min: 0, max: 5000 }), async (trades, performanceBps) => {
      expect(await settleInSql(trades, performanceBps)).toEqual(
        trades.map((trade) => settle({ ...trade, performanceBps })),
      );
    }),
    { numRuns: runs(40) },
  );
});

test('at the very edges: a micro, equal prices, and a quotient that is all but whole', async () => {
  const edges: Case[] = [
    { amount: 1n, fee: 0n, openPrice: '1', closePrice: '1' },
    { amount: 1n, fee: 0n, openPrice: '1', closePrice: '0.999999999999' },
    { amount: 3n, fee: 0n, openPrice: '3', closePrice: '2.999999999999' },
    {
      amount: 9_000_000_000_000_000n,
      fee: 36_000_000_000_000n,
      openPrice: '0.000000000003',
      closePrice: '0.000000000002',
    },
    {
      amount: 9_000_000_000_000_000n,
      fee: 36_000_000_000_000n,
      openPrice: '99999.999999999999',
      closePrice: '99999.999999999998',
    },
  ];
  const settled = await settleInSql(edges, 1000);
  expect(settled).toEqual(edges.map((trade) => settle({ ...trade, performanceBps: 1000 })));
  expect(settled.map(({ proceeds }) => proceeds)).toEqual([1n, 0n, 2n, 5_976_000_000_000_000n, 8_963_999_999_999_999n]);
});

test('a session closes its own trades at its mark, and none among them that an earlier one carried over', async () => {
  const { context, place, play } = await openWorldOfTest({ candle: () => still('100') });
  const [carried, own] = [await place(), await place()];
  await play('13:05:00');
  await sql`update trading.trade set carried = true where id = ${carried.id}`.execute(context.db);
  const markedAt = new Date(`${DAY}T13:05:00Z`);
  await inTransaction(context.db, async (tx) => {
    await insertClosingMark(tx, DAY, { symbol: 'btc', mark: '100', closePrice: '100', isLate: false, markedAt });
    const settling = { day: DAY, closing: closingBySession(DAY), performanceBps: 1000, funding: 'paper' } as const;
    await settleTrades(tx, { after: 0n, upTo: BigInt(own.id) }, settling);
  });
  expect(await listRows(context.db)`select state from trading.trade order by id`).toEqual([
    { state: 'open' },
    { state: 'settled' },
  ]);
});
