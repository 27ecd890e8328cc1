import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type SettledTrade, settleSession } from '#test/worlds/settled-session.ts';
import { payDue } from '../periods/pay-due.ts';
import { moveClock, read } from '../periods/period-world.test-setup.ts';

/**
 * Lines of a session: `member/level traders fees performance-fees → bonus team-profit (active directs) reason`, in
 * micros.
 */
export async function listedLines(context: Context, day: string): Promise<string[]> {
  const rows = await read(
    context,
    sql`select member_id, level, traders, trade_fees, performance_fees, bonus, team_profit, active_directs, reason
      from income.bonus_line where session_day = ${day}::date order by member_id, level`,
  );
  return rows.map(
    (row) =>
      `${row.member_id}/${row.level} ${row.traders} ${row.trade_fees} ${row.performance_fees} → ${row.bonus} ${row.team_profit} (${row.active_directs})${row.reason === null ? '' : ` ${row.reason}`}`,
  );
}

/** Transfers of bonus runs by key. */
export async function bonusTransfers(context: Context): Promise<Record<string, bigint>> {
  const rows = await read(
    context,
    sql`select key, amount from ledger.transfer where key like 'bonus/%' order by key collate "C"`,
  );
  return Object.fromEntries(rows.map(({ key, amount }) => [key, amount]));
}

export const findQualification = async (context: Context, memberId: bigint) =>
  (
    await read(
      context,
      sql`select sponsor_id, last_traded_on::text, volume, leg_volume, active_by_level::text, week::text, week_team_volume,
          month::text, month_team_volume, month_leg_volume, month_put_monthly::text, month_put_rewards::text
        from income.standing where member_id = ${memberId}`,
    )
  )[0];

export const findBonusRun = async (context: Context, day: string) =>
  (
    await read(
      context,
      sql`select state, traded_members, volume, trade_fees, performance_fees, referral_bonus, level_bonus, team_profit, pool_weekly, pool_monthly,
          pool_rewards, trade_revenue, performance_revenue, execution_cost, trade_cost, performance_cost, inputs_hash, outputs_hash
        from income.bonus_run where session_day = ${day}::date`,
    )
  )[0];

/** Several sessions that settle without being distributed. */
export async function settleUnshared(
  context: Context,
  sessions: Readonly<Record<string, readonly SettledTrade[]>>,
): Promise<void> {
  for (const [day, trades] of Object.entries(sessions)) {
    await settleSession(context, day, trades);
    await moveClock(context, `${day}T17:30:00Z`);
  }
}

/** A session that is settled and distributed at its close, without a week or month. */
export async function shareDay(context: Context, day: string, trades: readonly SettledTrade[], feePlanId = 1) {
  await settleSession(context, day, trades, feePlanId);
  await moveClock(context, `${day}T17:30:00Z`);
  await payDue(context);
}

/** All stored results of bonus runs, without values that differ between runs. */
export async function readBonusBooks(context: Context) {
  return {
    runs: await read(
      context,
      sql`select session_day::text, state, fee_plan_id, traded_members, volume, trade_fees, performance_fees, referral_bonus, level_bonus, team_profit,
          pool_weekly, pool_monthly, pool_rewards, trade_revenue, performance_revenue, execution_cost, trade_cost, performance_cost, inputs_hash, outputs_hash
        from income.bonus_run order by session_day`,
    ),
    lines: await read(context, sql`select * from income.bonus_line order by session_day, member_id, level`),
    blocks: await read(
      context,
      sql`select session_day::text, no, encode(hash, 'hex') as hash, lines, referral_bonus, level_bonus, team_profit
        from income.bonus_block order by session_day, no`,
    ),
    qualifications: await read(context, sql`select * from income.standing order by member_id`),
    accounts: await read(context, sql`select id, balance from ledger.account order by id`),
    transfers: await read(
      context,
      sql`select key, from_account, to_account, amount, reason, reference, market_at from ledger.transfer
        where key like 'bonus/%' or key like 'weekly/%' order by key collate "C"`,
    ),
    messages: await read(
      context,
      sql`select member_id, message from notify.notification where kind = 'bonus_paid' order by member_id, message`,
    ),
  };
}
