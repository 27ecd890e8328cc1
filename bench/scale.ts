import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import { purgeExpired } from '#server/accounts/sign-in/auth-sessions.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import {
  getHouseBalances,
  houseAccount,
  listSeals,
  listStatement,
  memberAccount,
  postFrom,
  sealLedger,
  verifyLedgerPart,
} from '#server/ledger/index.ts';
import { takeDailySnapshot } from '#server/solvency/take-snapshot.ts';
import { verifySnapshots } from '#server/solvency/verify-snapshots.ts';
import { followMarket, listTrades } from '#server/trading/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { playUntil } from '#test/recorded/recorded-market.ts';
import { addMembers } from './income.ts';
import { atMost, inSeconds, measureCalls, onCluster } from './measure.ts';
import { payAlone } from './pay-alone.ts';
import { type Figure, report } from './report.ts';
import { addRound, fillTables, ROWS_PER_MEMBER } from './scale-fill.ts';
import { queueTrades } from './settle.ts';
import { FIRST_MEMBER, inBatches, openWorld, START, type World } from './world.ts';

const SIZES = [1_000_000, 3_000_000];
const WEEK_MEMBERS = 10_000;
const CALLS = 200;
/** Transfers in the seal of one minute. */
const NEW_MEMBERS = 2_000;

type Size = { readonly name: string; readonly rows: number; readonly heap: number; readonly indexes: number };

/**
 * What each table costs per member and trade, and the duration of jobs that could grow with all history
 * (docs/scale.md): first a session and its week of the product itself, then tables filled to a number of transfers and as many
 * trades.
 *
 * @param sizes numbers of rows
 * @returns whether every figure meets its target
 */
export async function runScaleBench(sizes: readonly number[] = []): Promise<boolean> {
  return onCluster(
    async (cluster, server) => {
      const week = await measureWeek(cluster);
      const figures: Figure[] = [];
      const remarks: string[] = [];
      for (const rows of sizes.length === 0 ? SIZES : sizes) {
        const { sizes, jobs } = await measureRows(cluster, rows);
        figures.push(...figuresOf(rows, jobs));
        remarks.push(`${rows} transfers and as many trades:\n\n${tableOf(sizes, rows)}\n\n${jobsOf(jobs)}`);
      }
      return report('scale', 'Size and time by rows', figures, [
        `${server} Filled by plain statements, ${ROWS_PER_MEMBER} transfers and trades a member; ${CALLS} calls a page. A minute's seal has ${NEW_MEMBERS * 5} transfers.\n`,
        `A session of ${WEEK_MEMBERS} members, each with a trade, its bonus run and its week:\n\n${tableOf(week, WEEK_MEMBERS)}\n`,
        ...remarks,
      ]);
    },
    ['shared_buffers=2GB', 'max_wal_size=8GB', 'checkpoint_timeout=30min', 'maintenance_work_mem=512MB'],
  );
}

/** Pages and the jobs of every minute must not grow with the number of rows. */
const figuresOf = (rows: number, jobs: Jobs): Figure[] => {
  const secondsOf = (job: string) => jobs.get(job) ?? Number.NaN;
  return [
    atMost(`statement, first page at ${rows} transfers, p95`, secondsOf('statement page, p95') * 1000, 'ms', 10, 5),
    atMost(`trades, first page at ${rows} trades, p95`, secondsOf('trades page, p95') * 1000, 'ms', 10, 5),
    atMost(`seal of a minute at ${rows} transfers`, secondsOf('seal of a minute'), 's', 2, 0.5),
    atMost(`hourly verification at ${rows} transfers`, secondsOf('verification since the last seal'), 's', 10, 5),
  ];
};

// ---- a session and its week ----

/** Everything the product writes for members who trade once each: settlement, bonus run and the week's payments. */
async function measureWeek(cluster: Cluster): Promise<readonly Size[]> {
  const { database, context, url, recording, remove } = await openWorld(cluster, 'scale_week', 0, 0n);
  await inBatches(WEEK_MEMBERS, (first, last) => addMembers(context, first, last));
  await inBatches(WEEK_MEMBERS, (first, last) => deposit(context, first, last));
  await inBatches(WEEK_MEMBERS, (first, last) => queueTrades(context, first, last));
  await playUntil(context, '2026-03-04T12:31:00Z', () => followMarket(context));
  await playUntil(context, '2026-03-04T17:31:00Z', () => followMarket(context));
  await payAlone(url, recording.folder);
  await sql`update market.clock set at = '2026-03-09T00:00:00Z'`.execute(database.db);
  await payAlone(url, recording.folder);
  await sealLedger(context);
  await takeDailySnapshot(context);
  await database.runScript('vacuum full analyze');
  const sizes = await listSizes(database, WEEK_MEMBERS / 2);
  await remove();
  return sizes;
}

