import { pino } from 'pino';
import { type Config, readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';

/** A clock that only moves when told to: tests never sleep. */
export function testClock(start = '2026-03-04T12:00:00Z') {
  let now = new Date(start);
  let aheadMs = 0;
  return {
    now: () => now,
    elapsed: () => now.getTime() - aheadMs,
    set: (instant: string | Date) => {
      now = new Date(instant);
    },
    advance: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
    },
    /** Sets the clock forward or back, without time going by. */
    shift: (seconds: number) => {
      aheadMs += seconds * 1000;
      now = new Date(now.getTime() + seconds * 1000);
    },
  };
}

export const testConfig = (env: Record<string, string> = {}): Config => readConfig({ LOG_LEVEL: 'silent', ...env });

/** The context of operations, on a test database, with a test clock. */
export function testContext(database: Database, clock = testClock(), env: Record<string, string> = {}): Context {
  return {
    db: database.db,
    config: testConfig(env),
    now: clock.now,
    elapsed: clock.elapsed,
    log: pino({ level: 'silent' }),
  };
}
