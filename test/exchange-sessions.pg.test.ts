import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDiscrepancies } from '#server/operator/index.ts';
import { Refused } from '#server/refused.ts';
import { cancelTrade, closeTrade, listPlans, redeemPlan, reportVenue, setTradeStops } from '#server/trading/index.ts';
import { pausePlan, resumePlan } from '#server/trading/plans/change-plan.ts';
import type { FakeExchange } from '#test/fake-servers/exchange.ts';
import { runs } from '#test/kit/property-runs.ts';
import { findDuplicates, openExchangeWorld } from '#test/worlds/exchange-world.ts';

const BASES = { btc: 50_000, eth: 2500 } as const;
const symbols = Object.keys(BASES) as (keyof typeof BASES)[];
const MINUTE_MS = 60_000;
const DAY = 1440;
const FROM = Date.parse('2026-03-04T12:00:00Z');
const DAYS = 6;
/** The same examples in each run; another number plays others. */
const SEED = 30;

/** Two members at an exchange whose prices swing by some percent. */
async function openWorld(phase: number) {
  const world = await openExchangeWorld({
    symbols,
    dollars: 9000,
    minutes: DAYS * DAY,
    candle: (symbol, time) => {
      const minute = (time.getTime() - FROM) / MINUTE_MS;
      const swing = 1 + 0.03 * Math.sin(minute / 41 + phase) + 0.015 * Math.sin(minute / 7 + phase * 2);
      const price = (BASES[symbol as keyof typeof BASES] * swing).toFixed(2);
      return [price, price, price, price];
    },
  });
  await world.execute(1);
  const members = [world.memberId, (await world.member('Ben')).memberId];
  let at = FROM / MINUTE_MS + 20;
  /** Minute by minute while a session closes, and past the night, at most to the next day. */
  const wait = async (minutes: number) => {
    for (let left = minutes; left > 0; ) {
      const minute = at % DAY;
      const [closing, night] = [17 * 60 + 24, 17 * 60 + 34];
      const jump =
        minute < closing ? Math.min(left, 30, closing - minute) : minute < night ? 1 : DAY - minute + 12 * 60 + 20;
      at += jump;
      left = minute < night ? left - jump : 0;
      world.clock.advance(jump * 60);
      await world.goTo(new Date(at * MINUTE_MS + 5000));
    }
  };
  return { ...world, members, wait };
}
type World = Awaited<ReturnType<typeof openWorld>>;

type Step = { readonly take: (world: World) => Promise<unknown> };

