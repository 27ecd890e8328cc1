import type { Exchange } from 'ccxt';
import type { KyselyPlugin } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { toUnits } from '#test/fake-servers/exchange-orders.ts';
import {
  closePosition,
  findDoubles,
  type HedgeWorld,
  hedgeFor,
  openHedgeWorld,
  openPosition,
  openTestExchange,
  readHedge,
  readOrders,
  venueResult,
} from '#test/hedge-world.ts';
import { hedgeExposure } from '../index.ts';
import { ccxtVenue } from './venue-ccxt.ts';

let world: HedgeWorld;
afterEach(() => world.close());

class Killed extends Error {}

/** Ends a round before its step number `at`: a query, or a call to the exchange before it leaves or after it was answered. */
function killer(at: number) {
  let steps = 0;
  const step = () => {
    if (steps === at) throw new Killed();
    steps += 1;
  };
  return { step, count: () => steps };
}

const killingQueries = (step: () => void): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    step();
    return node;
  },
  transformResult: async ({ result }) => result,
});

function killCalls(exchange: Exchange, step: () => void): Exchange {
  const fetch = exchange.fetch.bind(exchange);
  exchange.fetch = async (...request: Parameters<typeof fetch>) => {
    step();
    const answer = await fetch(...request);
    step();
    return answer;
  };
  return exchange;
}

/** @returns whether the round was killed; a round with fewer steps than that ends by itself */
async function killRound(at: number): Promise<boolean> {
  const { step } = killer(at);
  const exchange = killCalls(await openTestExchange(world.node), step);
  const context: Context = { ...world.context, db: world.context.db.withPlugin(killingQueries(step)) };
  try {
    await hedgeExposure(context, await ccxtVenue(context, exchange));
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}

/** What a process started anew does until nothing is left to do. */
async function recover(): Promise<void> {
  await hedgeFor(world, 2);
  world.clock.advance(15);
  await hedgeFor(world, 3);
}

const dollarsAt = () => world.node.account.balances.get('USDT') as bigint;

test('killed before any step, buying or selling: no order doubled, every fill booked once', {
  timeout: 300_000,
}, async () => {
  world = await openHedgeWorld();
  const { context, node } = world;
  Object.assign(node.account.book, { pieces: 2, slippageBps: 7n, feeBps: 0n });
  Object.assign(node.market.pairs.get('BTCUSDT') as object, { lastPrice: '50000.00' });
  const began = dollarsAt();
  let gross = 0n;
  let kills = 0;
  let isKilled = true;
  for (let at = 0; isKilled; at += 1) {
    const id = await openPosition(context, 'btc', 10_000_000_000n, '50000');
    const isKilledBuying = await killRound(at);
    await recover();
    gross += await closePosition(context, id, '50100');
    const isKilledSelling = await killRound(at);
    await recover();
    expect({ at, found: await findDoubles(context, node) }).toEqual({ at, found: [] });
    expect(await readHedge(context, 'btc')).toMatchObject({ held: '0', members_cash: gross });
    expect((dollarsAt() - began) / 100n).toBe(gross + (await venueResult(context)));
    kills += Number(isKilledBuying) + Number(isKilledSelling);
    isKilled = isKilledBuying || isKilledSelling;
  }
  // Every step of a whole round was there: plan, send, look, book.
  expect(kills).toBeGreaterThan(50);
  expect((await readOrders(context)).filter(({ state }) => state !== 'filled')).toEqual([]);
  expect(node.account.balances.get('BTC') ?? 0n).toBe(toUnits('0'));
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('killed before any step after an order that was only partly filled', { timeout: 300_000 }, async () => {
  world = await openHedgeWorld();
  const { context, node } = world;
  Object.assign(node.market.pairs.get('BTCUSDT') as object, { lastPrice: '50000.00' });
  let isKilled = true;
  for (let at = 0; isKilled; at += 1) {
    Object.assign(node.account.book, { filledBps: 4_000n, feeBps: 10n });
    await openPosition(context, 'btc', 1_000_000_000n, '50000');
    isKilled = await killRound(at);
    node.account.book.filledBps = 10_000n;
    await recover();
    expect({ at, found: await findDoubles(context, node) }).toEqual({ at, found: [] });
  }
  const hedge = await readHedge(context, 'btc');
  expect(toUnits(hedge?.held ?? '0')).toBe(node.account.balances.get('BTC'));
});
