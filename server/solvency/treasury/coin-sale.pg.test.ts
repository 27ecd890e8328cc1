import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BodyOf } from '#contract/endpoint.ts';
import type { consoleTreasury, TreasuryMove } from '#contract/operator/proposals.ts';
import { approveProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { checkFunds } from '#server/funds/check-funds.ts';
import { findCoins, moveCoins } from '#server/funds/coins/move-coins.ts';
import { loopsOf } from '#server/jobs/index.ts';
import { getHouseBalances, post, verifyLedger } from '#server/ledger/index.ts';
import { ccxtVenue } from '#server/trading/execution/venue-ccxt.ts';
import { executeBatches, reportVenue } from '#server/trading/index.ts';
import { importStatement } from '#server/trading/statement/import-statement.ts';
import { isKilled, KillAt, killedContext } from '#test/database/kill-at.ts';
import { moveCoins as sendCoins } from '#test/fake-servers/exchange-orders.ts';
import { atOnce, codeOf } from '#test/kit/at-once.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  type ExchangeWorld,
  findDuplicates,
  killCalls,
  matchedFills,
  openExchangeWorld,
  openTestExchange,
  readBatches,
  readHolding,
} from '#test/worlds/exchange-world.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { bookCoinSales } from './coin-sale.ts';
import { proposeTreasuryMove, treasuryKind } from './treasury-move.ts';

type Sell = Extract<BodyOf<typeof consoleTreasury.proposeTreasuryMove>, { kind: 'coin_sale' }>;

let world: ExchangeWorld;
let context: Context;
let finance: TestOperator;
let second: TestOperator;

/** The gateway holds half a Bitcoin, booked at $48,000 a coin; the exchange has it in its wallet. */
beforeEach(async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), balances: { USDT: '1000000', BTC: '0.5' } });
  context = { ...world.context, config: { ...world.context.config, payments: ['btcpay'] } };
  finance = await makeOperator(context, 'finance');
  second = await makeOperator(context, 'finance');
  const [from, to] = [{ class: 'gateway' }, { class: 'adjustments' }] as const;
  const capital = { key: 'test/capital', from, to, amountMicros: 24_000_000_000n, reason: 'capital_in' } as const;
  await inTransaction(context.db, async (tx) => {
    const coins = { kind: 'opening', reference: 'test', units: '0.5', micros: 24_000_000_000n } as const;
    await moveCoins(tx, 'btcpay', coins, context.now());
    await post(tx, [{ ...capital, reference: 'test', marketAt: context.now() }]);
  });
  await world.goTo('12:31:00');
});
afterEach(() => world.close());

const propose = (more: Partial<Sell> = {}) =>
  proposeTreasuryMove(context, actorOf(finance), {
    kind: 'coin_sale',
    units: '0.2',
    limit_price: 49_000,
    reason: 'Into dollars.',
    transaction: 'ab'.repeat(32),
    ...more,
  });
const approve = async ({ id }: Pick<TreasuryMove, 'id'>, who = second) =>
  approveProposal(context, treasuryKind, actorOf(who), { id: BigInt(id), version: 1, otp: await who.code() });
const sell = async (more: Partial<Sell> = {}) => approve(await propose(more));
/** Rounds of a worker. */
const work = async (rounds = 3) => {
  for (let round = 0; round < rounds; round += 1) {
    await world.execute(1);
    await bookCoinSales(context);
  }
};
const show = async (posted: Awaited<ReturnType<typeof approve>>) =>
  (await treasuryKind.show(context.db, [posted]))[0]?.sale;
const house = async () => {
  const { gateway, venue, gateway_result } = await getHouseBalances(context.db);
  return { gateway: Number(-gateway) / 1e6, venue: Number(-venue) / 1e6, result: Number(gateway_result) / 1e6 };
};

/** Nothing is booked twice; the exchange holds what the ledger says, except for coins sent there but not sold. */
async function expectRight(unsold: number) {
  expect(await findDuplicates(context, world.node)).toEqual([]);
  expect([...(await verifyLedger(context.db)), ...(await checkFunds(context.db))]).toEqual([]);
  const { lines, unfinished } = await reportVenue(context, world.venue);
  const differenceOf = (coin: string) => Number(lines.find((line) => line.coin === coin)?.difference ?? 0);
  expect(differenceOf('BTC')).toBeCloseTo(unsold, 10);
  expect(differenceOf('USDT')).toBeCloseTo(1_000_000, 4);
  expect(unfinished).toEqual([]);
}

