import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { consoleVenueFills } from '#contract/operator/venue-fills.ts';
import { approveProposal } from '#server/approvals/index.ts';
import { execute } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { type ExchangeWorld, openExchangeWorld, readBatches } from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { codesOf } from '#test/worlds/trading-world.ts';
import { closeTrade, reportVenue } from '../index.ts';
import { listUnsold, proposeVenueFill, venueFillKind } from './sell-elsewhere.ts';

type Input = BodyOf<typeof consoleVenueFills.proposeVenueFill>;

let world: ExchangeWorld;
let finance: TestOperator;
let second: TestOperator;

beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, minutes: 3000 });
  [finance, second] = [await makeOperator(world.context, 'finance'), await makeOperator(world.context, 'finance')];
  await world.execute(1);
  await world.goTo('12:31:00');
});
afterEach(() => world.close());

/** A trade whose opening or close is ordered; then the exchange delists its asset for good before it says what was filled. */
async function loseSight({ side = 'buy' as 'buy' | 'sell', filledBps = 10_000n, isUnheard = false } = {}) {
  const { node } = world;
  const { id } = await world.place({ amount: 1000 });
  if (side === 'sell') {
    await world.goTo('12:32:00');
    await closeTrade(world.context, world.memberId, BigInt(id));
  }
  node.account.book.filledBps = filledBps;
  node.interferences.push(
    isUnheard ? { call: node.calls.send, with: 'do_and_break' } : { call: node.calls.find, with: 'break' },
  );
  await world.goTo('12:33:00', 1);
  expect((await readBatches(world.context)).at(-1)).toMatchObject({ state: isUnheard ? 'planned' : 'sent', sends: 1 });
  node.market.pairs.delete(node.nameOf('btc'));
  await world.restart();
  await world.execute(3);
  return id;
}

async function passAnHour() {
  world.clock.advance(3601);
  await world.restart();
  await world.execute(2);
}

const ordered = async () => (await listUnsold(world.context)).items.filter(({ order }) => order !== null);

async function propose(more: Partial<Input> = {}) {
  const [item] = await ordered();
  return proposeVenueFill(world.context, actorOf(finance), {
    batch_id: item?.order?.batch_id ?? '1',
    day: '2026-03-04',
    symbol: 'btc',
    quantity: '0',
    cost: 0,
    fee: 0,
    where: 'Account statement',
    transaction: 'ticket-123456',
    reason: 'Delisted, nothing was filled.',
    far_from_mark: false,
    ...more,
  });
}
const approve = async (id: string, who = second) =>
  approveProposal(world.context, venueFillKind, actorOf(who), { id: BigInt(id), version: 1, otp: await who.code() });
const codeOf = async (call: Promise<unknown>) => codesOf(await Promise.allSettled([call]))[0] ?? 'done';

/** The ledger verifies, and what the exchange has agrees with it. */
async function expectRight() {
  expect(await verifyLedger(world.context.db)).toEqual([]);
  const { lines, unfinished } = await reportVenue(world.context, world.venue);
  expect(unfinished).toEqual([]);
  const differenceOf = (coin: string) => Number(lines.find((line) => line.coin === coin)?.difference ?? 0);
  expect(differenceOf('BTC')).toBeCloseTo(0, 8);
  expect(differenceOf('USDT') - 1_000_000).toBeCloseTo(0, 4);
}

test.each([
  ['was answered', false],
  ['was not answered', true],
])(
  'an order that %s before its asset was delisted for good waits for two operators; what they say filled nothing returns its trade to the queue, and then its money',
  async (_, isUnheard) => {
    const id = await loseSight({ filledBps: 0n, isUnheard });
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    expect(await ordered()).toEqual([]);
    expect(await codeOf(propose())).toBe('nothing_unsold');
    await passAnHour();
    expect(await ordered()).toMatchObject([{ symbol: 'btc', day: '2026-03-04', order: { side: 'buy' }, held: '0' }]);
    const proposed = await propose();
    expect(proposed).toMatchObject({ state: 'proposed', side: 'buy', quantity: '0', price: '0', batch_id: null });
    expect(await world.trade(id)).toMatchObject({ state: 'opening' });
    expect(await codeOf(approve(proposed.id, finance))).toBe('own_proposal');
    expect(await approve(proposed.id)).toMatchObject({ state: 'posted' });
    await world.execute(2);
    expect(await world.trade(id)).toMatchObject({ state: 'queued' });
    await execute(world.context.db)`update trading.venue set answered_ms = answered_ms + 900000`;
    await world.execute(1);
    expect(await world.trade(id)).toMatchObject({ state: 'cancelled', cancel_reason: 'not_filled' });
    expect(await ordered()).toEqual([]);
    await expectRight();
  },
);