const deposit = ({ db }: Context, first: bigint, last: bigint): Promise<void> =>
  inTransaction(db, async (tx) => {
    await postFrom(
      tx,
      sql`
        select 'deposit/' || n, ${houseAccount('gateway')}, ${memberAccount(sql`n`, 'primary')}, 1000000000::bigint, 'deposit',
          'DP-' || n, ${new Date(START)}::timestamptz, null::text
        from generate_series(${first}::bigint, ${last}::bigint) n order by n`,
    );
  });

/** Tables with at least this many rows. */
const listSizes = ({ db }: Pick<Database, 'db'>, least: number) =>
  listRows(db)<Size>`
    select n.nspname || '.' || c.relname as name, c.reltuples::float8 as rows, pg_table_size(c.oid)::float8 as heap,
      pg_indexes_size(c.oid)::float8 as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and c.reltuples >= ${least}
    order by pg_total_relation_size(c.oid) desc`;

function tableOf(sizes: readonly Size[], count: number): string {
  const bytes = sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  return [
    '| table | rows | for each | bytes a row | of them indexes |',
    '| --- | --- | --- | --- | --- |',
    ...sizes.map(
      ({ name, rows, heap, indexes }) =>
        `| ${name} | ${rows.toFixed(0)} | ${(rows / count).toFixed(2)} | ${((heap + indexes) / rows).toFixed(0)} | ${(indexes / rows).toFixed(0)} |`,
    ),
    `| all of these | | | ${(bytes / count).toFixed(0)} for each | |`,
  ].join('\n');
}

// ---- filled tables ----

/** Seconds. */
type Jobs = ReadonlyMap<string, number>;

async function measureRows(cluster: Cluster, rows: number): Promise<{ sizes: readonly Size[]; jobs: Jobs }> {
  const world = await openWorld(cluster, `scale_${rows}`, 0, 0n);
  try {
    const filled = await inSeconds(() => fillTables(world.database, rows));
    process.stderr.write(`${rows} rows filled in ${filled.toFixed(0)} s\n`);
    const sizes = await listSizes(world.database, rows / ROWS_PER_MEMBER / 2);
    return { sizes, jobs: await measureJobs(world, rows) };
  } finally {
    await world.remove();
  }
}

async function measureJobs({ database, context }: World, rows: number): Promise<Jobs> {
  const { db } = context;
  const jobs = new Map<string, number>();
  const measure = async (what: string, work: () => Promise<unknown>) => {
    jobs.set(what, await inSeconds(work));
    process.stderr.write(`${rows} rows: ${what} ${jobs.get(what)?.toFixed(3)} s\n`);
  };
  const members = rows / ROWS_PER_MEMBER;
  let call = 0;
  const anyMember = () => {
    call += 1;
    return BigInt(FIRST_MEMBER + ((call * 7919) % members));
  };
  const verify = async (
    part: 'rules' | 'seals' | 'statements' | 'sums',
    mark?: Parameters<typeof verifyLedgerPart>[2],
  ) => assert.deepEqual(await verifyLedgerPart(db, part, mark), []);

  await measure('seal of everything', () => sealLedger(context));
  const [mark] = await listSeals(db, 0n, 1);
  await addRound(database, NEW_MEMBERS);
  await measure('seal of a minute', () => sealLedger(context));
  await measure('verification since the last seal', async () => {
    await verify('seals', mark);
    await verify('statements', mark);
  });
  await measure('sum of all balances', () => verify('sums'));
  await measure('house balances', () => getHouseBalances(db));
  await measure('full verification, seals', () => verify('seals'));
  await measure('full verification, statements', () => verify('statements'));
  await measure('snapshot of liabilities', () => takeDailySnapshot(context));
  await measure('check of the newest snapshot', async () => assert.deepEqual(await verifySnapshots(db, 'newest'), []));
  await measure('purge of expired sign-ins', () => purgeExpired(context));
  const p95 = async (what: string, ask: (memberId: bigint) => Promise<unknown>) => {
    jobs.set(what, (await measureCalls(CALLS, () => ask(anyMember()))) / 1000);
  };
  await p95('statement page, p95', (memberId) => listStatement(db, { memberId, limit: 25 }));
  await p95('trades page, p95', (memberId) => listTrades(db, { memberId, limit: 25 }));
  return jobs;
}

const jobsOf = (jobs: Jobs): string =>
  [
    '| job | seconds |',
    '| --- | --- |',
    ...[...jobs].map(([what, seconds]) => `| ${what} | ${seconds.toFixed(3)} |`),
  ].join('\n');
