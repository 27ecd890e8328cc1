import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { allOfFees } from '../core/waterfall.ts';
import { bonusLines } from './waterfall-sql.ts';

const { db } = closeAfterAll(await openTestDatabase());

const plan = {
  levelBps: firstFeePlan.level_bps,
  weeklyBps: firstFeePlan.weekly_bps,
  monthlyBps: firstFeePlan.monthly_bps,
  rewardsBps: firstFeePlan.rewards_bps,
  teamProfitBps: firstFeePlan.team_profit_bps,
};
const rowOf = (row: object, columns: RawBuilder<unknown>) =>
  sql`(select * from jsonb_to_recordset(${JSON.stringify([row])}::jsonb) as r(${columns}))`;

const member = { is_company: false, is_closed: false, is_active: true, active_directs: 99 };

/** The lines of one member with these fees at some levels: level, bonus, team profit and the reason for nothing. */
async function linesOf(
  beneficiary: Partial<typeof member>,
  levels: readonly { readonly level: number; readonly fees?: number; readonly performance?: number }[],
  shareable = allOfFees,
) {
  const sums = levels.map(
    ({ level, fees = 0, performance = 0 }) =>
      sql`select 1::bigint as member_id, ${level}::smallint as level, 1::bigint as traders, 5::bigint as volume,
        ${fees}::bigint as trade_fees, ${performance}::bigint as performance_fees`,
  );
  const beneficiaries = rowOf(
    { member_id: 1, ...member, ...beneficiary },
    sql`member_id bigint, is_company boolean, is_closed boolean, is_active boolean, active_directs bigint`,
  );
  const rows = await listRows(db)<{ level: number; bonus: bigint; profit: bigint; reason: string | null }>`
    select level::int, bonus, team_profit as profit, reason
    from (${bonusLines(sql`(${sql.join(sums, sql` union all `)})`, beneficiaries, plan, shareable)}) as lines order by level`;
  return rows.map(({ level, bonus, profit, reason }) => [level, bonus, profit, reason] as const);
}

test.each([
  ['the company, whatever it has', { is_company: true }, 1, 'company'],
  ['who closed the account, whatever they have', { is_closed: true }, 1, 'closed'],
  ['who was not active', { is_active: false }, 1, 'inactive'],
  ['nobody who was active, at level 1', { active_directs: 0 }, 1, null],
  ['one active direct too few', { active_directs: 1 }, 2, 'directs'],
  ['exactly enough', { active_directs: 2 }, 2, null],
  ['nine of ten', { active_directs: 9 }, 10, 'directs'],
  ['ten of ten', { active_directs: 10 }, 10, null],
] as const)('who misses a level: %s', async (_, beneficiary, level, reason) => {
  expect(await linesOf(beneficiary, [{ level }])).toEqual([[level, 0n, 0n, reason]]);
});

test('levels 2 and 3 of 199 micros each are one transfer of 31, in lines of 19 and 12', async () => {
  const levels = [1, 2, 3].map((level) => ({ level, fees: 199 }));
  expect((await linesOf({}, levels)).map(([, bonus]) => bonus)).toEqual([39n, 19n, 12n]);
  const threeQuarters = { ...allOfFees, ofTradeFees: { left: 600n, of: 800n } };
  expect((await linesOf({}, levels, threeQuarters)).map(([, bonus]) => bonus)).toEqual([29n, 14n, 9n]);
});

test('a level that is missed adds nothing to those after it, and a level without trades has no line', async () => {
  const levels = [0, 1, 2, 4].map((level) => ({ level, fees: 1_000_000, performance: 1_000_000 }));
  expect(await linesOf({ active_directs: 2 }, levels)).toEqual([
    [1, 200_000n, 150_000n, null],
    [2, 100_000n, 100_000n, null],
    [4, 0n, 0n, 'directs'],
  ]);
});

test('team profit is of levels 1 to 3 in one transfer', async () => {
  // 14.85 + 9.9 + 4.95 = 29.7
  const lines = await linesOf(
    {},
    [1, 2, 3, 4].map((level) => ({ level, performance: 99 })),
  );
  expect(lines.map(([, , profit]) => profit)).toEqual([14n, 10n, 5n, 0n]);
});

test('fees of 900 million dollars are exact to the micro, with and without an execution cost', async () => {
  const whole = 9n * 10n ** 14n;
  const levels = [{ level: 1, fees: Number(whole), performance: Number(whole) }];
  const amounts = async (left: bigint) => {
    const ratio = { left, of: whole };
    const [line] = await linesOf({}, levels, { ofTradeFees: ratio, ofPerformanceFees: ratio });
    return line?.slice(1, 3);
  };
  const [bonus, profit] = [whole / 5n, (whole * 15n) / 100n];
  expect(await amounts(whole)).toEqual([bonus, profit]);
  // 20 % and 15 % of seven micros less: 1.4 and 1.05.
  expect(await amounts(whole - 7n)).toEqual([bonus - 2n, profit - 2n]);
  expect(await amounts(0n)).toEqual([0n, 0n]);
});
