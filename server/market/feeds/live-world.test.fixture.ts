import { pino } from 'pino';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { findAsset } from '../assets/asset-sql.ts';
import { listTicks } from '../candles/tick-sql.ts';
import { advanceMarket } from '../clock/advance-market.ts';
import { prepareMarket } from '../clock/prepare-market.ts';
import { emptyMarket } from './market-fingerprint.test.fixture.ts';
import { pollPrices } from './poll-prices.ts';

export type LiveWorld = Awaited<ReturnType<typeof beginLive>>;
type Logged = Record<string, unknown> & { msg: string };

/** A new market on a live feed at `start`; the test’s own clock alone tells the time. */
export async function beginLive(database: Database, start: string, env: Record<string, string>) {
  const clock = testClock(start);
  const logged: Logged[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const context: Context = { ...testContext(database, clock, env), log };
  await emptyMarket(context.db);
  await prepareMarket(context);

  /** One step of a worker, `seconds` later: the engine, the poller, and the engine again. */
  const beatOf = async (worker: Context, seconds: number, holder?: string) => {
    clock.advance(seconds);
    await advanceMarket(worker, { elapsedMs: 0, holder });
    await pollPrices(worker, holder);
    clock.advance(0.25);
    return advanceMarket(worker, { elapsedMs: 0, holder });
  };
  const beat = (seconds: number, holder?: string) => beatOf(context, seconds, holder);
  /** Enough steps of one second to fetch everything that is due. */
  const run = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 1) await beat(0.75);
  };
  return {
    context,
    clock,
    beat,
    beatOf,
    run,
    find: (symbol: string) => findAsset(context.db, symbol),
    ticks: async (symbol: string, after = start) =>
      (await listTicks(context.db, { after: new Date(after), upTo: clock.now() }))
        .filter((tick) => tick.symbol === symbol)
        .map(({ price, at }) => ({ price: Number(price), at })),
    candles: async (symbol: string, stepSeconds: number) => {
      return listRows(context.db)<{ at: Date; open: number; high: number; low: number; close: number; volume: number }>`
        select c.at, c.open::float8 as open, c.high::float8 as high, c.low::float8 as low, c.close::float8 as close,
          c.volume::float8 as volume
        from market.candle c join market.asset a on a.id = c.asset_id
        where a.symbol = ${symbol} and c.step_seconds = ${stepSeconds} order by c.at`;
    },
    /** What was logged with this message since the last call. */
    logged: (message: string) => {
      const found = logged.filter((line) => line.msg === message);
      logged.length = 0;
      return found;
    },
  };
}
