import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { dice } from '#test/kit/dice.ts';
import { allOfFees, shareLevels } from '../core/waterfall.ts';
import { bonusLines } from './waterfall-sql.ts';

const database = closeAfterAll(await openTestDatabase());

const rowsOf = (rows: readonly object[], columns: RawBuilder<unknown>) => sql`
  (select * from jsonb_to_recordset(${JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}::jsonb) as r(${columns}))`;

const thrown = 10n ** 15n;
test.each([
  ['without execution cost', allOfFees],
  [
    'with execution cost',
    { ofTradeFees: { left: thrown - 7n, of: thrown }, ofPerformanceFees: { left: 123_456_789n, of: 987_654_321n } },
  ],
  ['with nothing left', { ofTradeFees: { left: 0n, of: thrown }, ofPerformanceFees: { left: 0n, of: 1n } }],
])(
  'SQL and core give each level the same amount and reason %s, for three hundred thrown members',
  async (_, shareable) => {
    const roll = dice(11);
    const shares = {
      levelBps: firstFeePlan.level_bps.map((bps) => bps - roll(50)),
      weeklyBps: 900,
      monthlyBps: 900,
      rewardsBps: 450,
      teamProfitBps: [1499, 977, 503],
    };
    const members = Array.from({ length: 300 }, (_, index) => ({
      member_id: index + 1,
      is_company: index === 0,
      is_closed: index > 0 && roll(9) === 0,
      is_active: roll(5) > 0,
      active_directs: roll(13),
    }));
    const sums = members.flatMap(({ member_id }) =>
      Array.from({ length: 11 }, (_, level) => ({
        member_id,
        level,
        // Level 0 is the member's own, and some levels have nobody who traded.
        traders: roll(4),
        volume: roll(1_000_000_000),
        trade_fees: roll(2) === 0 ? roll(1000) : roll(1_000_000_000) * 1_000_000,
        performance_fees: roll(3) === 0 ? 0 : roll(100_000),
      })),
    );
    const { rows } = await sql<{
      member_id: bigint;
      level: number;
      bonus: bigint;
      team_profit: bigint;
      reason: string | null;
    }>`
    select member_id, level::int, bonus, team_profit, reason from (${bonusLines(
      rowsOf(
        sums,
        sql`member_id bigint, level smallint, traders bigint, volume bigint, trade_fees bigint, performance_fees bigint`,
      ),
      rowsOf(
        members,
        sql`member_id bigint, is_company boolean, is_closed boolean, is_active boolean, active_directs bigint`,
      ),
      shares,
      shareable,
    )}) as lines order by member_id, level`.execute(database.db);
    const expected = members.flatMap((member) => {
      const levels = sums
        .filter((sum) => sum.member_id === member.member_id && sum.level > 0 && sum.traders > 0)
        .map((sum) => ({
          level: sum.level,
          tradeFees: BigInt(sum.trade_fees),
          performanceFees: BigInt(sum.performance_fees),
        }));
      const beneficiary = {
        isCompany: member.is_company,
        isClosed: member.is_closed,
        isActive: member.is_active,
        activeDirects: BigInt(member.active_directs),
      };
      return shareLevels(levels, beneficiary, shares, shareable).map((share) => ({
        member_id: BigInt(member.member_id),
        level: share.level,
        bonus: share.bonus,
        team_profit: share.teamProfit,
        reason: share.reason ?? null,
      }));
    });
    expect(rows).toEqual(expected);
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(
      new Set(['company', 'closed', 'inactive', 'directs', null]),
    );
  },
);
