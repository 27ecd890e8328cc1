import { sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import type { Context } from '#server/context.ts';
import type { Database, Db } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getStatement } from '#server/funds/statement/get-statement.ts';
import { listMovements, writeStatement } from '#server/funds/statement/list-movements.ts';
import { houseAccount, memberAccount, postFrom } from '#server/ledger/index.ts';
import { atMost, measureCalls, onCluster } from './measure.ts';
import { type Figure, report } from './report.ts';
import { FIRST_MEMBER, openWorld, START } from './world.ts';

const LINES = 1_000_000;
/** Placing, fee, settlement and loss: four transfers, two of them between two wallets. */
const LINES_PER_TRADE = 6;
const TRADES_PER_BATCH = 2_000;
const CALLS = 200;
const READINGS = 10;
const PAGE = 25;
/** The period the movements cover. */
const DAYS = 730;
/** The member who reads, and one whose rows interleave with theirs, so that no page holds only theirs. */
const [ASKING, BETWEEN] = [BigInt(FIRST_MEMBER), BigInt(FIRST_MEMBER + 1)];

type Query = Omit<QueryOf<typeof funds.listMovements>, 'limit' | 'format'>;

/**
 * A member with a million movements reads pages of the transaction history, near and far, filtered and not, and totals of a
 * month and of everything, through the functions that the routes call (docs/performance.md).
 *
 * @returns whether every figure meets its target
 */
export async function runStatementBench(lines = LINES): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const { database, context, remove } = await openWorld(cluster, 'statement', 2, 1_000_000_000_000n);
    await load(context.db, database, lines);
    const figures = [...(await measurePages(context)), ...(await measureTotals(context))];
    const file = await measureFile(context);
    await remove();
    return report('statement', 'Statement', figures, [
      `${server} ${file.lines} lines of one member over ${DAYS} days, the rows of another between them. p95 of ${CALLS} calls of the operation for pages of ${PAGE}, of ${READINGS} for totals, each with its trips to the database. All lines as a file: ${(file.tookMs / 1000).toFixed(1)} s, ${(file.bytes / 2 ** 20).toFixed(0)} MiB, the heap grew by at most ${(file.grownBytes / 2 ** 20).toFixed(0)} MiB.`,
    ]);
  });
}

async function load(db: Db, database: Database, lines: number): Promise<void> {
  const trades = Math.ceil(lines / LINES_PER_TRADE);
  for (let first = 0; first < trades; first += TRADES_PER_BATCH)
    await postTrades(db, first, Math.min(first + TRADES_PER_BATCH, trades) - 1);
  await database.runScript(spreadOverDays);
  await database.runScript('vacuum full analyze ledger.transfer');
}

/** Trades of $50 with a small loss, alternating between both members. */
async function postTrades(db: Db, first: number, last: number): Promise<void> {
  const primary = memberAccount(sql`m`, 'primary');
  const escrow = memberAccount(sql`m`, 'trade_escrow');
  await inTransaction(db, (tx) =>
    postFrom(
      tx,
      sql`
        select 'bench/' || m || '/' || n || '/' || step.reason, step.source, step.target, step.amount::bigint, step.reason,
          'TR-' || n, ${new Date(START)}::timestamptz, null::text
        from generate_series(${first}::int, ${last}::int) n
        cross join unnest(${[ASKING, BETWEEN]}::bigint[]) m
        cross join lateral (values
          (1, ${primary}, ${escrow}, 50000000, 'trade_place'),
          (2, ${escrow}, ${houseAccount('trade_fees')}, 200000, 'trade_fee'),
          (3, ${escrow}, ${primary}, 49799990 + n % 10, 'trade_return'),
          (4, ${escrow}, ${houseAccount('venue')}, 10 - n % 10, 'trade_loss')
        ) step(no, source, target, amount, reason)
        order by n, m, step.no`,
    ),
  );
}

/** The ledger dates every row and refuses to change it, so its protections are off meanwhile. */
const spreadOverDays = `
  begin;
  set local session_replication_role = replica;
  update ledger.transfer
  set created_at = timestamptz '${START}' - interval '${DAYS} days' * (1 - id::float8 / (select max(id) from ledger.transfer));
  commit;`;

// ---- pages ----

async function measurePages(context: Context): Promise<Figure[]> {
  const { db } = context;
  const month = { from: daysBefore(400), to: daysBefore(370) };
  const pages: (readonly [string, Query])[] = [
    ['first page', {}],
    ['a page in the middle', { cursor: await findCursor(db, 0.5) }],
    ['last page', { cursor: await findCursor(db, 0) }],
    ['one wallet, first page', { wallet: 'primary' }],
    ['one wallet, in the middle', { wallet: 'in_trades', cursor: await findCursor(db, 0.5) }],
    ['one kind, first page', { kind: 'trade_fee' }],
    ['one kind, in the middle', { kind: 'trade_fee', cursor: await findCursor(db, 0.5) }],
    ['a kind that came once, long ago', { kind: 'deposit' }],
    ['a kind that never came', { kind: 'reward' }],
    ['a month a year ago, first page', month],
    ['that month, one wallet and kind', { ...month, wallet: 'primary', kind: 'trade_return' }],
  ];
  const figures: Figure[] = [];
  for (const [what, query] of pages) {
    const call = () => listMovements(context, ASKING, { ...query, limit: PAGE });
    figures.push(atMost(`transaction-hist, ${what}, p95`, await measure(call, CALLS), 'ms', 10, 3));
  }
  return figures;
}

/** The cursor at this share of the list, counted from its oldest end. */
async function findCursor(db: Db, share: number): Promise<string> {
  const last = await getValue(db)<bigint>`select max(id) from ledger.transfer`;
  return String(BigInt(Math.round(Number(last) * share)) * 2n + BigInt(4 * PAGE));
}

const daysBefore = (days: number) => new Date(Date.parse(START) - days * 86_400_000).toISOString();

// ---- totals and file ----

async function measureTotals(context: Context): Promise<Figure[]> {
  const totals = (query: Query) => measure(() => getStatement(context, ASKING, query), READINGS);
  const oldMonth = { from: daysBefore(400), to: daysBefore(370) };
  return [
    atMost('totals of the last month, p95', await totals({ from: daysBefore(30) }), 'ms', 100, 30),
    atMost('totals of a month a year ago, p95', await totals(oldMonth), 'ms', 100, 30),
    atMost('totals of it, one kind, p95', await totals({ ...oldMonth, kind: 'trade_fee' }), 'ms', 100, 30),
    atMost('totals of everything, p95', await totals({}), 'ms', 1000, 300),
  ];
}

async function measureFile(context: Context) {
  const began = performance.now();
  const heapBefore = process.memoryUsage().heapUsed;
  let [lines, bytes, grownBytes] = [-1, 0, 0];
  for await (const text of writeStatement(context, ASKING, {}).text) {
    lines += text.split('\r\n').length - 1;
    bytes += text.length;
    grownBytes = Math.max(grownBytes, process.memoryUsage().heapUsed - heapBefore);
  }
  return { lines, bytes, grownBytes, tookMs: performance.now() - began };
}

/** The first call, which reads from disk, is not counted. */
async function measure(call: () => Promise<unknown>, times: number): Promise<number> {
  await call();
  return measureCalls(times, call);
}
