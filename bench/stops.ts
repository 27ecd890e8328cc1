import { sql } from 'kysely';
import { symbols } from '#contract/rules.ts';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { getValue } from '#server/db/rows.ts';
import { followTicks } from '#server/trading/stops/stop-sql.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { atMost, onCluster, runOn, timed } from './measure.ts';
import { type Figure, median, report } from './report.ts';

const POSITIONS = 100_000;
const ROUNDS = 41;
const DAY = '2026-03-04';
const OPENS_AT = Date.parse('2026-03-04T12:30:00Z');
const SECOND_MS = 1000;
/** Two hours of falling prices, one of every asset a second. */
const FALL_SECONDS = 7200;
const HIGH = 100;
const FALLEN = 91;
const CROSSED = 1000;

/**
 * One instant of market time (a price of each of the 16 assets) against 100 000 open positions, all with stop-loss and
 * take-profit and every second one with a trailing stop, at 400 different distances and thousands of starting times.
 *
 * @returns whether every figure meets its target
 */
export async function runStopsBench(): Promise<boolean> {
  return onCluster(
    async (cluster, server) => {
      const database = await openPositions(cluster);
      const figures = await measureAll(database);
      await database.close();
      return report('stops', 'Stops', figures, [
        `${server} Medians of ${ROUNDS} rounds, the call from the application and its commit included.`,
      ]);
    },
    ['shared_buffers=512MB'],
  );
}

async function measureAll(database: Database): Promise<Figure[]> {
  let second = 0;
  const tick = (price: (round: number) => number, crossing: boolean) => async (round: number) => {
    second += 1;
    const at = new Date(OPENS_AT + (FALL_SECONDS + second) * SECOND_MS);
    const ticks = symbols.map((symbol) => ({ symbol, at, price: price(round).toFixed(12) }));
    const took = await timed(() => followTicks(database.db, DAY, ticks));
    const crossed = await countCrossed(database);
    if (crossing !== crossed > 0) throw new Error(`${crossed} stops were crossed`);
    return took;
  };
  // Each round restores the highs, so that all rounds are alike.
  const rising = await rounds(tick((round) => HIGH + round / 1000, false));
  const resting = await rounds(tick((round) => HIGH - 0.2 - (round % 2) / 1000, false));
  await fall(database);
  const lasting = await rounds(tick((round) => FALLEN + 0.001 * (1 + (round % 2)), false));
  const crossing = await rounds(
    tick(() => FALLEN - 0.05, true),
    () => openAgain(database),
  );
  const recovering = await tick(() => HIGH + 1, false)(0);
  return [
    atMost('a new high, none triggered', rising, 'ms', 5, 1),
    atMost('a little under the high, none triggered', resting, 'ms', 5, 1),
    atMost(`9 % under it after ${FALL_SECONDS} falling seconds, none triggered`, lasting, 'ms', 25, 10),
    atMost(`a fall that triggers ${CROSSED}`, crossing, 'ms', 250, 100),
    atMost('the one tick after such a fall that is a new high of all assets', recovering, 'ms', 1000, 250),
  ];
}

async function rounds(one: (round: number) => Promise<number>, after?: () => Promise<void>): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    measured.push(await one(round));
    await after?.();
  }
  return median(measured);
}

// ---- the positions ----

/** Open trades as the opening writes them, without ledger rows, which a tick does not read. */
async function openPositions(cluster: Cluster): Promise<Database> {
  await runOn(cluster, 'create database stops');
  const database = connectPostgres(cluster.url('stops'));
  await migrate(database);
  const fellAt = new Date(OPENS_AT + FALL_SECONDS * SECOND_MS);
  await sql`
    insert into trading.session (day, opens_at, closes_at, state, opened_at, fee_plan_id, trade_fee_bps, performance_fee_bps)
    values (${DAY}::date, ${new Date(OPENS_AT)}, ${new Date(OPENS_AT + 5 * 3600 * SECOND_MS)}, 'open', ${new Date(OPENS_AT)}, 1, 40, 1000)`.execute(
    database.db,
  );
  await sql`insert into trading.follower (followed_until) values (${fellAt})`.execute(database.db);
  // The price falls evenly. A trailing stop began when the mark was half its distance above where it ends, or at the high.
  await sql`
    insert into trading.trade (member_id, symbol, wallet, state, amount, placed_at, requested_at, session_day, fee, opened_at, open_price,
      stop_loss_permille, take_profit_permille, trailing_stop_permille, stop_loss_price, take_profit_price, stops_since, trailing_since)
    select n, (${symbols as string[]}::text[])[1 + n % ${symbols.length}::int], 'primary', 'open', 100000000, now(), s.opens_at - interval '1 minute',
      s.day, 400000, s.opens_at, ${HIGH}::numeric, p.loss, p.profit, p.trailing,
      round(${HIGH}::numeric * (1000 - p.loss) / 1000.0, 12), round(${HIGH}::numeric * (1000 + p.profit) / 1000.0, 12), s.opens_at,
      case when p.trailing is not null then s.opens_at + make_interval(secs => greatest(0, floor(
        ${FALL_SECONDS}::numeric * (${HIGH}::numeric - ${FALLEN}::numeric * 1000 / (1000 - p.trailing / 2.0)) / (${HIGH}::numeric - ${FALLEN}::numeric)))::float) end
    from trading.session s cross join generate_series(1, ${POSITIONS}::int) n
    cross join lateral (select case when n <= ${CROSSED} then 90 else 100 + n % 700 end as loss, 100 + n % 900 as profit,
      case when n % 2 = 0 then 5 + n / 2 % 400 end as trailing) as p`.execute(database.db);
  await database.runScript('vacuum analyze');
  return database;
}

/** Two hours of falling marks that trigger nothing. */
async function fall(database: Database): Promise<void> {
  await sql`delete from trading.high_water`.execute(database.db);
  await sql`
    select trading.note_ticks(array_agg(at order by at, symbol), array_agg(symbol order by at, symbol), array_agg(price order by at, symbol))
    from (
      select ${new Date(OPENS_AT)}::timestamptz + make_interval(secs => second) as at, symbol,
        ${HIGH}::numeric - (${HIGH}::numeric - ${FALLEN}::numeric) * second / ${FALL_SECONDS}::int as price
      from generate_series(0, ${FALL_SECONDS}::int - 2) second cross join unnest(${symbols as string[]}::text[]) symbol) as falling`.execute(
    database.db,
  );
  await database.runScript('vacuum analyze');
}

const countCrossed = ({ db }: Database) =>
  getValue(db)<number>`select count(*)::int from trading.trade where close_requested_at is not null`;

async function openAgain(database: Database): Promise<void> {
  await sql`update trading.trade set close_requested_at = null, close_cause = null where close_requested_at is not null`.execute(
    database.db,
  );
  await database.runScript('vacuum trading.trade');
}
