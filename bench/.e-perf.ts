import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { prepare } from '#server/boot.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { listSessionChecks, listWholeChecks } from '#server/income/list-book-checks.ts';
import { bookFault } from '#server/income/core/book-check.ts';
import { findPostgresPrograms, startCluster } from '#test/postgres-cluster.ts';
import { getSolvency } from '#server/income/get-solvency.ts';
const N = Number(process.env.N ?? 200000);
const cluster = await startCluster(findPostgresPrograms()!, { settings: ['shared_buffers=512MB', 'max_wal_size=4GB', ...(process.env.AV ? ['autovacuum=off'] : [])] });
try {
  const admin = connectPostgres(cluster.url('postgres'), { max: 1 }); await admin.runScript('create database p'); await admin.close();
  const database = connectPostgres(cluster.url('p'));
  const context = { db: database.db, config: readConfig({ LOG_LEVEL: 'silent', SANDBOX_SECRET: 'x'.repeat(20) }), now: () => new Date(), log: pino({ level: 'silent' }) };
  await migrate(database); await prepare(context);
  const time = async <T>(name: string, work: () => Promise<T>) => { const t = performance.now(); const r = await work(); console.log(name, Math.round(performance.now() - t), 'ms'); return r; };
  for (const [k, day] of ['2026-03-03', '2026-03-04'].entries()) {
    const first = 1 + k * N;
    await time('fill', () => database.runScript(`
      begin; set local session_replication_role = replica; set local jit = off;
      insert into trading.session (day, opens_at, closes_at, state, opened_at, closed_at, settled_at, fee_plan_id, trade_fee_bps, performance_fee_bps, booked_member_id, traded_members, negative_members)
      values ('${day}', '${day}T12:30Z', '${day}T17:30Z', 'settled', '${day}T12:30Z', '${day}T17:30Z', '${day}T17:30Z', 1, 40, 1000, 0, 0, 0) on conflict (day) do nothing;
      insert into trading.trade (id, member_id, symbol, wallet, state, amount, placed_at, requested_at, session_day, fee, opened_at, open_price, closed_at, close_price, close_reason, gross, performance_fee, result) overriding system value
      select n, n - ${first} + 2, 'btc', 'primary', 'settled', 100000, now(), '${day}T12:00Z', '${day}', 400, '${day}T12:31Z', 100, '${day}T17:30Z', 101, 'session_close', -500, 0, -900 from generate_series(${first}, ${first + N - 1}) n;
      insert into ledger.transfer (from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at, reason, key, reference, hash)
      select f, t, a, case when f >= 32 then 5 end, case when t >= 32 then 5 end, pg_current_xact_id()::text::bigint, '${day}T13:00Z', now(), r::ledger.reason, 'trade/' || n || '/' || k, 'trade ' || n, '\\x00'
      from generate_series(${first}, ${first + N - 1}) n cross join lateral (values
        ('place', (n - ${first} + 2) * 32 + 1, (n - ${first} + 2) * 32 + 3, 100000, 'trade_place'),
        ('fee', (n - ${first} + 2) * 32 + 3, 9, 400, 'trade_fee'),
        ('return', (n - ${first} + 2) * 32 + 3, (n - ${first} + 2) * 32 + 1, 99100, 'trade_return'),
        ('loss', (n - ${first} + 2) * 32 + 3, 7, 500, 'trade_loss'),
        ('b', 9, (n - ${first} + 2) * 32 + 2, 100, 'referral_bonus')) m(k, f, t, a, r);
      update ledger.transfer set key = 'bonus/${day}/referral/' || (to_account >> 5) where reason = 'referral_bonus' and key like 'trade/%';
      insert into trading.daily_result select n + 1, '${day}', 1, 0, 1, 100000, -900, 400, 0, -900, n, -900, n from generate_series(1, ${N}) n;
      insert into income.bonus_run (session_day, closes_at, fee_plan_id, state, collected_level, traded_members, volume, trade_fees, performance_fees, referral_bonus, level_bonus, team_profit, pool_weekly, pool_monthly, pool_rewards, trade_revenue, performance_revenue, inputs_hash, outputs_hash, ran_at, finished_at)
      values ('${day}', '${day}T17:30Z', 1, 'done', 10, ${N}, 0, ${N}::bigint * 400, 0, ${N}::bigint * 100, 0, 0, 0, 0, 0, ${N}::bigint * 300, 0, '', '', now(), now());
      insert into income.bonus_block select '${day}', 1, null, ${N}, ${N}::bigint * 100, 0, 0;
      insert into income.bonus_line select '${day}', n + 1, l, 1, 100000, 400, 0, 2500, case when l = 1 then 100 else 0 end, 0, 0, 3, null from generate_series(1, ${N}) n cross join generate_series(1, 5) l;
      insert into ledger.transfer (from_account, to_account, amount, tx, market_at, created_at, reason, key, reference, hash)
      select 9, 11, ${N}::bigint * 300, pg_current_xact_id()::text::bigint, '${day}T18:00Z', now(), 'fee_revenue', 'bonus/${day}/trade-revenue', 'session ${day}', '\\x00';
      commit;`));
    if (process.env.ANALYZE) await database.runScript('analyze');
    const whole = await time('whole unsealed', () => listWholeChecks(database.db));
    const own = await time('session ' + day, () => listSessionChecks(database.db, day));
    console.log([...whole, ...own].flatMap((c) => bookFault(c) ?? []));
    await time('solvency unsealed', () => getSolvency(context).catch((e) => String(e.message)));
    await time('seal', () => sealLedger(context));
    await time('whole sealed', () => listWholeChecks(database.db));
    for (let i = 0; i < 3; i++) await time('solvency sealed', () => getSolvency(context).catch((e) => console.log(String(e.message))));
  }
  await database.close();
} finally { await cluster.stop(); }
