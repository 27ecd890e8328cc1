import assert from 'node:assert';
import fc from 'fast-check';
import { runMarket } from '#server/income/index.ts';
import { Refused } from '#server/refused.ts';
import type { testClock } from './builders.ts';
import { openDesk } from './exchange-desk.ts';
import { openExchangeWorld } from './exchange-world.ts';
import { giveFunds, signUp } from './members.ts';

const BASES = { btc: 50_000, eth: 2500 } as const;
export const symbols = Object.keys(BASES) as (keyof typeof BASES)[];
const MINUTE_MS = 60_000;
export const DAY = 1440;
const FROM = Date.parse('2026-03-04T12:00:00Z');
const DAYS = 7;
/** Of three rounds. */
const MAX_CALLS = 300;
export const DOLLARS = 9000;

export const exchange = fc.constantFrom('binance', 'kraken', 'okx');

/** Prices that swing by some percent. */
export const swinging = (phase: number) => ({
  symbols,
  minutes: DAYS * DAY,
  candle: (symbol: string, time: Date) => {
    const minute = (time.getTime() - FROM) / MINUTE_MS;
    const swing = 1 + 0.03 * Math.sin(minute / 41 + phase) + 0.015 * Math.sin(minute / 7 + phase * 2);
    const price = (BASES[symbol as keyof typeof BASES] * swing).toFixed(2);
    return [price, price, price, price] as const;
  },
});

/** Lets time go by: minute by minute while a session closes, and past the night, at most to the next day. */
export function letTimePass(
  clock: ReturnType<typeof testClock>,
  goTo: (until: Date, rounds: number, isNight: boolean) => Promise<unknown>,
) {
  let at = FROM / MINUTE_MS + 20;
  return async (minutes: number, longest = 30, rounds = 3) => {
    for (let left = minutes; left > 0; ) {
      const minute = at % DAY;
      const [closing, night] = [17 * 60 + 24, 17 * 60 + 34];
      const jump =
        minute < closing ? Math.min(left, longest, closing - minute) : minute < night ? 1 : DAY - minute + 12 * 60 + 20;
      at += jump;
      left = minute < night ? left - jump : 0;
      clock.advance(jump * 60);
      await goTo(new Date(at * MINUTE_MS + 5000), rounds, minute >= night);
    }
  };
}

/** Anna, Ben whom she invited, and operators, at an exchange whose prices swing; incomes are paid. */
export async function openSessionsWorld(id: string, phase: number) {
  const world = await openExchangeWorld({ exchange: id, dollars: DOLLARS, ...swinging(phase) }, runMarket);
  const desk = await openDesk(world);
  await desk.fund(1_000_000n);
  await world.execute(1);
  // Statements begin with our first move or fill. Money was moved, but recorded only as transfers.
  await desk.importStatement();
  const ben = await signUp(world.context, { name: 'Ben', sponsorCode: world.ann.referralCode });
  await giveFunds(world.context, ben.memberId, BigInt(DOLLARS) * 1_000_000n);
  const members = [world.memberId, ben.memberId];
  const wait = letTimePass(world.clock, async (until, rounds, isNight) => {
    const calls = world.node.signedCalls.length;
    await world.goTo(until, rounds);
    assert(world.node.signedCalls.length - calls < MAX_CALLS, 'calls without end');
    await desk.bookOwn();
    if (isNight) await desk.importDue();
  });
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

export type Step = { readonly take: (world: SessionsWorld) => Promise<unknown> };

/** A step whose refusal is an answer as well; printed as what was drawn. */
export const step = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  take: (world: SessionsWorld, value: T) => unknown,
): fc.Arbitrary<Step> =>
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

export const memberOf = ({ members }: SessionsWorld, index: number) => members[index] as bigint;
