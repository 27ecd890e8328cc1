import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Feed } from '#contract/market.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { latestLease } from '#server/db/lease.ts';
import { execute, findRow, hasRow } from '#server/db/rows.ts';
import { orRefuse } from '#server/refused.ts';

export type Clock = {
  readonly feed: Feed['kind'];
  readonly seed: string;
  readonly stepSeconds: number;
  readonly at: Date;
  readonly endsAt: Date | null;
  readonly holder: string | null;
  readonly heldUntil: Date | null;
};

const columns = sql`feed, seed, step_seconds as "stepSeconds", at, ends_at as "endsAt", holder, held_until as "heldUntil"`;

/** Advisory lock that serializes first starts. */
const PREPARE_LOCK = 7_301_005;

export const findClock = (db: Db | Tx) => findRow(db)<Clock>`select ${columns} from market.clock`;

/** Whether prices of this database are simulated or recorded; false before it has a market. */
export const hasRecordedMarket = (db: Db | Tx) =>
  hasRow(db)`select 1 from market.clock where feed in ('simulated', 'replay')`;

/** @throws Refused not_ready before prepareMarket has run once */
export const getClock = async (db: Db | Tx): Promise<Clock> => orRefuse(await findClock(db), 'not_ready');

/**
 * Current market time from the stored clock.
 *
 * @throws Refused not_ready before prepareMarket has run once
 */
export const getMarketTime = async (db: Db | Tx): Promise<Date> => (await getClock(db)).at;

/** SQL for current market time, for statements that date rows by it. */
export const marketTime: RawBuilder<Date> = sql<Date>`(select at from market.clock)`;

/** SQL for whether prices come from a live source. */
export const isLiveFeed: RawBuilder<boolean> = sql<boolean>`((select feed from market.clock) in ('coingecko', 'ccxt'))`;

/** Locks the clock until the transaction ends, so that nobody else can move it. */
export const lockClock = (tx: Tx) => findRow(tx)<Clock>`select ${columns} from market.clock for update`;

export const lockPreparation = (tx: Tx) => execute(tx)`select pg_advisory_xact_lock(${PREPARE_LOCK})`;

export const insertClock = (tx: Tx, clock: Omit<Clock, 'holder' | 'heldUntil'>) =>
  execute(tx)`
    insert into market.clock (feed, seed, step_seconds, at, ends_at)
    values (${clock.feed}, ${clock.seed}, ${clock.stepSeconds}, ${clock.at}, ${clock.endsAt})`;

export const updateClock = (tx: Tx, moved: { at: Date; holder: string; heldUntil: Date }) =>
  execute(tx)`
    update market.clock set at = ${moved.at}, holder = ${moved.holder}, held_until = ${moved.heldUntil}`;

/** The recording may have grown since the last start. */
export const updateFeedEnd = (tx: Tx, endsAt: Date | null) =>
  execute(tx)`update market.clock set ends_at = ${endsAt} where ends_at is distinct from ${endsAt}`;

export const releaseLease = (db: Db, holder: string) =>
  execute(db)`update market.clock set holder = null, held_until = null where holder = ${holder}`;

/**
 * Market time, held until the transaction ends: anyone who reads a later time also sees what the transaction wrote.
 *
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function holdMarketTime(tx: Tx): Promise<Date> {
  return orRefuse(await lockClock(tx), 'not_ready').at;
}

/** The name under which this process holds the clock. */
export const thisProcess = randomUUID();

type Lease = Pick<Clock, 'holder' | 'heldUntil'>;

const isHeld = ({ holder, heldUntil }: Lease, now: Date): boolean =>
  holder !== null && heldUntil !== null && heldUntil > now && heldUntil <= latestLease(now);

export const isHeldBy = (lease: Lease, holder: string, now: Date): boolean =>
  isHeld(lease, now) && lease.holder === holder;

export const isHeldByAnother = (lease: Lease, holder: string, now: Date): boolean =>
  isHeld(lease, now) && lease.holder !== holder;
