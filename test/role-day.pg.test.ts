import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { verifyAudit } from '#server/audit/index.ts';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { makeDemoWorld } from '#server/demo/make-demo-world.ts';
import { getSandboxSecret } from '#server/funds/gateways/sandbox/deliver-events.ts';
import { checkFunds } from '#server/funds/index.ts';
import { startJobs } from '#server/jobs/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startRoleCluster } from '#test/database/ready-clusters.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

/**
 * A full day of the server, as the role that owns nothing: people sign up, deposit, trade, withdraw and write
 * tickets, sessions settle, weeks are paid, operators decide; then every job and loop runs.
 */
const { cluster, urls } = await startRoleCluster();
closeAfterAll({ close: () => cluster.stop() });
const folder = mkdtempSync(join(scratchFolder(), 'tradewind-day-'));
closeAfterAll({ close: () => rmSync(folder, { recursive: true, force: true }) });
const settings = { DATABASE_URL: urls.app, DATA_DIR: folder, DEMO: '1', LOG_LEVEL: 'silent' };
const { context, database } = closeAfterAll(await boot(readConfig(settings)));
const superuser = closeAfterAll(connectPostgres(urls.superuser, { max: 1 }));
await makeDemoWorld({ ...context, db: database.jobs });
const { db } = database;

test('another process signs webhooks of the sandbox with the same secret, though none is configured', async () => {
  const other = await boot(readConfig({ ...settings, JOBS: 'off' }));
  onTestFinished(() => other.database.close());
  expect(await getSandboxSecret(other.context)).toBe(await getSandboxSecret(context));
});

/** How often a table was analyzed on request, not by PostgreSQL itself, and its row estimate. */
const analysesOf = async (table: string) =>
  (
    await listRows(db)<{ asked: number; rows: number }>`
      select pg_stat_get_analyze_count(oid)::int as asked, reltuples::int as rows from pg_class where oid = ${table}::regclass`
  )[0];

test('the resulting database is correct', async () => {
  expect(await listValues(db)`select session_user::text`).toEqual(['tradewind_app']);
  const found = [...(await verifyLedger(db)), ...(await checkFunds(db)), ...(await verifyAudit(db))];
  expect(found).toEqual([]);
  const [counts] = await listRows(db)`
    select (select count(*)::int from trading.session where state = 'settled') > 2 as settled,
      (select count(*)::int from income.bonus_run where state = 'done') > 2 as distributed,
      exists (select from funds.withdrawal where state = 'completed') as withdrawn`;
  expect(counts).toEqual({ settled: true, distributed: true, withdrawn: true });
});

test('settlement analyzes its tables, though another role owns them', async () => {
  const [runs] = await listValues(db)<number>`select count(*)::int from income.bonus_run`;
  await expect.poll(() => analysesOf('income.level_sum')).toMatchObject({ asked: runs });
  expect(await analysesOf('market.candle')).toMatchObject({ asked: 1 });
  expect((await analysesOf('market.candle'))?.rows).toBeGreaterThan(10_000);
});

test('every job and every loop succeeds', async () => {
  const stop = await startJobs(context, database);
  const read = () => listRows(db)<{ name: string; done: boolean; failed: string | null }>`
    select name, succeeded_at is not null as done, fault as failed from jobs.health order by name`;
  const jobs = (await read()).map(({ name }) => name);
  expect(jobs).toEqual(
    expect.arrayContaining(['ledger.seal', 'audit.seal', 'solvency.snapshot', 'integrity.check', 'market']),
  );
  await sql`insert into jobs.request (name, asked_at) select name, now() from jobs.health where kind = 'queue'`.execute(
    db,
  );
  await expect.poll(async () => (await read()).filter(({ done, failed }) => !done || failed !== null)).toEqual([]);
  await stop();
});

test('seals, a proof with an analyzed tree, and a correct ledger are left', async () => {
  const [made] = await listRows(db)<{ sealed: boolean; audited: boolean; no: bigint }>`
    select exists (select from ledger.seal) as sealed, exists (select from audit.seal) as audited, no
    from solvency.snapshot order by no desc limit 1`;
  expect(made).toMatchObject({ sealed: true, audited: true });
  const node = `solvency.node_${Number(made?.no ?? 0n) % 8}`;
  const [nodes = 0] = await listValues(superuser.db)<number>`select count(*)::int from ${sql.table(node)}`;
  expect(nodes).toBeGreaterThan(0);
  expect((await analysesOf(node))?.rows).toBe(nodes);
  expect(await listValues(db)`select count(*)::int from integrity.alarm`).toEqual([0]);
  expect([...(await verifyLedger(db)), ...(await verifyAudit(db))]).toEqual([]);
});
