import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { memberAccount, postFrom } from '#server/ledger/index.ts';
import { followMarket, placeTrade } from '#server/trading/index.ts';
import { readSnapshot } from '#server/trading/session/follow-market.ts';
import { openSession } from '#server/trading/session/open-due-trades.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { playUntil } from '#test/recorded/recorded-market.ts';
import {
  againstBare,
  atMost,
  copyAdded,
  growth,
  inSeconds,
  keepBefore,
  onCluster,
  percentile,
  timed,
  watchMemory,
} from './measure.ts';
import { type Figure, median, report } from './report.ts';
import { connectWorld, FIRST_MEMBER, inBatches, openWorld, START, type World } from './world.ts';

/** Number of trades, each of another member, and of rounds: small sizes are noisy. */
const SIZES = [
  { trades: 10_000, rounds: 3 },
  { trades: 100_000, rounds: 2 },
  { trades: 1_000_000, rounds: 1 },
] as const;
/** Members who place trades meanwhile, one after another. */
const PLACING_MEMBERS = 200;
const PLACING_EVERY_MS = 50;

type Round = {
  readonly opened: number;
  readonly bareOpened: number;
  readonly settled: number;
  readonly bareSettled: number;
  readonly memoryMb: number;
  /** Milliseconds of each trade placed during the settlement. */
  readonly placed: readonly number[];
};

/**
 * A session's opening and settlement against plainly writing the same rows with only a primary key, at three sizes
 * (docs/performance.md). Half of the trades have stops, some belong to plans, some of which compound. Other members place
 * trades while it settles.
 *
 * @param sizes numbers of trades; all three by default
 * @returns whether every figure meets its target
 */
export async function runSettleBench(sizes: readonly number[] = []): Promise<boolean> {
  return onCluster(
    async (cluster, server) => {
      const measured = new Map<number, Round>();
      for (const { trades, rounds } of SIZES) {
        if (sizes.length === 0 || sizes.includes(trades))
          measured.set(trades, await benchSize(cluster, trades, rounds));
      }
      return report('settle', 'Opening and settlement', figuresOf(measured), [
        `${server} ${SIZES.map(({ trades, rounds }) => `${trades} trades: ${rounds} round${rounds === 1 ? '' : 's'}`).join(', ')}; figures are medians of the rounds. Bare writing: transfers, results, equity, notifications and blocks by INSERT … SELECT, trades and accounts by UPDATE, one statement a table, after the step they repeat. Opening and settlement run in a process of their own. The largest size tells its memory, all of it, and how long ${PLACING_MEMBERS} other members' trades took in it, one every ${PLACING_EVERY_MS} ms.`,
      ]);
    },
    ['shared_buffers=4GB', 'max_wal_size=8GB', 'checkpoint_timeout=30min'],
  );
}

function figuresOf(measured: ReadonlyMap<number, Round>): Figure[] {
  const all = [...measured];
  const [, largest] = all.at(-1) as [number, Round];
  return [
    ...all.flatMap(([trades, round]) => [
      againstBare(`opening of ${trades} trades`, round.opened, round.bareOpened),
      againstBare(`settlement of ${trades} trades`, round.settled, round.bareSettled, settlementBars(trades)),
    ]),
    ...all.slice(1).flatMap(([trades, round], index) => {
      const [fewer, before] = all[index] as [number, Round];
      return [
        growth(`opening of ${trades} trades`, round.opened, (before.opened * trades) / fewer),
        growth(`settlement of ${trades} trades`, round.settled, (before.settled * trades) / fewer),
      ];
    }),
    atMost('Node memory while settling', largest.memoryMb, 'MB', 300, 150),
    atMost('a trade placed meanwhile, p99', percentile(largest.placed, 0.99), 'ms', 250, 100),
  ];
}

/** With fewer trades the fixed work of a session, mostly query planning, is a larger part. */
const settlementBars = (trades: number): readonly [bar: number, aim: number] =>
  trades >= 1_000_000 ? [1.3, 1.2] : [3, 2];

