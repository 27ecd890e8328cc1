import { expect, test } from 'vitest';
import { listValues } from '#server/db/rows.ts';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { closeTrade, followMarket, getPortfolio, getSession } from '../index.ts';

/**
 * btc stands at 100 until 15:00 and at 110 then, until its last minute moves: 110, 108, 112, 111, a quarter each, which
 * is 110.25 on average. eth stands at 50 until 13:00 and at 40 then.
 */
function candle(symbol: string, at: Date): RecordedCandle {
  const time = at.toISOString().slice(11, 16);
  if (symbol === 'eth') return still(time < '13:00' ? '50' : '40');
  if (time < '15:00') return still('100');
  return time === '17:29' ? ['110', '112', '108', '111'] : still('110');
}

const world = closeAfterAll(
  await openTradingWorld({ from: '2026-03-04T00:00:00Z', minutes: 2880, candle, speed: 300 }),
);
type Member = { readonly memberId: bigint };
const { ann } = world;
const bob = await world.member('Bob');

const place = (who: Member, tradeId: string, amount: number) => world.place({ tradeId, amount }, who.memberId);
const list = (who: Member) => world.trades(who.memberId);
const messages = (who: Member) => listValues(world.context.db)<string>`
    select message from notify.notification where member_id = ${who.memberId} and kind = 'session_settled' order by id`;
/** What an asset of the house holds: assets grow when they are debited. */
const held = async (asset: 'venue' | 'gateway') => -(await getHouseBalances(world.context.db))[asset];

test('a trade placed before the opening waits, its amount in escrow', async () => {
  expect(await place(ann, 'btc', 250)).toMatchObject({ state: 'queued', amount: 250, fee: null, live: null });
  await place(bob, 'eth', 100);
  await world.play('12:29:59');
  expect((await list(ann)).map((trade) => trade.state)).toEqual(['queued']);
  expect(await world.balances()).toMatchObject({
    primary: 750_000_000n,
    trade_escrow: 250_000_000n,
  });
  expect(await getSession(world.context)).toMatchObject({ state: 'closed', opens_at: '2026-03-04T12:30:00.000Z' });
});

test('the first tick of the session opens it: fee taken, bought at the mark and half the spread', async () => {
  await world.play('12:31:00');
  expect(await list(ann)).toEqual([
    expect.objectContaining({
      state: 'open',
      fee: 1,
      opened_at: '2026-03-04T12:30:00.000Z',
      open_price: 100.05,
      // 249 × 99.95 ÷ 100.05 = 248.751124…; less 250.
      live: { price: 100, result: -1.248876 },
    }),
  ]);
  expect(await getSession(world.context)).toMatchObject({ state: 'open' });
  // The venue holds what the positions cost: 249 and 99.6.
  expect(await held('venue')).toBe(348_600_000n);
  expect(await held('gateway')).toBe(2_000_000_000n - 348_600_000n);
});

test('a trade placed in the session opens at the first tick after it, never at a mark already known', async () => {
  await world.play('14:00:00');
  await place(ann, 'btc', 100);
  await world.play('14:00:10');
  expect((await list(ann))[0]).toMatchObject({ state: 'queued' });
  await world.play('14:00:15');
  expect((await list(ann))[0]).toMatchObject({
    state: 'open',
    opened_at: '2026-03-04T14:00:15.000Z',
    open_price: 100.05,
  });
  // One that opens alone is named alone.
  expect(
    await listValues(world.context.db)`select reference from ledger.transfer where reason = 'venue_fund' order by id`,
  ).toEqual(['trades 1 to 2', 'trade 3']);
});

