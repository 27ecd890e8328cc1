import fc from 'fast-check';
import { Refused } from '#server/refused.ts';
import { ccxtVenue } from '#server/trading/execution/venue-ccxt.ts';
import {
  cancelTrade,
  closeTrade,
  executeBatches,
  listPlans,
  redeemPlan,
  releaseVenue,
  setTradeStops,
} from '#server/trading/index.ts';
import { pausePlan, resumePlan } from '#server/trading/plans/change-plan.ts';
import { isKilled, KillAt, killedContext } from '#test/database/kill-at.ts';
import type { FakeExchange } from '#test/fake-servers/exchange.ts';
import type { Answer } from '#test/fake-servers/serve-json.ts';
import type { Decision } from './exchange-desk.ts';
import { memberOf, type Step, step, symbols, type SessionsWorld as World } from './exchange-sessions.ts';
import { killCalls, openTestExchange, openTestVenue } from './exchange-world.ts';
import { giveFunds } from './members.ts';

const symbol = fc.constantFrom(...symbols);
const who = fc.nat({ max: 1 });
const one = fc.record({ who, which: fc.nat() });
const pick = <T>(all: readonly T[], which: number): T => {
  const found = all[which % all.length];
  if (found === undefined) throw new Refused('trade_not_found');
  return found;
};
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
  // 25: more than Kraken answers about at once, and statements of several pages.
  pieces: fc.constantFrom(1, 2, 3, 25),
  slippageBps: fc.constantFrom(0n, 4n),
  feeCoin: fc.constantFrom('received' as const, 'dollar' as const),
  keepsRest: fc.boolean(),
  fillsLag: fc.nat({ max: 2 }),
  orderDelayMs: fc.constantFrom(0, 0, 1500, 4000),
  fillsDelayMs: fc.constantFrom(0, 0, 2500, 20_000, 100_000),
  feeBps: fc.constantFrom(0n, 10n, 10n),
});
export const healthy = {
  filledBps: 10_000n,
  coinsAPiece: '1000',
  pieces: 1,
  slippageBps: 0n,
  keepsRest: false,
  fillsLag: 0,
  orderDelayMs: 0,
  fillsDelayMs: 0,
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
  fc.record({
    who,
    tradeId: symbol,
    amount: fc.integer({ min: 100, max: 3000 }),
    compounding: fc.boolean(),
    strategy: fc.constantFrom('session_hold' as const, 'momentum' as const, 'mean_reversion' as const),
  }),
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

const changeBook = step('book', book, ({ node }, change) =>
  // Kraken is asked to take fees in dollars.
  Object.assign(node.account.book, change, node.id === 'kraken' && { feeCoin: 'dollar' }),
);
const call = fc.constantFrom<keyof FakeExchange['calls']>('send', 'find', 'fills', 'balances');
const changeStatus = step(
  'status',
  fc.record({ of: symbol, status: fc.constantFrom('BREAK', 'TRADING', 'TRADING') }),
  ({ desk, node }, { of, status }) => Object.assign(desk.pairs.get(node.nameOf(of)) as object, { status }),
);
/** Answers to more calls than were allowed for long. */
const bans: Readonly<Record<string, Answer>> = {
  binance: {
    ...{ status: 418, headers: { 'retry-after': '120' } },
    body: { code: -1003, msg: 'Way too much request weight used; IP banned until 1772625600000.' },
  },
  kraken: { status: 200, body: { error: ['EGeneral:Temporary lockout'] } },
  okx: { status: 403, body: 'Access denied' },
};
const trouble = step(
  'trouble',
  fc.record({
    call,
    how: fc.constantFrom(
      ...(['break', 'do_and_break', 'do_and_hang', 'do_and_cut', 'do_and_html', 'delay'] as const),
      ...(['busy', 'maintenance', 'tooMany', 'ban'] as const),
    ),
  }),
  ({ node }, { call, how }) =>
    node.interferences.push({
      call: node.calls[call],
      with:
        how === 'ban'
          ? (bans[node.id] as Answer)
          : how === 'busy' || how === 'maintenance' || how === 'tooMany'
            ? node.answers[how]
            : how,
    }),
);
const seconds = step('seconds', fc.integer({ min: 1, max: 20 }), (world, rounds) => world.execute(rounds));
const terms = step(
  'terms',
  fc.record({
    of: symbol,
    stepSize: fc.constantFrom('0.00001', '0.001', '0.01'),
    minNotional: fc.constantFrom('0.5', '5', '50'),
    tickSize: fc.constantFrom('0.01', '0.1', '1'),
  }),
  ({ desk, node }, { of, ...changed }) => Object.assign(desk.pairs.get(node.nameOf(of)) as object, changed),
);

const order = fc.record({ who, tradeId: symbol, amount: fc.integer({ min: 100, max: 2500 }) });

/** The worker is killed while it trades, and started again some seconds later. */
const kill = step(
  'kill',
  fc.record({ ...{ ask: order }, at: fc.integer({ min: 3, max: 70 }), after: fc.nat({ max: 20 }) }),
  async (world, { ask: { who: index, ...input }, at, after }) => {
    await world.place(input, memberOf(world, index));
    await world.wait(1, 1, 0);
    const killed = new KillAt(at);
    const connection = killCalls(await openTestExchange(world.node), killed);
    const context = killedContext(world.context, killed);
    await isKilled(async () => executeBatches(context, await ccxtVenue(context, connection)));
    world.clock.advance(after);
    await world.restart();
    await world.execute(3);
  },
);

/** A second worker takes over while the first still trades. */
const second = step(
  'second worker',
  fc.record({ ask: order, calls: fc.nat({ max: 8 }) }),
  async (world, { ask: { who: index, ...input }, calls }) => {
    await world.place(input, memberOf(world, index));
    await world.wait(1, 1, 0);
    const { context, node } = world;
    const other = killedContext(context, new KillAt(Number.POSITIVE_INFINITY));
    const until = node.signedCalls.length + calls;
    let isDone = false;
    const first = executeBatches(context, world.venue, 'first').finally(() => {
      isDone = true;
    });
    while (!isDone && node.signedCalls.length < until) await new Promise((resolve) => setTimeout(resolve, 1));
    await releaseVenue(context, 'first');
    await Promise.all([first, executeBatches(other, await openTestVenue(other, node), 'second')]);
    await releaseVenue(context, 'second');
    await releaseVenue(context, 'first');
    await world.restart();
  },
);
const restart = step('restart', fc.constant(null), (world) => world.restart());
const deliverLate = step('deliver late', fc.constant(null), ({ node }) => node.deliverLate());
const wait = step('wait', fc.integer({ min: 1, max: 110 }), (world, minutes) => world.wait(minutes));

/** What operators do, and what happens to the exchange beside single calls. */
const decision = fc.constantFrom<Decision>('approve', 'approve', 'approve', 'reject', 'leave');
const isRarely = fc.constantFrom(true, false, false);
const halts = step('halt', isRarely, ({ desk }, isHalted) => (isHalted ? desk.halt() : desk.lift()));
const switches = step('asset', fc.record({ of: symbol, isOff: isRarely }), ({ desk }, { of, isOff }) =>
  desk.switchAsset(of, !isOff),
);
const spread = step(
  'spread',
  fc.record({ of: symbol, bps: fc.constantFrom(0, 10, 60, 100) }),
  ({ desk }, { of, bps }) => desk.setSpread(of, bps),
);
const limit = step(
  'limit',
  fc.record({ of: symbol, all: fc.constantFrom(null, null, 500, 2000), decision }),
  ({ desk }, { of, all, decision: how }) => desk.setLimit(of, all, how),
);
const freeze = step('freeze', fc.record({ who, isFrozen: isRarely }), (world, { who: index, isFrozen }) =>
  world.desk.freeze(memberOf(world, index), isFrozen),
);
const listing = step('list', fc.record({ of: symbol, isGone: isRarely }), ({ desk }, { of, isGone }) =>
  isGone ? desk.delist(of) : desk.list(of),
);
const forget = step('forget', fc.boolean(), ({ desk }, is) => (is ? desk.forget() : desk.remember()));
/** More than was ordered. */
const TOO_MUCH = '999999.00000000';
export const unlikely = { order: { executedQty: TOO_MUCH, vol_exec: TOO_MUCH, accFillSz: TOO_MUCH } };
const lie = step('lie', fc.boolean(), ({ node }, is) => node.lies.splice(0, Infinity, ...(is ? [unlikely] : [])));
const silence = step('silence', fc.record({ call, times: fc.integer({ min: 20, max: 200 }) }), ({ node }, silent) => {
  for (let time = 0; time < silent.times; time += 1)
    node.interferences.push({ call: node.calls[silent.call], with: 'break' });
});
const clock = step('clock', fc.constantFrom(-7200, -20, -3, 3, 20, 7200, 0), ({ desk }, seconds) =>
  seconds === 0 ? desk.rightClock() : desk.shiftClock(seconds),
);
const deposit = step('deposit', fc.record({ who, dollars: fc.integer({ min: 1, max: 500 }) }), async (world, given) => {
  const id = memberOf(world, given.who);
  world.given.push({ who: given.who, dollars: given.dollars });
  await giveFunds(world.context, id, BigInt(given.dollars) * 1_000_000n, `test/more/${world.given.length}`);
});
const byHand = step(
  'by hand',
  fc.record({
    of: symbol,
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    coins: fc.constantFrom('0.001', '0.01', '0.1'),
  }),
  ({ desk }, { of, side, coins }) => desk.tradeByHand(of, side, coins),
);
const sold = step(
  'sold',
  fc.record({ which: fc.nat(9), percent: fc.constantFrom(100, 100, 40), decision }),
  ({ desk }, { which, percent, decision: how }) => desk.bookOne(which, percent, how),
);
const importNow = step('import', fc.constant(null), ({ desk }) => desk.importStatement());
const settle = step(
  'settle',
  fc.record({ which: fc.nat(9), how: fc.constantFrom('booked' as const, 'explained' as const), decision }),
  ({ desk }, { which, how, decision: what }) => desk.settleOne(which, how, what),
);

const adjusted = step('adjusted', fc.integer({ min: 1, max: 900 }), ({ desk }, cents) => desk.adjust(cents));
const sellOwn = step(
  'sell own',
  fc.record({
    units: fc.constantFrom('0.0001', '0.02', '0.1'),
    percent: fc.constantFrom(97, 99, 102),
    decision,
  }),
  ({ desk }, { units, percent, decision: how }) => desk.sellOwn(units, percent, how),
);
const decideLeft = step('left', fc.constantFrom('approve' as const, 'reject' as const), ({ desk }, how) =>
  desk.decideLeft(how),
);

/** An order that the exchange took and does not answer about for an hour or two; then two operators may say what it did. */
const unanswered = step(
  'unanswered',
  fc.record({
    who,
    tradeId: symbol,
    amount: fc.integer({ min: 100, max: 2500 }),
    how: fc.constantFrom('lies' as const, 'forgets' as const, 'is silent' as const),
    minutes: fc.integer({ min: 50, max: 150 }),
    told: decision,
  }),
  async (world, { who: index, how, minutes, told, ...input }) => {
    const { node, desk } = world;
    await world.place(input, memberOf(world, index));
    if (how === 'lies') node.lies.push(unlikely);
    else
      node.interferences.push(
        ...Array.from({ length: how === 'forgets' ? 1 : 200 }, () => ({
          call: node.calls.find,
          with: 'break' as const,
        })),
      );
    if (how === 'forgets') {
      await world.wait(1);
      await desk.forget();
    }
    await world.wait(minutes);
    await desk.bookOne(index, 100, told);
  },
);

/** Pairs that cannot be traded at the close, so that positions are carried over; and what operators do about these. */
export const closing = fc.record({
  gone: fc.option(
    fc.record({
      of: symbol,
      how: fc.constantFrom('BREAK' as const, 'delist' as const, 'lie' as const, 'silent' as const),
    }),
  ),
  sales: fc.array(fc.record({ which: fc.nat(9), percent: fc.constantFrom(100, 40), decision }), { maxLength: 3 }),
});

export type Closing = typeof closing extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What happens before and during a session, and from its close to the next day. */
export const day = fc.record({
  before: steps(
    {
      8: [plan],
      4: [place, changeBook],
      2: [settle, byHand, deposit, decideLeft],
      1: [
        ...[redeemPlan, pausePlan, resumePlan].map((change) => step(change.name, one, ofPlan(change))),
        ...[cancel, trouble, changeStatus, halts, switches, spread, limit, freeze, listing, importNow, clock],
      ],
    },
    10,
  ),
  during: steps(
    {
      10: [wait],
      6: [place, changeBook],
      5: [unanswered],
      3: [close, stops, trouble],
      2: [changeStatus, lie, sold, listing, decideLeft, sellOwn, kill, second, seconds],
      1: [
        restart,
        deliverLate,
        halts,
        switches,
        spread,
        limit,
        freeze,
        silence,
        clock,
        deposit,
        byHand,
        settle,
        forget,
        terms,
        adjusted,
      ],
    },
    16,
  ),
  close: closing,
});

/** What goes wrong at an exchange and with the workers that trade there, and what operators do about it. */
export const exchangeTroubles = fc.oneof(
  { weight: 5, arbitrary: changeBook },
  ...[trouble, kill, second, unanswered].map((arbitrary) => ({ weight: 3, arbitrary })),
  ...[changeStatus, switches, sold, decideLeft, importNow, restart, deliverLate, silence, lie, terms, seconds],
);
