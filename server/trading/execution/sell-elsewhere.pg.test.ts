import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { consoleVenueFills } from '#contract/operator/venue-fills.ts';
import { approveProposal } from '#server/approvals/index.ts';
import { listRows } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { getOverview } from '#server/operator/get-overview.ts';
import { atOnce, codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { type ExchangeWorld, openExchangeWorld, readBatches, readHolding } from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { closeTrade, followMarket, reportVenue } from '../index.ts';
import { listUnsold, proposeVenueFill, venueFillKind } from './sell-elsewhere.ts';

type Input = BodyOf<typeof consoleVenueFills.proposeVenueFill>;

let world: ExchangeWorld;
let finance: TestOperator;
let second: TestOperator;
let tradeId: string;
/** Coins that the exchange bought for the trade. */
let held: string;

/** The exchange halts btc while a trade of 1 000 dollars is open, and the session ends. */
beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, minutes: 3000 });
  finance = await makeOperator(world.context, 'finance');
  second = await makeOperator(world.context, 'finance');
  await world.execute(1);
  await world.goTo('12:31:00');
  tradeId = (await world.place({ amount: 1000 })).id;
  await world.goTo('12:32:00');
  await setPair('BREAK');
  await world.closeSession();
  held = (await readHolding(world.context, 'btc'))?.held ?? '';
});
afterEach(() => world.close());

async function setPair(status: 'BREAK' | 'TRADING') {
  world.pair('btc').status = status;
  // Terms are read again after an hour.
  world.clock.advance(3601);
  await world.restart();
}

const input = (more: Partial<Input> = {}): Input => ({
  day: '2026-03-04',
  symbol: 'btc',
  quantity: held,
  cost: 990,
  fee: 1,
  where: 'Desk Ltd',
  transaction: 'desk-2026-0304',
  reason: 'The exchange halted it.',
  far_from_mark: false,
  ...more,
});
const propose = (more: Partial<Input> = {}) => proposeVenueFill(world.context, actorOf(finance), input(more));
const approve = async (id: string, who = second) =>
  approveProposal(world.context, venueFillKind, actorOf(who), { id: BigInt(id), version: 1, otp: await who.code() });

/** The ledger verifies, and the exchange’s balances match, except for what was sold elsewhere. */
async function expectRight(soldCoins: string, dollars: number) {
  expect(await verifyLedger(world.context.db)).toEqual([]);
  const { lines } = await reportVenue(world.context, world.venue);
  const differenceOf = (coin: string) => Number(lines.find((line) => line.coin === coin)?.difference ?? 0);
  expect(differenceOf('BTC')).toBeCloseTo(Number(soldCoins), 10);
  expect(differenceOf('USDT') - 1_000_000).toBeCloseTo(-dollars, 4);
}

test('a position that the exchange could not sell settles at the price of a fill made elsewhere, booked once by two operators', async () => {
  const { context } = world;
  expect(await listUnsold(context)).toMatchObject({
    items: [{ day: '2026-03-04', symbol: 'btc', held, mark: '50000', carried: false }],
  });
  const proposed = await propose();
  expect(proposed).toMatchObject({
    reference: expect.stringMatching(/^VF-[A-Z2-9]{6}$/),
    state: 'proposed',
    batch_id: null,
    cost: 990,
    fee: 1,
  });
  expect(Number(proposed.price)).toBeCloseTo(989 / Number(held), 6);
  expect((await getOverview(context)).queues.proposals.venue_fills).toBe(1);
  expect(await codeOf(approve(proposed.id, finance))).toBe('own_proposal');
  expect(await approve(proposed.id)).toMatchObject({ state: 'posted' });
  expect(await listUnsold(context)).toEqual({ items: [] });
  expect((await readBatches(context)).at(-1)).toMatchObject({ kind: 'close', state: 'booked', side: 'sell', sends: 0 });
  await world.goTo('17:31:05');
  const trade = await world.trade(tradeId);
  expect(trade).toMatchObject({ state: 'settled', close_reason: 'late_price' });
  expect(trade?.close_price).toBeCloseTo((989 / Number(held)) * 0.9995, 6);
  expect(
    await listRows(context.db)<{ state: string }>`select state from trading.session where day = '2026-03-04'`,
  ).toEqual([{ state: 'settled' }]);
  expect(Number((await readHolding(context, 'btc'))?.held)).toBe(0);
  await expectRight(held, 989);
  expect(await codeOf(propose())).toBe('nothing_unsold');
});

test('part of a carried position is sold elsewhere and the exchange sells the rest, at the average of both', async () => {
  await world.goTo('05T12:30:05');
  await world.goTo('05T12:31:05');
  expect(await listUnsold(world.context)).toMatchObject({ items: [{ carried: true }] });
  const part = (Number(held) / 4).toFixed(8);
  const dollars = Math.round(Number(part) * 48_000 * 100) / 100;
  await approve((await propose({ quantity: part, cost: dollars, fee: 0 })).id);
  expect(await world.trade(tradeId)).toMatchObject({ state: 'open' });
  await setPair('TRADING');
  await world.goTo('05T12:40:05');
  await world.goTo('05T12:41:05');
  const trade = await world.trade(tradeId);
  expect(trade).toMatchObject({ state: 'settled', close_reason: 'late_price' });
  // A quarter at 48 000, the rest at 50 000 less the fee of 0.1 %, and half the spread of 0.1 % off.
  expect(trade?.close_price).toBeCloseTo((0.25 * 48_000 + 0.75 * 49_950) * 0.9995, -1);
  await expectRight(part, dollars);
});