test('close now sells at the first tick after the request, and asking twice changes nothing', async () => {
  const id = BigInt((await list(ann))[0]?.id ?? 0);
  await world.play('14:59:50');
  expect(await closeTrade(world.context, ann.memberId, id)).toMatchObject({ state: 'open', closing: true });
  await closeTrade(world.context, ann.memberId, id);
  await world.play('15:00:00');
  // 99.6 × 109.945 ÷ 100.05 = 109.450494… sold; 9.450494 over the amount, a tenth of it is the fee.
  expect((await list(ann))[0]).toMatchObject({
    state: 'settled',
    closing: false,
    closed_at: '2026-03-04T15:00:00.000Z',
    close_price: 109.945,
    close_reason: 'close_now',
    gross: 9.850494,
    performance_fee: 0.945049,
    result: 8.505445,
  });
  expect(await world.balances()).toMatchObject({
    primary: 750_000_000n,
    profit: 8_505_445n,
    trade_escrow: 249_000_000n,
  });
});

test('at the close everything is sold at the average of the last minute', async () => {
  await world.play('17:30:00');
  // 110.25 × 0.9995 = 110.194875; 249 × 110.194875 ÷ 100.05 = 274.248114…
  expect((await list(ann))[1]).toMatchObject({
    state: 'settled',
    closed_at: '2026-03-04T17:30:00.000Z',
    close_price: 110.194875,
    close_reason: 'session_close',
    gross: 25.248114,
    performance_fee: 2.424811,
    result: 21.823303,
  });
  // 99.6 × 39.98 ÷ 50.025 = 79.600359…
  expect(await list(bob)).toEqual([
    expect.objectContaining({
      state: 'settled',
      close_price: 39.98,
      gross: -19.999641,
      performance_fee: 0,
      result: -20.399641,
    }),
  ]);
});

test('after it the wallets have the results, escrow and venue are empty, and the books hold', async () => {
  const { db } = world.context;
  expect(await world.balances()).toMatchObject({
    primary: 1_000_000_000n,
    profit: 8_505_445n + 21_823_303n,
    trade_escrow: 0n,
  });
  expect(await world.balances(bob.memberId)).toMatchObject({ primary: 979_600_359n, profit: 0n, trade_escrow: 0n });
  const house = await getHouseBalances(db);
  expect(house).toMatchObject({
    venue: 0n,
    trade_fees: 1_000_000n + 400_000n + 400_000n,
    performance_fees: 945_049n + 2_424_811n,
  });
  expect(-house.gateway).toBe(1_000_000_000n + 30_328_748n + 979_600_359n + 1_800_000n + 3_369_860n);
  expect(await verifyLedger(db)).toEqual([]);
});

test('each member who traded is told once', async () => {
  expect(await messages(ann)).toEqual(['Session of 4 Mar 2026 settled: 2 trades, P&L +$30.3287.']);
  expect(await messages(bob)).toEqual(['Session of 4 Mar 2026 settled: 1 trade, P&L −$20.3996.']);
});

test('the next session is current, and the clock may skip to ten minutes before it', async () => {
  expect(await followMarket(world.context)).toEqual({ skipTo: new Date('2026-03-05T12:20:00Z') });
  expect(await getSession(world.context)).toMatchObject({ state: 'closed', opens_at: '2026-03-05T12:30:00.000Z' });
});

test('following the same moment again changes nothing', async () => {
  const before = await getHouseBalances(world.context.db);
  await followMarket(world.context);
  await followMarket(world.context);
  expect(await getHouseBalances(world.context.db)).toEqual(before);
  expect(await messages(ann)).toHaveLength(1);
});

test('a second session adds to the first', async () => {
  await place(bob, 'btc', 50);
  await world.play('05T17:30:00');
  const portfolio = await getPortfolio(world.context, bob.memberId);
  // 49.8 × 110.194875 ÷ 100.05 = 54.849622…: 4.849622 over, 0.484962 of it the fee.
  expect(portfolio.realised_by_day).toMatchObject([
    { day: '2026-03-04', result: -20.399641, trades: 1 },
    { day: '2026-03-05', result: 4.36466, trades: 1 },
  ]);
  expect(portfolio.totals).toMatchObject({
    realised: -16.034981,
    trades: 2,
    winning: 1,
    losing: 1,
    negative_members: 0.5,
  });
  expect(portfolio.equity.map(({ value }) => value)).toEqual([979.600359, 983.965019, 983.965019]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});
