import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { payDue } from '#server/income/periods/pay-due.ts';
import { getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { runs } from '#test/kit/property-runs.ts';
import { testContext } from '#test/worlds/builders.ts';
import { executeBatch } from '#test/worlds/executed-batches.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { checkIncomes } from './check-incomes.ts';
import { computeIncomes, firstOf, type ModelIncomes, type ModelMember, mondayOf } from './model.ts';
import { randomPlan } from './random-plan.ts';
import { type SeedSession, type SeedTrade, seedMarket, seedMembers, seedSession, tradeOf } from './seed.ts';

/** Sessions around the ends of weeks, months and the 30 days of activity, with days without a session between them. */
const days = [
  '2026-01-17',
  '2026-01-18',
  '2026-01-19',
  '2026-01-31',
  '2026-02-01',
  '2026-02-16',
  '2026-02-17',
  '2026-02-18',
  '2026-03-02',
];
const PAID_UNTIL = '2026-03-02';
/** The week and the month that contain it keep the first rule. */
const UPGRADED_ON = '2026-01-20';
const TREES = 250;

/** Nodes by their parent, −1 for the company: from long chains to stars. */
const tree = fc
  .record({
    bends: fc.array(fc.nat(), { minLength: 1, maxLength: 24 }),
    shape: fc.constantFrom('chain', 'bush', 'star', 'any'),
  })
  .map(({ bends, shape }) =>
    bends.map((bend, index) => {
      if (index === 0) return -1;
      if (shape === 'chain') return bend % 5 === 0 ? bend % index : index - 1;
      if (shape === 'bush') return Math.floor((index - 1) / (2 + (bend % 2)));
      if (shape === 'star') return bend % Math.min(index, 3);
      return (bend % (index + 1)) - 1;
    }),
  );

const trade = fc.record({
  who: fc.nat({ max: 23 }),
  session: fc.nat({ max: days.length - 1 }),
  amountMicros: fc.oneof(
    fc.bigInt({ min: 1_000_000n, max: 9_000_000_000n }),
    fc.constantFrom(5_000_000n, 250_000_000n, 3_000_000_000n, 60_000_000_000n),
  ),
  /** Sold for this many thousandths of the amount. */
  soldPermille: fc.integer({ min: 800, max: 1250 }),
});

/** In two of three trees nobody leaves. */
const leaver = fc.record({ who: fc.nat({ max: 23 }), session: fc.nat({ max: 3 * days.length - 1 }) });

/** The exchange’s result in each session: zero on paper, sometimes a loss greater than the fees. */
const results = fc.array(
  fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: -50_000_000_000n, max: 1_000_000_000n }),
    fc.constantFrom(-1n, -(10n ** 15n)),
  ),
  { minLength: days.length, maxLength: days.length },
);

/** New plans, and the sessions that they apply from; also in the middle of a week and of a month. */
const changes = fc.array(fc.record({ from: fc.nat({ max: days.length - 1 }), terms: randomPlan }), { maxLength: 2 });

const forest = fc.array(fc.record({ tree, leaver, trades: fc.array(trade, { maxLength: 40 }) }), {
  minLength: TREES,
  maxLength: TREES,
});

