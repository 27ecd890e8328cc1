import fc from 'fast-check';
import { Refused } from '#server/refused.ts';
import { cancelTrade, closeTrade, listPlans, redeemPlan, setTradeStops } from '#server/trading/index.ts';
import { pausePlan, resumePlan } from '#server/trading/plans/change-plan.ts';
import type { FakeExchange } from '#test/fake-servers/exchange.ts';
import { type Decision, openDesk } from './exchange-desk.ts';
import { openExchangeWorld } from './exchange-world.ts';
import { giveFunds } from './members.ts';

const BASES = { btc: 50_000, eth: 2500 } as const;
export const symbols = Object.keys(BASES) as (keyof typeof BASES)[];
const MINUTE_MS = 60_000;
export const DAY = 1440;
const FROM = Date.parse('2026-03-04T12:00:00Z');
const DAYS = 7;
export const DOLLARS = 9000;

export const exchange = fc.constantFrom('binance', 'kraken', 'okx');

/** Two members and operators at an exchange whose prices swing by some percent. */
export async function openSessionsWorld(id: string, phase: number) {
  const world = await openExchangeWorld({
    exchange: id,
    symbols,
    dollars: DOLLARS,
    minutes: DAYS * DAY,
    candle: (symbol, time) => {
      const minute = (time.getTime() - FROM) / MINUTE_MS;
      const swing = 1 + 0.03 * Math.sin(minute / 41 + phase) + 0.015 * Math.sin(minute / 7 + phase * 2);
      const price = (BASES[symbol as keyof typeof BASES] * swing).toFixed(2);
      return [price, price, price, price];
    },
  });
  const desk = await openDesk(world);
  await desk.fund(1_000_000n);
  await world.execute(1);
  const members = [world.memberId, (await world.member('Ben')).memberId];
  let at = FROM / MINUTE_MS + 20;
  /** Minute by minute while a session closes, and past the night, at most to the next day. */
  const wait = async (minutes: number, longest = 30) => {
    for (let left = minutes; left > 0; ) {
      const minute = at % DAY;
      const [closing, night] = [17 * 60 + 24, 17 * 60 + 34];
      const jump =
        minute < closing ? Math.min(left, longest, closing - minute) : minute < night ? 1 : DAY - minute + 12 * 60 + 20;
      at += jump;
      left = minute < night ? left - jump : 0;
      world.clock.advance(jump * 60);
      await world.goTo(new Date(at * MINUTE_MS + 5000));
      if (minute >= night) await desk.importDue();
    }
  };
  const given: { who: number; dollars: number }[] = [];
  return {
    ...world,
    /** The newest: Kraken takes no nonce of an earlier connection. */
    get venue() {
      return world.venue;
    },
    desk,
    members,
    given,
    wait,
  };
}
export type SessionsWorld = Awaited<ReturnType<typeof openSessionsWorld>>;
type World = SessionsWorld;

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
  // 25: more than Kraken answers about at once, and statements of several pages.
  pieces: fc.constantFrom(1, 2, 3, 25),
  slippageBps: fc.constantFrom(0n, 4n),
  feeCoin: fc.constantFrom('received' as const, 'dollar' as const),
  keepsRest: fc.boolean(),
  fillsLag: fc.nat({ max: 2 }),
});
export const healthy = {
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
const trouble = step(
  'trouble',
  fc.record({
    call,
    how: fc.constantFrom('break', 'do_and_break', 'do_and_hang', 'delay', 'busy', 'maintenance', 'tooMany'),
  }),
  ({ node }, { call, how }) =>
    node.interferences.push({
      call: node.calls[call],
      with: how === 'busy' || how === 'maintenance' || how === 'tooMany' ? node.answers[how] : how,
    }),
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
const closing = fc.record({
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
        ...[cancel, trouble, changeStatus, halts, switches, freeze, listing, importNow, clock],
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
      2: [changeStatus, lie, sold, listing, decideLeft],
      1: [restart, deliverLate, halts, switches, freeze, silence, clock, deposit, byHand, settle, forget],
    },
    16,
  ),
  close: closing,
});
