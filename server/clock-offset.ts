import { BadConfig } from './config.ts';
import type { Context } from './context.ts';
import { getValue } from './db/rows.ts';

/** Two workers, each off by this, differ by what `db/lease.ts` allows. */
const MOST_SECONDS = 30;

/** Seconds that this machine's clock is ahead of the database's, negative when behind; as few as the query's own time allows. */
export async function measureClockOffset({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const before = now().getTime();
  const at = (await getValue(db)<Date>`select clock_timestamp()`).getTime();
  const after = now().getTime();
  return Math.max(before - at, Math.min(after - at, 0)) / 1000;
}

/**
 * For workers: sessions and leases follow their clocks, so with a wrong one two would work at once, and sessions would
 * open at wrong times.
 *
 * @throws BadConfig
 */
export async function refuseWrongClock(context: Pick<Context, 'db' | 'now'>): Promise<void> {
  const seconds = Math.round(await measureClockOffset(context));
  if (Math.abs(seconds) <= MOST_SECONDS) return;
  const where = seconds > 0 ? 'ahead of' : 'behind';
  throw new BadConfig(
    `The clock of this machine is ${Math.abs(seconds)} s ${where} the database's. Set both by NTP, or run without jobs (JOBS=off).`,
  );
}