// ---- one size ----

async function benchSize(cluster: Cluster, trades: number, rounds: number): Promise<Round> {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(await benchSession(cluster, `settle_${trades}_${round}`, trades));
  const of = (name: 'opened' | 'bareOpened' | 'settled' | 'bareSettled' | 'memoryMb') =>
    median(measured.map((round) => round[name]));
  return {
    opened: of('opened'),
    bareOpened: of('bareOpened'),
    settled: of('settled'),
    bareSettled: of('bareSettled'),
    memoryMb: of('memoryMb'),
    placed: measured.flatMap((round) => round.placed),
  };
}

/** A whole session. Measured are the step that opens everything and the step that settles it. */
async function benchSession(cluster: Cluster, name: string, trades: number): Promise<Round> {
  const world = await openWorld(cluster, name, trades + PLACING_MEMBERS, 1_000_000_000n);
  const { database, context } = world;
  try {
    const follow = () => followMarket(context);
    await playUntil(context, '2026-03-04T12:30:00Z', async () => {});
    // Plans place trades once the session is open: decisions made before are cancelled.
    await openSession(context, await readSnapshot(context), async () => true);
    await inBatches(trades, (first, last) => queueTrades(context, first, last));
    await keepBefore(database, 'bare_opening', ADDED, CHANGED);
    const opening = await followAlone(world);
    await expectTrades(context, 'open', trades);
    const bareOpened = await inSeconds(() => writeBare(database, 'bare_opening'));
    await playUntil(context, '2026-03-04T12:31:00Z', follow);
    await playUntil(context, '2026-03-04T17:29:30Z', follow);
    await keepBefore(database, 'bare_settlement', ADDED, CHANGED);
    await playUntil(context, '2026-03-04T17:30:00Z', async () => {});
    const settlement = await followAlone(world, FIRST_MEMBER + trades);
    await expectTrades(context, 'settled', trades);
    const bareSettled = await inSeconds(() => writeBare(database, 'bare_settlement'));
    const { seconds: settled, memoryMb, placed } = settlement;
    process.stderr.write(
      `${name}: opened in ${opening.seconds.toFixed(2)} s (bare ${bareOpened.toFixed(2)}), settled in ${settled.toFixed(2)} s (bare ${bareSettled.toFixed(2)})\n`,
    );
    return { opened: opening.seconds, bareOpened, settled, bareSettled, memoryMb, placed };
  } finally {
    await world.remove();
  }
}

type Step = { readonly seconds: number; readonly memoryMb: number; readonly placed: readonly number[] };

/** One step of the market loop, in a process that otherwise only places trades of other members. */
async function followAlone({ url, recording }: World, firstPlacing?: number): Promise<Step> {
  const args = [...process.execArgv, import.meta.filename, 'step', url, recording.folder, String(firstPlacing ?? '')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Step;
}

async function step(url: string, folder: string, firstPlacing: string | undefined): Promise<Step> {
  const { database, context } = connectWorld(url, folder);
  const memory = watchMemory();
  const placing = firstPlacing ? placeMeanwhile(context, Number(firstPlacing)) : undefined;
  const seconds = await inSeconds(() => followMarket(context));
  const placed = (await placing?.stop()) ?? [];
  const memoryMb = memory.stop();
  await database.close();
  return { seconds, memoryMb, placed };
}

/** Queued trades as placing writes them: half with stops, one in ten of a plan, half of these compounding. */
export async function queueTrades({ db }: Context, first: bigint, last: bigint): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`
      insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, state, state_reason, created_at, created_market_at)
      select n, a.symbol, 'session_hold', '{}', 'primary', 100000000 + n * 137 % 400000000, n % 20 = 0, 'paused', 'member', now(), ${new Date(START)}
      from generate_series(${first}::bigint, ${last}::bigint) n join market.asset a on a.id = 1 + n % 16
      where n % 10 = 0 order by n`.execute(tx);
    await postFrom(
      tx,
      sql`
        select 'plan/' || id || '/invest', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'investment')},
          amount, 'plan_invest', 'plan ' || id, created_market_at, null::text
        from trading.plan where member_id between ${first} and ${last}`,
    );
    await sql`
      insert into trading.trade (member_id, symbol, wallet, plan_id, compounding, amount, placed_at, requested_at,
        stop_loss_permille, take_profit_permille, trailing_stop_permille)
      select n, a.symbol, case when p.id is null then 'primary' else 'investment' end, p.id, p.compounding,
        100000000 + n * 137 % 400000000, now(), ${new Date(START)},
        case when n % 2 = 0 then 200 + n % 300 end, case when n % 2 = 0 then 200 + n % 500 end, case when n % 4 = 0 then 200 + n % 250 end
      from generate_series(${first}::bigint, ${last}::bigint) n join market.asset a on a.id = 1 + n % 16
      left join trading.plan p on p.member_id = n
      order by n`.execute(tx);
    await postFrom(
      tx,
      sql`
        select 'trade/' || id || '/place',
          case wallet when 'primary' then ${memberAccount(sql`member_id`, 'primary')} else ${memberAccount(sql`member_id`, 'investment')} end,
          ${memberAccount(sql`member_id`, 'trade_escrow')}, amount, 'trade_place', 'trade ' || id, requested_at, null::text
        from trading.trade where member_id between ${first} and ${last}`,
    );
  });
}