test('Bitcoin sold whole: one order at the exchange, its fill booked once, the difference the house’s', async () => {
  const { node, clock } = world;
  const sent = { kind: 'deposit', coin: 'BTC', amount: '0.2', transaction: 'AB'.repeat(32) } as const;
  sendCoins(node.account, { ...sent, at: clock.now().getTime() });
  const before = await house();
  const proposed = await propose();
  expect(proposed).toMatchObject({ kind: 'coin_sale', amount: 9800, transfer_id: null, sale: { state: null } });
  expect(await codeOf(approve(proposed, finance))).toBe('own_proposal');
  const posted = await approve(proposed);
  expect(await show(posted)).toMatchObject({ state: 'waiting', sold: null });
  await work();
  // 0.2 at 50 000 less a fee of 0.1 %: 9 990. They were booked at 9 600.
  expect(await show(posted)).toEqual({
    units: '0.2',
    limit_price: 49_000,
    state: 'sold',
    sold: '0.2',
    proceeds: 9990,
    reason: null,
  });
  const after = await house();
  expect(after.gateway).toBeCloseTo(before.gateway - 9600, 6);
  expect(after.venue).toBeCloseTo(before.venue + 9990, 6);
  expect(after.result).toBeCloseTo(390, 6);
  expect(await findCoins(context.db, 'btcpay')).toMatchObject({ units: '0.3', bookedMicros: 14_400_000_000n });
  await expectRight(0.5);
  // Neither the arrival nor the fill requires an operator.
  clock.advance(60);
  await importStatement(context, world.venue);
  expect(await matchedFills(context)).toEqual({ fills: 'all', open: 0 });
});