/** The company is member 1; trees follow one another by id. */
function plant(
  drawn: readonly {
    tree: number[];
    leaver: { who: number; session: number };
    trades: { who: number; session: number; amountMicros: bigint; soldPermille: number }[];
  }[],
) {
  const members: ModelMember[] = [{ id: 1n, sponsorId: null }];
  const trees: Set<bigint>[] = [];
  const played: SeedTrade[][] = days.map(() => []);
  for (const { tree: above, leaver, trades } of drawn) {
    const first = members.length + 1;
    trees.push(new Set(above.map((_, place) => BigInt(first + place))));
    for (const [place, index] of above.entries()) {
      const on = place === leaver.who % above.length ? days[leaver.session] : undefined;
      const closed = on && { on, weeksFrom: mondayOf(on), monthsFrom: firstOf(on) };
      members.push({
        id: BigInt(first + place),
        sponsorId: index < 0 ? 1n : BigInt(first + index),
        closed: closed || undefined,
      });
    }
    for (const { who, session, amountMicros, soldPermille } of trades) {
      const memberId = BigInt(first + (who % above.length));
      played[session]?.push(tradeOf(memberId, amountMicros, (amountMicros * BigInt(soldPermille)) / 1000n));
    }
  }
  const sessions: SeedSession[] = days.map((day, index) => ({ day, trades: played[index] ?? [] }));
  return { members, trees, sessions: sessions.filter(({ trades }) => trades.length > 0) };
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const paidTransfers = async (db: Db) => {
  const { rows } = await sql<{ key: string; amount: bigint }>`
    select key, amount from ledger.transfer where key ~ '^(bonus|weekly|monthly)/' order by key`.execute(db);
  return rows.map(({ key, amount }) => `${key} ${amount}`);
};

const writtenLines = async (db: Db) => {
  const { rows } = await sql<Record<string, unknown>>`
    select session_day::text as day, member_id as "memberId", level, traders, volume, trade_fees as "tradeFees",
      performance_fees as "performanceFees", bonus, team_profit as "teamProfit", reason
    from income.bonus_line`.execute(db);
  return rows.map(asText).sort();
};

const writtenRewards = async (db: Db) => {
  const { rows } = await sql<{ id: string; month: string; nominal: bigint }>`
    select member_id || '/' || rank as id, month::text, nominal from income.reward`.execute(db);
  return rows.map(({ id, month, nominal }) => `${id} ${month} ${nominal}`).sort();
};

/** What members were paid from a pool in a period that counts each dollar once; rewards when they become claimable. */
const listTaken = (db: Db) => listRows(db)<{ period: string; id: bigint; amount: bigint }>`
    select kind || '/' || starts_on as period, member_id as id, line.paid as amount
    from income.period_run r join (
      select 'weekly' as kind, week as starts_on, member_id, paid from income.weekly_line
      union all select 'monthly', month, member_id, paid from income.monthly_line) as line using (kind, starts_on)
    where r.rule = 2 and line.paid > 0
    union all
    select 'rewards/' || month, member_id, nominal from income.reward
    where month in (select starts_on from income.period_run where kind = 'monthly' and rule = 2)`;

/** Trees and periods that were paid more than their own fees. */
async function listRobbers(db: Db, trees: readonly ReadonlySet<bigint>[], { puts }: ModelIncomes) {
  const taken = await listTaken(db);
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  return trees.flatMap((tree) =>
    [...puts].flatMap(([period, byMember]) => {
      const out = sum(taken.filter((one) => one.period === period && tree.has(one.id)).map(({ amount }) => amount));
      const into = sum([...byMember].filter(([id]) => tree.has(id)).map(([, put]) => put));
      return out > into ? [`${[...tree][0]} ${period}: ${out} of ${into}`] : [];
    }),
  );
}

const asText = (line: object) =>
  Object.entries(line)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

test('incomes of random trees equal those calculated one trade at a time', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(forest, results, changes, async (drawn, found, plans) => {
      const { members, trees, sessions: planted } = plant(drawn);
      const resultOf = (day: string) => found[days.indexOf(day)] ?? 0n;
      const newOn = (day: string) => plans.filter(({ from }) => days[from] === day).map(({ terms }) => terms);
      const planOf = (day: string) => days.flatMap((one) => (one <= day ? newOn(one) : [])).at(-1) ?? firstFeePlan;
      const sessions = planted.map((session) => ({
        ...session,
        executionCost: max(-resultOf(session.day), 0n),
        plan: planOf(session.day),
      }));
      const database = await openTestDatabase();
      try {
        const context = testContext(database);
        await sql`update income.period_rule set begins_on = ${UPGRADED_ON}::date where rule = 2`.execute(database.db);
        await seedMembers(context, members);
        for (const day of days) {
          for (const terms of newOn(day)) await writeFeePlan(context, terms);
          const session = sessions.find((one) => one.day === day);
          if (session === undefined) continue;
          await seedSession(context, session);
          await executeBatch(context, day, resultOf(day));
        }
        await seedMarket(context, `${PAID_UNTIL}T20:00:00Z`);
        await payDue(context);
        const expected = computeIncomes({
          members,
          sessions,
          marketDay: PAID_UNTIL,
          countedOnceFrom: UPGRADED_ON,
        });
        expect(await writtenLines(database.db)).toEqual(expected.lines.map(asText).sort());
        expect(await paidTransfers(database.db)).toEqual(
          [...expected.transfers].map(([key, amount]) => `${key} ${amount}`).sort(),
        );
        expect(await writtenRewards(database.db)).toEqual(
          [...expected.rewards].map(([id, { month, nominal }]) => `${id} ${month} ${nominal}`).sort(),
        );
        // Trees are siblings below the company: no member belongs to two of them.
        expect(await listRobbers(database.db, trees, expected)).toEqual([]);
        const house = await getHouseBalances(database.db);
        expect([house.trade_fees, house.performance_fees]).toEqual([0n, 0n]);
        expect(await checkIncomes(database.db)).toEqual([]);
        expect(await verifyLedger(database.db)).toEqual([]);
      } finally {
        await database.close();
      }
    }),
    // Four forests of 250 trees.
    { numRuns: runs(4), endOnFailure: true },
  );
});