export async function expectTrades({ db }: Context, state: string, trades: number): Promise<void> {
  const count = await getValue(db)<number>`select count(*)::int from trading.trade where state = ${state}`;
  if (count !== trades) throw new Error(`${count} trades are ${state}, not ${trades}`);
}

// ---- the same rows by plain statements ----

/** Tables a step adds to, with their keys, and tables it changes. */
const ADDED = {
  'ledger.transfer': 'id',
  'trading.daily_result': 'member_id, session_day',
  'trading.lifetime_result': 'member_id',
  'trading.equity': 'member_id, session_day',
  'trading.booked_block': 'session_day, no',
  'notify.notification': 'member_id, id',
};
const CHANGED = { 'ledger.account': 'id, balance', 'trading.trade': '*' };

/** Writes every row of the step again by plain statements, with the same columns. */
async function writeBare(database: Database, schema: string): Promise<void> {
  const [, ...added] = Object.keys(ADDED);
  const statements = [
    ...copyAdded(schema, added),
    `update ${schema}.trade b set state = t.state, session_day = t.session_day, fee = t.fee, opened_at = t.opened_at,
       open_price = t.open_price, stop_loss_price = t.stop_loss_price, take_profit_price = t.take_profit_price,
       stops_since = t.stops_since, trailing_since = t.trailing_since, closed_at = t.closed_at, close_price = t.close_price,
       close_reason = t.close_reason, gross = t.gross, performance_fee = t.performance_fee, result = t.result
     from trading.trade t where t.id = b.id and t.state <> b.state`,
  ];
  for (const statement of statements) await database.runScript(statement);
}

// ---- meanwhile ----

/** Places a trade at every interval, however long the previous one takes, until stopped. */
function placeMeanwhile(context: Context, firstMember: number): { stop: () => Promise<number[]> } {
  const placed: Promise<number>[] = [];
  let isRunning = true;
  const place = (memberId: bigint) =>
    timed(() => placeTrade(context, memberId, { tradeId: 'btc', amount: 5, wallet_type: 'primary' }));
  const beat = async () => {
    for (let turn = 0; isRunning; turn += 1) {
      placed.push(place(BigInt(firstMember + (turn % PLACING_MEMBERS))));
      await sleep(PLACING_EVERY_MS);
    }
  };
  const beating = beat();
  return {
    stop: async () => {
      isRunning = false;
      await beating;
      return Promise.all(placed);
    },
  };
}

if (import.meta.main) {
  const [, , mode, url, folder, firstPlacing] = process.argv;
  if (mode === 'step' && url && folder) process.stdout.write(JSON.stringify(await step(url, folder, firstPlacing)));
}