test('a new position of the asset is not sold along with a carried one', async () => {
  await world.goTo('05T12:30:05');
  await setPair('TRADING');
  // Within a minute the worker sees that it trades again, and members may place.
  world.clock.advance(61);
  await world.execute(1);
  const { id } = await world.place({ amount: 2000 });
  await world.goTo('05T12:40:05');
  await world.goTo('05T12:41:05');
  expect(await world.trade(tradeId)).toMatchObject({ state: 'settled', close_reason: 'late_price' });
  await world.goTo('05T12:42:05');
  expect(await world.trade(id)).toMatchObject({ state: 'open' });
  expect(Number((await readHolding(world.context, 'btc'))?.held)).toBeCloseTo(0.0398, 3);
  await closeTrade(world.context, world.memberId, BigInt(id));
  await world.goTo('05T12:43:05');
  expect(await world.trade(id)).toMatchObject({ state: 'settled' });
  await expectRight('0', 0);
});

test.each([
  ['another day', { day: '2026-03-03' }, 'nothing_unsold'],
  ['an asset without positions', { symbol: 'eth' }, 'nothing_unsold'],
  ['more coins than are left', { quantity: '0.03' }, 'more_than_unsold'],
  ['a price that is too low', { cost: 700 }, 'price_far_from_mark'],
  ['a price that is too high', { cost: 1300 }, 'price_far_from_mark'],
  ['a confirmed price far from the mark', { cost: 100, far_from_mark: true }, 'done'],
] as const)('a proposal for %s (%j) answers %s', async (_, more, code) => {
  expect(await codeOf(propose(more))).toBe(code);
});

test('an order for the asset in progress comes first, and the proposal is checked again for what changed meanwhile', async () => {
  const { context } = world;
  const [first, other] = [await propose(), await propose()];
  await sql`update trading.batch set state = 'sent', booked_at = null, filled_at = null where symbol = 'btc'`.execute(
    context.db,
  );
  expect(await codeOf(approve(first.id))).toBe('batch_under_way');
  await sql`update trading.batch set state = 'booked', booked_at = now(), filled_at = now() where symbol = 'btc'`.execute(
    context.db,
  );
  await approve(first.id);
  expect(await codeOf(approve(other.id))).toBe('nothing_unsold');
});

test('of two proposals approved at once by five operators one is booked, once', async () => {
  const { context } = world;
  const crew = await Promise.all(Array.from({ length: 5 }, () => makeOperator(context, 'finance')));
  const ids = [(await propose()).id, (await propose()).id];
  const codes = await Promise.all(crew.map((one) => one.code()));
  const { done, refused } = await atOnce(
    Array.from({ length: 20 }, (_, turn) => {
      const at = turn % crew.length;
      const decision = { id: BigInt(ids[turn % 2] as string), version: 1, otp: codes[at] as string };
      return approveProposal(context, venueFillKind, actorOf(crew[at] as TestOperator), decision);
    }),
  );
  expect(done).toHaveLength(1);
  for (const code of refused) expect(['proposal_decided', 'nothing_unsold', 'wrong_second_factor']).toContain(code);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from trading.batch where elsewhere_id is not null`.execute(context.db);
  expect(rows).toEqual([{ count: 1 }]);
  await world.goTo('17:31:05');
  expect(await world.trade(tradeId)).toMatchObject({ state: 'settled' });
  await expectRight(held, 989);
});

test('of positions of two sessions, those of the later one settle by themselves at the price they were sold for elsewhere', async () => {
  const { context } = world;
  await world.goTo('05T12:30:05', 0);
  await setPair('TRADING');
  // Bids are below the limit of a sale.
  world.pair('btc').lastPrice = '49800';
  await world.execute();
  const { id } = await world.place({ amount: 500 });
  await world.goTo('05T12:31:05', 0);
  world.pair('btc').lastPrice = '49800';
  world.clock.advance(31);
  await world.execute(4);
  expect([await world.trade(id), await world.trade(tradeId)]).toMatchObject([{ state: 'open' }, { state: 'open' }]);
  await setPair('BREAK');
  await world.execute();
  await world.goTo('05T17:30:05');
  const [earlier, later] = (await listUnsold(context)).items;
  expect([earlier, later]).toMatchObject([{ carried: true }, { day: '2026-03-05', carried: false }]);
  await approve((await propose({ day: '2026-03-05', quantity: later?.quantity ?? '', cost: 490, fee: 0 })).id);
  await followMarket(context);
  expect([await world.trade(id), await world.trade(tradeId)]).toMatchObject([{ state: 'settled' }, { state: 'open' }]);
  expect((await listUnsold(context)).items).toMatchObject([{ day: '2026-03-04', quantity: earlier?.quantity }]);
});
