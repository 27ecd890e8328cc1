import { afterEach, expect, test } from 'vitest';
import { verifyLedger } from '#server/ledger/index.ts';
import { isKilled, KillAt, killedContext } from '#test/database/kill-at.ts';
import { still } from '#test/recorded/recorded-market.ts';
import {
  type ExchangeWorld,
  findDuplicates,
  killCalls,
  openExchangeWorld,
  openTestExchange,
  readHolding,
} from '#test/worlds/exchange-world.ts';
import { closeTrade, executeBatches, followMarket, releaseVenue, reportHolding, reportVenue } from '../index.ts';

import { ccxtVenue } from './venue-ccxt.ts';
import { VenueFault } from './venue-port.ts';
import { claimVenue } from './venue-state.ts';

let world: ExchangeWorld;
afterEach(() => world.close());

/** @returns whether the round was killed; a round with fewer steps than that ends by itself */
async function killRound(at: number): Promise<boolean> {
  const kill = new KillAt(at);
  const exchange = killCalls(await openTestExchange(world.node), kill);
  const context = killedContext(world.context, kill);
  world.clock.advance(1);
  return isKilled(async () => executeBatches(context, await ccxtVenue(context, exchange)));
}

/** What a restarted process does until nothing is left to do. */
async function recover(): Promise<void> {
  await world.execute(1);
  world.clock.advance(15);
  await world.execute(3);
  await followMarket(world.context);
}

async function expectRight(at: number): Promise<void> {
  const { context, node, venue } = world;
  const { findings, lines } = await reportVenue(context, venue);
  const unexpected = findings.filter((finding) => !finding.startsWith('USDT'));
  const cents = (Number(lines[0]?.difference) % 1_000_000).toFixed(3);
  expect({ at, doubles: await findDuplicates(context, node), unexpected, cents }).toEqual({
    at,
    doubles: [],
    unexpected: [],
    cents: '0.000',
  });
}

test.each([
  ['filled completely', 10_000n],
  ['filled in part', 4_000n],
])(
  'killed before any step of a batch that is %s, opening or selling: nothing twice, everything booked once',
  {
    timeout: 600_000,
  },
  async (_, filledBps) => {
    world = await openExchangeWorld({
      candle: () => still('50000'),
      dollars: 10_000_000,
      balances: { USDT: '9000000' },
    });
    const { context, node, memberId } = world;
    Object.assign(node.account.book, { pieces: 2, slippageBps: 7n });
    await world.goTo('12:31:00');
    let kills = 0;
    let wasKilled = true;
    for (let at = 0, second = 0; wasKilled; at += 1, second += 2) {
      const marketAt = (seconds: number) => new Date(Date.parse('2026-03-04T12:31:30Z') + seconds * 1000);
      const { id } = await world.place({ amount: 10_000 });
      await goWithout(marketAt(second));
      node.account.book.filledBps = filledBps;
      const isKilledOpening = await killRound(at);
      node.account.book.filledBps = 10_000n;
      await recover();
      expect((await world.trade(id))?.state).toBe('open');
      await closeTrade(context, memberId, BigInt(id));
      await goWithout(marketAt(second + 1));
      node.account.book.filledBps = filledBps;
      const isKilledSelling = await killRound(at);
      node.account.book.filledBps = 10_000n;
      await recover();
      expect((await world.trade(id))?.state).toBe('settled');
      await expectRight(at);
      kills += Number(isKilledOpening) + Number(isKilledSelling);
      wasKilled = isKilledOpening || isKilledSelling;
    }
    // Every step of a whole round occurred: plan, send, look up, price, open or settle, book.
    expect(kills).toBeGreaterThan(60);
    expect(Number((await readHolding(context, 'btc'))?.held) * 50_000).toBeLessThan(100);
    expect(await verifyLedger(context.db)).toEqual([]);
  },
);

test('killed before any step of the closing sale: each part is sold once, and all settles at their average', {
  timeout: 600_000,
}, async () => {
  world = await openExchangeWorld({
    candle: () => still('50000'),
    dollars: 10_000_000,
    minutes: 60 * 24 * 6,
    balances: { USDT: '9000000' },
  });
  const { context, node } = world;
  let wasKilled = true;
  let at = 0;
  for (let day = 4; wasKilled && day < 9; day += 1) {
    const on = (time: string) => `0${day}T${time}`;
    await world.goTo(on('12:31:00'));
    const { id } = await world.place({ amount: 10_000 });
    await world.goTo(on('12:32:00'));
    for (const minute of ['25', '26', '27', '28', '29']) {
      await goWithout(new Date(`2026-03-0${day}T17:${minute}:05Z`));
      // Some steps of each part, so that a few days cover them all.
      for (let tries = 0; tries < 4; tries += 1, at += 1) wasKilled = await killRound(at % 40);
      await recover();
    }
    await world.goTo(on('17:30:05'));
    await recover();
    expect(await world.trade(id)).toMatchObject({ state: 'settled', close_reason: 'session_close' });
    await expectRight(at);
    wasKilled = true;
  }
  expect(at).toBeGreaterThan(80);
  expect(await findDuplicates(context, node)).toEqual([]);
});

/** The market is ready, and nobody has traded yet. */
async function goWithout(at: Date): Promise<void> {
  await world.goTo(at, 0);
}

test('the reported holding does not fall while a filled batch is not booked yet', async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, balances: { USDT: '9000000' } });
  const { context, venue } = world;
  await world.goTo('12:31:00');
  const before = Number(await reportHolding(context, venue));
  const { id } = await world.place({ amount: 10_000 });
  await goWithout(new Date('2026-03-04T12:31:30Z'));
  world.clock.advance(1);
  await executeBatches(context, { ...venue, findOrder: () => Promise.reject(new VenueFault('unknown', 'no answer')) });
  expect((await world.trade(id))?.state).toBe('opening');
  expect(world.node.account.balances.get('BTC')).toBeGreaterThan(0n);
  // $9,960 went into Bitcoin, less a fee of 0.1 %.
  expect((Number(await reportHolding(context, venue)) - before) / 1e6).toBeCloseTo(-9.96, 0);
  await recover();
  expect((await world.trade(id))?.state).toBe('open');
});

test('another worker takes over at the exchange from one that died while its clock was a day ahead', async () => {
  world = await openExchangeWorld({ candle: () => still('50000'), dollars: 20_000, balances: { USDT: '9000000' } });
  const { context } = world;
  await world.goTo('12:31:00');
  const { id } = await world.place({ amount: 10_000 });
  await goWithout(new Date('2026-03-04T12:31:30Z'));
  await releaseVenue(context);
  await claimVenue(context.db, 'of before', new Date(context.now().getTime() + 24 * 3_600_000));
  await world.execute(3);
  expect((await world.trade(id))?.state).toBe('open');
});
