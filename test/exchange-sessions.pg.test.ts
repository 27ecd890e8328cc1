import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incomeReasons } from '#contract/ledger-reasons.ts';
import { sumIncomesBetween } from '#server/ledger/index.ts';
import { findDiscrepancies } from '#server/operator/index.ts';
import { listPlans, listTrades, redeemPlan, reportVenue } from '#server/trading/index.ts';
import { findIncomeFaults } from '#test/income/replays.ts';
import { runs } from '#test/kit/property-runs.ts';
import { endDay, heal, settleAll } from '#test/worlds/exchange-days.ts';
import { DAY, DOLLARS, exchange, openSessionsWorld, type SessionsWorld } from '#test/worlds/exchange-sessions.ts';
import { day } from '#test/worlds/exchange-steps.ts';
import { findDuplicates } from '#test/worlds/exchange-world.ts';

/** The same examples in each run; another number plays others. */
const SEED = 302;

async function hasOpenTrades({ members, trades }: SessionsWorld): Promise<boolean> {
  const all = await Promise.all(members.map((memberId) => trades(memberId)));
  return all.flat().some(({ state }) => state !== 'settled' && state !== 'cancelled');
}

async function expectRight(world: SessionsWorld) {
  const { context, node, desk } = world;
  for (const [index, memberId] of world.members.entries()) {
    const { items } = await listPlans(context.db, { memberId, limit: 100 });
    for (const { id, state } of items) if (state !== 'redeemed') await redeemPlan(context, memberId, BigInt(id));
    const balances = await world.balances(memberId);
    expect(balances).toMatchObject({ trade_escrow: 0n, investment: 0n });
    const given = world.given.filter((one) => one.who === index).map(({ dollars }) => dollars);
    const { items: trades } = await listTrades(context.db, { memberId, limit: 1000 });
    const results = trades.map(({ result }) => BigInt(Math.round((result ?? 0) * 1e6)));
    const incomes = Object.values(await sumIncomesBetween(context.db, memberId, incomeReasons));
    const expected = [...results, ...incomes, ...given.map((dollars) => BigInt(dollars) * 1_000_000n)].reduce(
      (total, micros) => total + micros,
      BigInt(DOLLARS) * 1_000_000n,
    );
    expect(balances.primary + balances.profit).toBe(expected);
  }
  expect(await findDuplicates(context, node, desk.apart)).toEqual([]);
  expect(await findDiscrepancies(context)).toEqual([]);
  expect(await findIncomeFaults(context)).toEqual([]);
  const { findings, unfinished, halted, venue } = await reportVenue(context, world.venue);
  expect({ findings, unfinished, halted, venue: venue.state }).toEqual({
    ...{ findings: [], unfinished: [], halted: [], venue: 'up' },
  });
}

test('whatever members, operators and the exchange do in two sessions, all trades end, and every amount is where the books say', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(exchange, fc.tuple(day, day), fc.nat({ max: 6 }), async (id, days, phase) => {
      const world = await openSessionsWorld(id, phase);
      const { context } = world;
      try {
        for (const { before, during, close: end } of days) {
          for (const { take } of before) await take(world);
          await world.wait(15);
          for (const { take } of during) await take(world);
          expect(await findDiscrepancies(context)).toEqual([]);
          await endDay(world, end);
        }
        await heal(world);
        // What was carried over is sold in the next session; what needs a booking before, in the one after it.
        for (let session = 0; session === 0 || (session < 3 && (await hasOpenTrades(world))); session += 1) {
          await world.wait(DAY, DAY);
          await settleAll(world);
        }
        await expectRight(world);
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs(5), seed: SEED, endOnFailure: true },
  );
});