test('dollars booked for Bitcoin are not sent to the exchange as if they were dollars', async () => {
  const fund = async (amount: number) =>
    approve(
      await proposeTreasuryMove(context, actorOf(finance), {
        kind: 'venue_fund',
        amount,
        reason: 'For the session.',
        transaction: 'ab'.repeat(32),
      }),
    );
  const dollars = Number(-(await getHouseBalances(context.db)).gateway - 24_000_000_000n) / 1e6;
  expect(await codeOf(fund(dollars + 1))).toBe('not_covered');
  expect(await codeOf(fund(dollars))).toBe('done');
  expect(await codeOf(fund(1))).toBe('not_covered');
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('is booked although the batch of an asset cannot be', async () => {
  await world.database.runScript(
    `alter table trading.trade add constraint no_eth check (symbol <> 'eth' or state = 'queued')`,
  );
  await world.place({ tradeId: 'eth', amount: 1000 });
  await world.goTo('12:31:05', 0);
  const posted = await sell();
  const loops = loopsOf(context).filter(({ name }) => ['execution', 'coin-sales'].includes(name));
  const faults: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    world.clock.advance(1);
    for (const loop of loops) await loop.round(1000).catch(({ message }: Error) => faults.push(message));
  }
  expect(faults).toContainEqual(expect.stringContaining('no_eth'));
  expect(await show(posted)).toMatchObject({ state: 'sold', proceeds: 9990 });
});

test('in part: what did not fill stays with the gateway, and shows so', async () => {
  world.node.account.book.filledBps = 4_000n;
  const posted = await sell();
  await work();
  expect(await show(posted)).toMatchObject({ state: 'sold', sold: '0.08' });
  expect(await findCoins(context.db, 'btcpay')).toMatchObject({ units: '0.42' });
  await expectRight(0.42);
});

test('refused by the exchange: nothing is sold, trading continues, and the reason is shown', async () => {
  world.node.interferences.push({ call: world.node.calls.send, with: world.node.answers.restricted });
  const posted = await sell();
  await work();
  expect(await show(posted)).toMatchObject({
    state: 'unsold',
    sold: '0',
    reason: expect.stringContaining('permitted'),
  });
  expect(await findCoins(context.db, 'btcpay')).toMatchObject({ units: '0.5' });
  expect((await readHolding(context, 'btc'))?.halt_reason).toBeNull();
  expect(await propose()).toMatchObject({ state: 'proposed' });
});

test('accepted, and the answer never came: looked up, and sold once', async () => {
  world.node.interferences.push({ call: world.node.calls.send, with: 'do_and_hang' });
  const posted = await sell();
  await work();
  world.clock.advance(15);
  await work();
  expect(await show(posted)).toMatchObject({ state: 'sold', sold: '0.2' });
  expect((await readBatches(context)).filter(({ kind }) => kind === 'house')).toMatchObject([{ sends: 1 }]);
  await expectRight(0.3);
});

test('answered with what cannot be: the move says so, the log once, its asset is halted, and the truth is booked', async () => {
  const log = vi.spyOn(context.log, 'error');
  world.node.lies.push({ order: { executedQty: 'NaN' } });
  const posted = await sell();
  await work(5);
  const reason = expect.stringContaining('what cannot be');
  expect(await show(posted)).toMatchObject({ state: 'ordered', sold: null, reason });
  expect(log.mock.calls.filter(([, words]) => words === 'coin sale is doubted')).toHaveLength(1);
  // No other order of it can be sent meanwhile.
  expect(await readHolding(context, 'btc')).toMatchObject({ halt_reason: reason });
  expect(await codeOf(world.place({ amount: 100 }))).toBe('asset_halted');
  world.node.lies.length = 0;
  await work();
  expect(await readHolding(context, 'btc')).toMatchObject({ halt_reason: null });
  expect(await show(posted)).toMatchObject({ state: 'sold', sold: '0.2', reason: null });
  await expectRight(0.3);
});

test('nothing bids so much: it ends unsold', async () => {
  const posted = await sell({ limit_price: 52_000 });
  await work();
  expect(await show(posted)).toMatchObject({ state: 'unsold', sold: '0', proceeds: 0 });
  await expectRight(0.5);
});

test('less than the exchange’s smallest order: it ends unsold, and nothing was sent', async () => {
  const posted = await sell({ units: '0.00000001' });
  await work();
  expect(await show(posted)).toMatchObject({ state: 'unsold', reason: 'It is less than the smallest order.' });
  expect(await readBatches(context)).toEqual([]);
});

test('the exchange lists it no more: it ends unsold, and the coins can be sold otherwise', async () => {
  const name = world.node.nameOf('btc');
  const pair = world.pair('btc');
  world.node.market.pairs.delete(name);
  await world.restart();
  const posted = await sell();
  await work();
  world.node.market.pairs.set(name, pair);
  expect(await show(posted)).toMatchObject({ state: 'unsold', reason: 'The exchange does not list it.' });
  expect(await readBatches(context)).toEqual([]);
});

test('killed before any step of order, fill and booking: nothing twice, all booked once', {
  timeout: 600_000,
}, async () => {
  let wasKilled = true;
  let kills = 0;
  for (let at = 0; wasKilled && at < 200; at += 1) {
    await sell({ units: '0.001' });
    const kill = new KillAt(at);
    const killed = killedContext(context, kill);
    const exchange = killCalls(await openTestExchange(world.node), kill);
    world.clock.advance(1);
    wasKilled = await isKilled(async () => {
      await executeBatches(killed, await ccxtVenue(killed, exchange));
      await bookCoinSales(killed);
    });
    kills += Number(wasKilled);
    await work(1);
    world.clock.advance(15);
    await work(3);
  }
  expect(kills).toBeGreaterThan(30);
  const ended = (await readBatches(context)).filter(({ kind, state }) => kind === 'house' && state === 'booked');
  const sold = ended.reduce((sum, { filled }) => sum + Number(filled), 0);
  expect(Number((await findCoins(context.db, 'btcpay'))?.units)).toBeCloseTo(0.5 - sold, 10);
  expect(sold).toBeGreaterThan(0.03);
  await expectRight(0.5 - sold);
});

test('two approvals at once are one sale, and another waits for it', async () => {
  const [one, other] = [await propose(), await propose({ units: '0.1' })];
  const [third, fourth] = [await makeOperator(context, 'admin'), await makeOperator(context, 'finance')];
  const approvals = [approve(one), approve(one, third), approve(other, fourth)];
  const { refused } = await atOnce(approvals);
  expect(refused).toHaveLength(2);
  expect(['proposal_decided', 'batch_under_way']).toEqual(expect.arrayContaining(refused));
  await Promise.all([work(), bookCoinSales(context), bookCoinSales(context)]);
  expect((await readBatches(context)).filter(({ kind }) => kind === 'house')).toHaveLength(1);
});

test.each([
  ['not_covered', { units: '0.50000001' }],
  ['limit_far_from_mark', { limit_price: 40_000 }],
  ['limit_far_from_mark', { limit_price: 60_000 }],
])('refused with %s: %j', async (code, more) => {
  expect(await codeOf(propose(more))).toBe(code);
});

test.each([{ units: '0.5' }, { limit_price: 47_500 }, { limit_price: 52_500 }])(
  'all that is held, or a limit five per cent from the mark, is proposed: %j',
  async (more) => {
    expect(await codeOf(propose(more))).toBe('done');
  },
);

test.each<[string, Partial<Context['config']>]>([
  ['no_exchange', { venue: 'paper' }],
  ['not_covered', { payments: ['nowpayments'] }],
])('refused with %s where the settings say %j', async (code, changed) => {
  context = { ...context, config: { ...context.config, ...changed } };
  expect(await codeOf(propose())).toBe(code);
});

test('it waits while the exchange does not answer, and other coins are traded as always', async () => {
  const posted = await sell();
  await world.node.goAway();
  await work(2);
  expect(await show(posted)).toMatchObject({ state: 'waiting' });
  await world.node.comeBack();
  world.clock.advance(120);
  await work();
  const { id } = await world.place({ amount: 100 });
  await world.goTo('12:40:00');
  expect((await world.trade(id))?.state).toBe('open');
  expect(await show(posted)).toMatchObject({ state: 'sold' });
});

test('its Bitcoin that arrived before the second approval needs no operator once it is sold', async () => {
  const { node, clock } = world;
  const sent = { kind: 'deposit', coin: 'BTC', amount: '0.2', transaction: 'ab'.repeat(32) } as const;
  const other = { kind: 'deposit', coin: 'USDT', amount: '5', transaction: 'ab'.repeat(32) } as const;
  for (const one of [sent, other]) sendCoins(node.account, { ...one, at: clock.now().getTime() });
  const proposed = await propose();
  clock.advance(60);
  await importStatement(context, world.venue);
  expect(await matchedFills(context)).toMatchObject({ open: 2 });
  await approve(proposed);
  await work();
  clock.advance(60);
  await importStatement(context, world.venue);
  // Only the dollars, which are no part of the sale.
  expect(await matchedFills(context)).toEqual({ fills: 'all', open: 1 });
});

test('Bitcoin that has not arrived is not sold out of what is held for members', async () => {
  world.node.account.balances.set('BTC', 0n);
  const trade = await world.place({ amount: 500 });
  await world.goTo('12:40:00');
  expect((await world.trade(trade.id))?.state).toBe('open');
  const posted = await sell({ units: '0.005' });
  await work();
  const reason = expect.stringContaining('not arrived');
  expect(await show(posted)).toMatchObject({ state: 'unsold', sold: '0', reason });
  await world.closeSession();
  expect((await world.trade(trade.id))?.state).toBe('settled');
  sendCoins(world.node.account, { kind: 'deposit', coin: 'BTC', amount: '0.005', at: world.clock.now().getTime() });
  const again = await sell({ units: '0.005' });
  await work();
  expect(await show(again)).toMatchObject({ state: 'sold', sold: '0.005' });
});

test('what rounding each of several sales left is no difference', async () => {
  const { account, market, nameOf } = world.node;
  Object.assign(market.pairs.get(nameOf('btc')) as object, { lastPrice: '50000.37' });
  account.balances.set('USDT', 0n);
  for (const transaction of ['ab', 'cd', 'ef', '12', '34']) {
    const posted = await sell({ units: '0.00123', transaction: transaction.repeat(32) });
    await work();
    expect(await show(posted)).toMatchObject({ state: 'sold', sold: '0.00123' });
  }
  const { lines, findings } = await reportVenue(context, world.venue);
  expect(Number(lines.find(({ coin }) => coin === 'USDT')?.difference)).toBeGreaterThan(0.000002);
  expect(findings.filter((finding) => finding.startsWith('USDT'))).toEqual([]);
});