/** A step whose refusal is an answer as well; printed as what was drawn. */
const step = <T>(name: string, drawn: fc.Arbitrary<T>, take: (world: World, value: T) => unknown): fc.Arbitrary<Step> =>
  drawn.map((value) => ({
    take: async (world) => {
      try {
        await take(world, value);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    },
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  }));

const symbol = fc.constantFrom(...symbols);
const who = fc.nat({ max: 1 });
const one = fc.record({ who, which: fc.nat() });
const pick = <T>(all: readonly T[], which: number): T => {
  const found = all[which % all.length];
  if (found === undefined) throw new Refused('trade_not_found');
  return found;
};
const memberOf = ({ members }: World, index: number) => members[index] as bigint;

const ofTrade =
  (change: (world: World, memberId: bigint, id: bigint) => unknown) =>
  async (world: World, value: { who: number; which: number }) => {
    const memberId = memberOf(world, value.who);
    const live = (await world.trades(memberId)).filter(({ state }) => state === 'queued' || state === 'open');
    return change(world, memberId, BigInt(pick(live, value.which).id));
  };
const ofPlan =
  (change: typeof redeemPlan) =>
  async ({ context, ...world }: World, value: { who: number; which: number }) => {
    const memberId = memberOf({ context, ...world }, value.who);
    const { items } = await listPlans(context.db, { memberId, limit: 100 });
    return change(
      context,
      memberId,
      BigInt(
        pick(
          items.filter(({ state }) => state !== 'redeemed'),
          value.which,
        ).id,
      ),
    );
  };

const book = fc.record({
  filledBps: fc.constantFrom(0n, 2500n, 6000n, 9000n, 10_000n),
  coinsAPiece: fc.constantFrom('0.003', '0.02', '0.3', '1000'),
  pieces: fc.integer({ min: 1, max: 3 }),
  slippageBps: fc.constantFrom(0n, 4n),
  feeCoin: fc.constantFrom('received' as const, 'dollar' as const),
  keepsRest: fc.boolean(),
  fillsLag: fc.nat({ max: 2 }),
});
const healthy = {
  filledBps: 10_000n,
  coinsAPiece: '1000',
  pieces: 1,
  slippageBps: 0n,
  keepsRest: false,
  fillsLag: 0,
} as const;

/** By how often each is drawn. */
const steps = (drawn: Record<number, readonly fc.Arbitrary<Step>[]>, most: number) =>
  fc.array(
    fc.oneof(
      ...Object.entries(drawn).flatMap(([weight, all]) =>
        all.map((arbitrary) => ({ weight: Number(weight), arbitrary })),
      ),
    ),
    { minLength: most / 2, maxLength: most },
  );

const plan = step(
  'plan',
  fc.record({ who, tradeId: symbol, amount: fc.integer({ min: 100, max: 3000 }), compounding: fc.boolean() }),
  (world, { who: index, ...input }) => world.createPlan(input, memberOf(world, index)),
);
const place = step(
  'place',
  fc.record({ who, tradeId: symbol, amount: fc.integer({ min: 5, max: 2500 }) }),
  (world, { who: index, ...input }) => world.place(input, memberOf(world, index)),
);
const close = step(
  'close',
  one,
  ofTrade(({ context }, ...trade) => closeTrade(context, ...trade)),
);
const cancel = step(
  'cancel',
  one,
  ofTrade(({ context }, ...trade) => cancelTrade(context, ...trade)),
);
const allStops = { stop_loss: 1, take_profit: 1, trailing_stop: 1 };
const stops = step(
  'stops',
  one,
  ofTrade(({ context }, ...trade) => setTradeStops(context, ...trade, allStops)),
);

const changeBook = step('book', book, ({ node }, change) => Object.assign(node.account.book, change));
const changeStatus = step(
  'status',
  fc.record({ of: symbol, status: fc.constantFrom('BREAK', 'TRADING') }),
  (world, { of, status }) => Object.assign(world.pair(of), { status }),
);
const trouble = step(
  'trouble',
  fc.record({
    call: fc.constantFrom<keyof FakeExchange['calls']>('send', 'find', 'fills', 'balances'),
    how: fc.constantFrom('break', 'do_and_break', 'do_and_hang', 'delay', 'busy', 'maintenance'),
  }),
  ({ node }, { call, how }) =>
    node.interferences.push({
      call: node.calls[call],
      with: how === 'busy' || how === 'maintenance' ? node.answers[how] : how,
    }),
);
const restart = step('restart', fc.constant(null), (world) => world.restart());
const deliverLate = step('deliver late', fc.constant(null), ({ node }) => node.deliverLate());
const wait = step('wait', fc.integer({ min: 1, max: 110 }), (world, minutes) => world.wait(minutes));

const day = fc.record({
  before: steps(
    {
      4: [plan],
      2: [place, changeBook],
      1: [
        ...[redeemPlan, pausePlan, resumePlan].map((change) => step(change.name, one, ofPlan(change))),
        cancel,
        trouble,
        changeStatus,
      ],
    },
    12,
  ),
  during: steps(
    { 8: [wait], 4: [place, changeBook], 2: [close, stops, trouble, changeStatus], 1: [restart, deliverLate] },
    24,
  ),
});

test('whatever members and the exchange do in two sessions, all trades end, and every amount is where the books say', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(day, day), fc.nat({ max: 6 }), async (days, phase) => {
      const world = await openWorld(phase);
      const { context, node } = world;
      try {
        for (const { before, during } of days) {
          for (const { take } of before) await take(world);
          await world.wait(15);
          for (const { take } of during) await take(world);
          expect(await findDiscrepancies(context)).toEqual([]);
          await world.wait(DAY);
        }
        node.interferences.length = 0;
        node.deliverLate();
        Object.assign(node.account.book, healthy);
        for (const pair of node.market.pairs.values()) pair.status = 'TRADING';
        // What was carried over is sold in the next session.
        await world.wait(DAY);
        for (const memberId of world.members) {
          const { items } = await listPlans(context.db, { memberId, limit: 100 });
          for (const { id, state } of items) if (state !== 'redeemed') await redeemPlan(context, memberId, BigInt(id));
          expect(await world.balances(memberId)).toMatchObject({ trade_escrow: 0n, investment: 0n });
        }
        expect(await findDuplicates(context, node)).toEqual([]);
        expect(await findDiscrepancies(context)).toEqual([]);
        const { findings, unfinished } = await reportVenue(context, world.venue);
        expect({ findings: findings.filter((line) => !line.startsWith('USDT')), unfinished }).toEqual({
          findings: [],
          unfinished: [],
        });
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs(6), seed: SEED, endOnFailure: true },
  );
});
