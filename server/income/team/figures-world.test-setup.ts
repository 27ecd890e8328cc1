import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** A session whose fees were shared, as its bonus run leaves it, or one whose run is under way. */
export async function shareSession(db: Db, day: string, state: 'done' | 'paying' = 'done'): Promise<void> {
  const isDone = state === 'done';
  await sql`
    insert into income.bonus_run (session_day, closes_at, fee_plan_id, state, collected_level, traded_members, volume, trade_fees,
      performance_fees, referral_bonus, level_bonus, team_profit, pool_weekly, pool_monthly, pool_rewards, trade_revenue,
      performance_revenue, finished_at)
    select ${day}::date, ${`${day}T17:30:00Z`}::timestamptz, 1, ${state}, 10, 0, 0, 0, 0,
      part, part, part, part, part, part, part, part, ${isDone ? new Date(`${day}T17:31:00Z`) : null}::timestamptz
    from (select ${isDone ? 0 : null}::bigint as part) as one`.execute(db);
}

export type Line = {
  readonly day: string;
  readonly memberId: bigint;
  readonly level: number;
  readonly volume: bigint;
  readonly tradeFees: bigint;
  readonly bonus?: bigint;
  readonly teamProfit?: bigint;
};

export async function giveLines(db: Db, ...lines: Line[]): Promise<void> {
  for (const line of lines) {
    await sql`
      insert into income.bonus_line (session_day, member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
        profit_bps, team_profit, active_directs)
      values (${line.day}::date, ${line.memberId}, ${line.level}, 1, ${line.volume}, ${line.tradeFees}, 0, 0, ${line.bonus ?? 0n},
        0, ${line.teamProfit ?? 0n}, 0)`.execute(db);
  }
}

export type GivenQualification = {
  readonly memberId: bigint;
  readonly sponsorId?: bigint;
  readonly lastTradedOn?: string;
  readonly volume?: bigint;
  readonly legVolume?: bigint;
  readonly activeByLevel?: readonly number[];
};

export async function giveQualifications(db: Db, ...qualifications: GivenQualification[]): Promise<void> {
  for (const one of qualifications) {
    const active = Array.from({ length: 10 }, (_, index) => BigInt(one.activeByLevel?.[index] ?? 0));
    await sql`
      insert into income.standing (member_id, sponsor_id, last_traded_on, volume, leg_volume, active_by_level)
      values (${one.memberId}, ${one.sponsorId ?? null}, ${one.lastTradedOn ?? null}::date, ${one.volume ?? 0n}, ${one.legVolume ?? 0n},
        ${active}::bigint[])`.execute(db);
  }
}

export async function giveGrowth(db: Db, memberId: bigint, points: readonly (readonly [string, number, number])[]) {
  for (const [week, members, active] of points) {
    await sql`
      insert into income.growth (member_id, week, members, active)
      values (${memberId}, ${week}::date, ${members}, ${active})`.execute(db);
  }
}
