import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import type { TradeFill } from '#contract/trading/trade-detail.ts';
import { type ExportSection, readSection } from '#server/db/export-sql.ts';
import { listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { listMarket } from '#server/market/index.ts';
import { getSessionDetail } from '#server/operator/sessions/get-session-detail.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  findDuplicates,
  matchedFills,
  openExchangeWorld,
  readBatches,
  readHolding,
  venueResult,
} from '#test/worlds/exchange-world.ts';
import { closeTrade, exportTrading, getTrade, listResiduals, replayResults, reportVenue } from '../index.ts';
import { importStatement } from '../statement/import-statement.ts';
import { findVenueState } from './venue-state.ts';

const prices = (at: Date) =>
  at < new Date('2026-03-04T13:30:00Z') ? '50000' : at < new Date('2026-03-04T15:00:00Z') ? '51000' : '49500';

const world = closeAfterAll(
  await openExchangeWorld({
    candle: (_, at) => still(prices(at)),
    dollars: 20_000,
  }),
);
const { context, node } = world;

test('a session whose trades open, close and settle is filled at the exchange, which agrees with the ledger', async () => {
  Object.assign(node.account.book, { slippageBps: 8n, pieces: 2, feeBps: 10n });
  await world.execute();
  const others = [await world.member('Ben'), await world.member('Cleo')];
  const trade = await world.place({ amount: 10_000 });
  for (const { memberId } of others) await world.place({ amount: 5000 }, memberId);
  await world.goTo('13:00:00');
  expect(await readBatches(context)).toMatchObject([{ symbol: 'btc', kind: 'orders', state: 'booked', side: 'buy' }]);
  const [opened] = await world.trades();
  // 50 000 plus 8 or 9 basis points, the fee of 0.1 %, and half the spread of 0.1 %.
  expect(opened?.open_price).toBeGreaterThan(50_000 * 1.0023);
  expect(opened?.open_price).toBeLessThan(50_000 * 1.0026);
  expect(Number(node.account.balances.get('BTC')) / 1e8).toBeCloseTo((20_000 * 0.996) / (opened?.open_price ?? 0), 3);
  await world.goTo('14:00:00');
  await closeTrade(context, world.memberId, BigInt(trade.id));
  await world.goTo('14:01:00');
  expect(await world.trade(trade.id)).toMatchObject({ state: 'settled', close_reason: 'close_now' });
  await world.goTo('15:30:00');
  await world.closeSession();
  expect((await world.trades(others[0]?.memberId))[0]).toMatchObject({
    state: 'settled',
    close_reason: 'session_close',
  });
  const batches = await readBatches(context);
  expect(batches.filter(({ kind }) => kind === 'close').map(({ state, side }) => [state, side])).toEqual(
    Array.from({ length: 5 }, () => ['booked', 'sell']),
  );
  const [btc] = (await getSessionDetail(context, '2026-03-04')).assets;
  expect(btc?.opening).toMatchObject({ source: 'filled', price: expect.stringMatching(/^501\d\d\./) });
  expect(await findDuplicates(context, node)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
  const holding = await readHolding(context, 'btc');
  expect(Number(holding?.held) * 49_500).toBeLessThan(100);
  // Markup of both sides, and no more: the members' prices included the exchange's fee and slippage.
  expect(await venueResult(context)).toBeGreaterThan(0n);
  const { lines, findings } = await reportVenue(context, world.venue);
  // The account began with a million dollars that no treasury move booked; everything since agrees to the micro.
  expect(Number(lines[0]?.difference)).toBeCloseTo(1_000_000, 5);
  expect(findings).toHaveLength(1);
  await importStatement(context, world.venue);
  expect(await matchedFills(context)).toEqual({ fills: 'all', open: 0 });
});

test('a member’s data export has the fills, the exchange’s fees and the markup of each trade, like its page', async () => {
  const [section] = exportTrading(world.memberId);
  const { value: rows } = await readSection(context.db, section as ExportSection).next();
  const [row] = rows as Record<string, string | null>[];
  const { opening, closing } = await getTrade(context, world.memberId, BigInt(row?.id as string));
  for (const [side, fill] of Object.entries({ opening, closing })) {
    const { execution } = fill as TradeFill & { execution: object };
    const said = ['exchange_fill', 'exchange_fee', 'markup'].map((name) => Number(row?.[`${side}_${name}`]));
    expect(said).toEqual([execution?.fill, execution?.exchange_fee, execution?.markup].map(Number));
  }
});

test('the session can be recalculated from its fills, and a changed fill is found', async () => {
  const replay = () => inTransaction(context.db, (tx) => replayResults(tx, '2026-03-04'));
  const first = await replay();
  expect(first?.replayed).toBe(first?.stored);
  await world.database.runScript(`
    alter table trading.batch_fill disable trigger user;
    update trading.batch_fill set cost = cost + 0.01 where (batch_id, exchange_trade_id) = (select batch_id, exchange_trade_id from trading.batch_fill order by 1, 2 limit 1);
    alter table trading.batch_fill enable trigger user`);
  const second = await replay();
  expect(second?.stored).toBe(first?.stored);
  expect(second?.replayed).not.toBe(first?.stored);
});

test('what is sold and settled at the close is no residual, though the exchange is not reached any more', async () => {
  const own = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(own.close);
  await own.execute(1);
  await own.goTo('12:31:00');
  const { id } = await own.place({ amount: 10_000 });
  await own.goTo('12:32:00');
  for (const minute of ['25', '26', '27', '28', '29']) await own.goTo(`17:${minute}:05`);
  await own.goTo('17:30:05', 0);
  expect(await own.trade(id)).toMatchObject({ state: 'settled' });
  const values = (await listResiduals(own.context)).map(({ valueMicros }) => Number(valueMicros));
  expect(Math.max(0, ...values)).toBeLessThan(1_000_000);
});

test('an order book without prices delays only its own asset', async () => {
  const own = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(own.close);
  const { db } = own.context;
  await own.execute(1);
  await own.goTo('12:31:00');
  const [eth, btc] = [await own.place({ amount: 1000, tradeId: 'eth' }), await own.place({ amount: 1000 })];
  await own.goTo('12:32:00', 0);
  const { lastPrice } = own.pair('eth');
  own.pair('eth').lastPrice = '0.00';
  await sql`delete from trading.depth`.execute(db);
  own.clock.advance(60);
  await own.execute(4);
  expect(await findVenueState(db)).toMatchObject({ state: 'up' });
  expect([await own.trade(eth.id), await own.trade(btc.id)]).toMatchObject([{ state: 'queued' }, { state: 'open' }]);
  const measured = await listValues(db)<string>`select symbol from trading.depth`;
  expect(symbols.filter((symbol) => !measured.includes(symbol))).toEqual(['eth']);
  own.pair('eth').lastPrice = lastPrice;
  await own.execute(2);
  expect(await own.trade(eth.id)).toMatchObject({ state: 'open' });
});

test('an asset that the exchange delists delays no other, and soon cannot be traded', async () => {
  const own = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000 });
  onTestFinished(own.close);
  const { db } = own.context;
  await own.execute(1);
  await own.goTo('12:31:00');
  await own.place({ amount: 1000, tradeId: 'eth' });
  const { id } = await own.place({ amount: 1000 });
  own.node.market.pairs.delete(own.node.nameOf('eth'));
  await own.goTo('12:32:00', 0);
  own.clock.advance(61);
  await own.execute(4);
  expect(await findVenueState(db)).toMatchObject({ state: 'up' });
  expect(await own.trade(id)).toMatchObject({ state: 'open' });
  own.clock.advance(61);
  await own.execute(1);
  expect((await listMarket(db)).filter(({ apiname }) => apiname === 'ethereum')).toMatchObject([{ listed: false }]);
});
