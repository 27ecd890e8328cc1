import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { findDiscrepancies } from '#server/operator/index.ts';
import { reportVenue } from '#server/trading/index.ts';
import { findIncomeFaults } from '#test/income/replays.ts';
import { runs } from '#test/kit/property-runs.ts';
import { endDay, settleAll } from '#test/worlds/exchange-days.ts';
import { DAY, exchange } from '#test/worlds/exchange-sessions.ts';
import { closing, exchangeTroubles } from '#test/worlds/exchange-steps.ts';
import { findDuplicates } from '#test/worlds/exchange-world.ts';
import { healAll, leave } from './leave.ts';
import { look } from './look.ts';
import { alone, deposit, memberSteps, type Step } from './member-steps.ts';
import { operatorSteps } from './operator-steps.ts';
import { type Lives, openLives } from './world.ts';

/** The same examples in each run; another number plays others. */
const SEED = 11;
/** What each of the first two has, in dollars. */
const PAID_IN = 2000;
/** Nights until the last account has to be closed. */
const NIGHTS = 6;
/** Steps that are taken at once. */
const TOGETHER = 4;

/** On paper, nothing happens at an exchange. */
const atExchange: fc.Arbitrary<Step> = exchangeTroubles.map((trouble) => ({
  isAlone: true,
  take: async ({ sessions }) => sessions && trouble.take(sessions),
  [fc.toStringMethod]: () => fc.stringify(trouble),
}));
const drawn = [...memberSteps, ...operatorSteps, [12, atExchange], [2, alone(look)]] as const;
const weighted = drawn.map(([weight, arbitrary]) => ({ weight, arbitrary }));
const steps = fc.array(fc.oneof(...weighted), { minLength: 24, maxLength: 48, size: 'max' });
const day = fc.record({ steps, areTogether: fc.boolean(), closing });

/** One by one, or some at once while time goes by. */
async function takeAll(world: Lives, all: readonly Step[], areTogether: boolean) {
  const rest = [...all];
  for (let first = rest.shift(); first !== undefined; first = rest.shift()) {
    const group = [first];
    if (areTogether && !first.isAlone)
      while (group.length < TOGETHER && rest[0]?.isAlone === false) group.push(rest.shift() as Step);
    const others = group.length > 1 ? [world.wait(2, 1)] : [];
    await Promise.all([...group.map(({ take }) => take(world)), ...others]);
  }
}

async function expectRight(world: Lives) {
  const { context, sessions, lives, acknowledged } = world;
  expect(await findDiscrepancies(context)).toEqual([]);
  expect(await findIncomeFaults(context)).toEqual([]);
  const left = await sql`
    select member_id, class, balance from ledger.account
    where member_id = any(${lives.map(({ memberId }) => memberId)}::bigint[]) and balance <> 0`.execute(context.db);
  expect(left.rows).toEqual([]);
  const trades = await listRows(context.db)<{ id: string; state: string; placed: bigint; ended: bigint }>`
    select t.id::text, t.state, p.placed, p.ended from trading.trade t cross join lateral (
      select sum(amount) filter (where reason = 'trade_place')::bigint as placed,
        sum(amount) filter (where reason in ('trade_cancel', 'trade_fee', 'trade_return', 'trade_loss'))::bigint as ended
      from ledger.transfer where reference = 'trade ' || t.id) p`;
  const isOver = ({ state, placed, ended }: (typeof trades)[number]) =>
    (state === 'settled' || state === 'cancelled') && placed === ended;
  expect(trades.filter((trade) => !isOver(trade))).toEqual([]);
  const placed = new Map(trades.map((trade) => [trade.id, Number(trade.placed) / 1e6]));
  expect([...acknowledged].filter(([id, dollars]) => placed.get(id) !== dollars)).toEqual([]);
  if (sessions === undefined) return;
  expect(await findDuplicates(context, sessions.node, sessions.desk.apart)).toEqual([]);
  const { findings, unfinished, halted } = await reportVenue(context, sessions.venue);
  expect({ findings, unfinished, halted }).toEqual({ findings: [], unfinished: [], halted: [] });
}

test('whatever members do in their lives, everybody leaves with everything, and every amount is where the books say', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(exchange), fc.nat({ max: 6 }), fc.tuple(day, day), async (id, phase, days) => {
      const world = await openLives(id, phase);
      try {
        for (const life of world.lives) await deposit(world, life, PAID_IN, { choice: 'full' });
        for (const one of days) {
          await takeAll(world, one.steps, one.areTogether);
          if (world.sessions === undefined) await world.wait(DAY, 60);
          else await endDay(world.sessions, one.closing);
          expect(await findDiscrepancies(world.context)).toEqual([]);
        }
        await healAll(world);
        let staying: string[] = ['everybody'];
        for (let night = 0; night < NIGHTS && staying.length > 0; night += 1) {
          staying = await leave(world);
          await world.wait(DAY, 120);
          if (world.sessions !== undefined) await settleAll(world.sessions);
        }
        expect(staying).toEqual([]);
        await expectRight(world);
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs(3), seed: SEED, endOnFailure: true },
  );
});
