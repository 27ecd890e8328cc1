import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ExportSection, readSection } from '#server/db/export-sql.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { addTeam, insertSession } from '#test/worlds/settled-session.ts';
import { exportIncomes } from './export-sql.ts';

const DAYS = 400;
const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:20:00Z'));
const [memberId] = await addTeam(context, [1n]);

const run = (query: RawBuilder<unknown>) => query.execute(context.db);

test('bonuses are read without those of other members', async () => {
  await inTransaction(context.db, async (tx) => {
    for (let index = 0; index < DAYS; index += 1)
      await insertSession(tx, new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10));
  });
  await run(sql`
    insert into income.bonus_run (session_day, closes_at, fee_plan_id, state, finished_at, traded_members, volume, trade_fees,
      performance_fees, referral_bonus, level_bonus, team_profit, pool_weekly, pool_monthly, pool_rewards, trade_revenue,
      performance_revenue)
    select day, closes_at, 1, 'done', closes_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from trading.session`);
  await run(sql`
    insert into income.bonus_line (session_day, member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
      profit_bps, team_profit, active_directs)
    select day, ${memberId}::bigint + n, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from trading.session cross join generate_series(0, 99) as n`);
  await run(sql`analyze income.bonus_line`);
  await run(sql`analyze income.bonus_run`);
  const bonuses = exportIncomes(memberId as bigint).find(({ name }) => name === 'bonuses') as ExportSection;
  await inTransaction(context.db, async (tx) => {
    const count = () =>
      getValue(tx)<number>`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int from pg_stat_xact_user_tables
        where relid = 'income.bonus_line'::regclass`;
    const before = await count();
    const pages = await Array.fromAsync(readSection(tx, bonuses));
    expect(pages.flat()).toHaveLength(DAYS);
    expect((await count()) - before).toBeLessThan(2 * DAYS);
  });
});
