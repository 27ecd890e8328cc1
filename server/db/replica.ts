import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '#server/config.ts';
import { connectReplica, type Db } from './connect.ts';
import { isDatabaseGone } from './faults.ts';
import { getValue } from './rows.ts';

/** How long a read waits for the replica to catch up with the primary, before it reads the primary. */
const MAX_LAG_MS = 1000;
const POLL_MS = 10;
/** How long an unavailable or lagging replica is not used. */
const REST_MS = 5000;
/** The error of a standby if rows that a query reads were vacuumed on the primary. */
const CONFLICT = '40001';

/** A standby that serves reads while it keeps up with the primary. */
export type Replica = {
  readonly db: Db;
  /** Whether it has everything committed before this call, within `MAX_LAG_MS`. */
  readonly catchUp: () => Promise<boolean>;
  /** @returns whether only the replica has this fault, so that the primary can be read instead */
  readonly noteFault: (error: unknown) => boolean;
  readonly close: () => Promise<void>;
};

/** The standby of `DATABASE_READ_URL`; undefined without the setting. */
export function openReplica(
  config: Pick<Config, 'databaseReadUrl' | 'databasePrepared' | 'databaseLimits'>,
  { db, reserved: primary = db, log }: { readonly db: Db; readonly reserved?: Db; readonly log: Logger },
  restMs = REST_MS,
): Replica | undefined {
  const standby = connectReplica(config);
  if (standby === undefined) return undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isResting = false;
  const rest = (error: unknown) => {
    if (!isResting) log.warn({ err: error }, 'replica not available, the primary is read');
    isResting = true;
    restsUntil = performance.now() + restMs;
  };

  const follow = async (giveUpAt: number): Promise<void> => {
    const written = await getValue(primary)<string>`select pg_current_wal_lsn()::text as written`;
    while (performance.now() < giveUpAt) {
      const isThere = await getValue(standby.reserved)<boolean | null>`
        select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= ${written}::pg_lsn end as "isThere"`;
      if (isThere === null) throw new Error('DATABASE_READ_URL is no standby');
      if (isThere) return;
      await wait(POLL_MS);
    }
    throw new Error(`the replica is more than ${MAX_LAG_MS} ms behind`);
  };
  return {
    db: standby.db,
    catchUp: async () => {
      if (performance.now() < restsUntil) return false;
      const tooLate = new AbortController();
      const following = follow(performance.now() + MAX_LAG_MS);
      const late = wait(MAX_LAG_MS, undefined, { signal: tooLate.signal }).then(() => {
        throw new Error(`the replica did not answer within ${MAX_LAG_MS} ms`);
      });
      try {
        await Promise.race([following, late]);
        if (isResting) log.info('replica available again');
        isResting = false;
        return true;
      } catch (error) {
        rest(error);
        return false;
      } finally {
        tooLate.abort();
      }
    },
    noteFault: (error) => {
      const isGone = isDatabaseGone(error);
      if (isGone) rest(error);
      return isGone || (error as { code?: unknown } | null)?.code === CONFLICT;
    },
    close: standby.close,
  };
}
