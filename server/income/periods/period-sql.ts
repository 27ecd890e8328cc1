import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, listRows } from '#server/db/rows.ts';
import type { PeriodRule } from '../core/contribution.ts';
import type { Period, PeriodKind } from '../core/periods.ts';

/** Members with `after < id <= upTo`. */
export type MemberRange = { readonly after: bigint; readonly upTo: bigint };

/** All members there can be. */
export const everybody: MemberRange = { after: 0n, upTo: 2n ** 62n };

/** All ids of a range, of which no member may have some. */
export const idsOf = ({ after, upTo }: MemberRange): RawBuilder<unknown> => sql`
  select id as member_id from generate_series(${after}::bigint + 1, ${upTo}::bigint) as id`;

/** The first shared session of each kind of period that is in no period computed yet; nothing where there is none. */
export const listFirstUncomputed = (db: Db): Promise<{ kind: PeriodKind; day: string }[]> =>
  listRows(db)`
    select * from (
      select k.kind, (
        select min(b.session_day)::text from income.bonus_run b
        where b.state = 'done' and b.session_day >= coalesce((
          select max(r.ends_on) from income.period_run r where r.kind = k.kind and r.state <> 'computing'), '-infinity')) as day
      from (values ('weekly'), ('monthly')) as k(kind)) as found
    where day is not null`;

export type PeriodSession = {
  readonly day: string;
  readonly planId: number;
  readonly volume: bigint;
  readonly tradeFees: bigint;
  readonly outputsHash: string;
};

/** Sessions of a period that are shared, the oldest first. */
export const listPeriodSessions = (db: Db, { startsOn, endsOn }: Omit<Period, 'kind'>): Promise<PeriodSession[]> =>
  listRows(db)`
    select session_day::text as day, fee_plan_id as "planId", volume, trade_fees as "tradeFees", outputs_hash as "outputsHash"
    from income.bonus_run
    where session_day >= ${startsOn}::date and session_day < ${endsOn}::date and state = 'done' order by session_day`;

const fills: Readonly<Record<PeriodKind, RawBuilder<unknown>>> = {
  weekly: sql`pool_weekly`,
  monthly: sql`pool_monthly`,
};

/**
 * What a period has in its pool, and what of that was left over before it: what sessions until its end put in, less what
 * earlier periods pay by their lines and release. Never the pool's balance, which knows of later sessions, and not of what is held.
 */
export async function getPool(db: Db, { kind, startsOn, endsOn }: Period): Promise<{ pool: bigint; carried: bigint }> {
  const rows = await listRows(db)<{ filled: bigint; before: bigint; paid: bigint }>`
    select coalesce(sum(${fills[kind]}), 0)::bigint as filled,
      coalesce(sum(${fills[kind]}) filter (where session_day < ${startsOn}::date), 0)::bigint as before,
      (select coalesce(sum(paid + released), 0)::bigint from income.period_run
        where kind = ${kind} and starts_on < ${startsOn}::date) as paid
    from income.bonus_run where state = 'done' and session_day < ${endsOn}::date`;
  const { filled, before, paid } = rows[0] as { filled: bigint; before: bigint; paid: bigint };
  return { pool: filled - paid, carried: before - paid };
}

/** `paying`: all lines are there, and what they come to is paid or held while an alarm stands. */
export type PeriodState = 'computing' | 'paying' | 'checking' | 'done';

export type PeriodRun = Period & {
  readonly rule: PeriodRule;
  readonly planId: number;
  readonly lastSession: string;
  readonly state: PeriodState;
  /** Begun by the second rule, and not all parts are there of what members contributed. */
  readonly isSumming: boolean;
  readonly pool: bigint;
  readonly carried: bigint;
  /** What the pool is divided by: the rule says what it is a sum of. */
  readonly total: bigint;
  readonly qualified: bigint;
  /** What its lines come to; null until they are all there. */
  readonly paid: bigint | null;
  /** What of the pool is revenue once all is paid; 0 until lines are all there, and in periods that leave it to the next one. */
  readonly released: bigint;
  /** Market time at which it was begun, and of its first payments. */
  readonly ranAt: Date;
  readonly paidAt: Date | null;
};

type Row = Omit<PeriodRun, 'total'> & { readonly total: string };

const columns = sql`
  r.kind, r.starts_on::text as "startsOn", r.ends_on::text as "endsOn", r.rule::int as rule, r.fee_plan_id as "planId",
  r.last_session::text as "lastSession", r.state, r.flags is not null as "isSumming", r.pool, r.carried, r.total::text, r.qualified, r.paid, r.released, r.ran_at as "ranAt", r.paid_at as "paidAt"`;

const toRun = (row: Row): PeriodRun => ({ ...row, total: BigInt(row.total) });

type Key = Pick<Period, 'kind' | 'startsOn'>;

export async function findPeriodRun(db: Db, { kind, startsOn }: Key): Promise<PeriodRun | undefined> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r where r.kind = ${kind} and r.starts_on = ${startsOn}::date`;
  return rows[0] && toRun(rows[0]);
}

export async function listPeriodRuns(db: Db, kind: PeriodKind, starts: readonly string[]): Promise<PeriodRun[]> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r
    where r.kind = ${kind} and r.starts_on = any (${starts}::date[])`;
  return rows.map(toRun);
}

/** Those whose lines are all there and that are not done, in the order in which they ended, a week before a month. */
export async function listComputedRuns(db: Db): Promise<PeriodRun[]> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r
    where r.state in ('paying', 'checking') order by r.ends_on, r.kind desc`;
  return rows.map(toRun);
}

/** What computed weeks and months come to that is not paid. */
export async function sumHeld(db: Db): Promise<bigint> {
  const { held } = await getRow(db)<{ held: bigint }>`
    select coalesce(sum(b.paid), 0)::bigint as held
    from income.period_run r join income.period_block b on b.kind = r.kind and b.starts_on = r.starts_on
    where r.state = 'paying' and not b.is_paid`;
  return held;
}

/** The last periods that paid something, the newest first. */
export async function listLastPaying(db: Db, kind: PeriodKind, limit: number): Promise<PeriodRun[]> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r
    where r.kind = ${kind} and r.state = 'done' and r.paid > 0 order by r.starts_on desc limit ${limit}`;
  return rows.map(toRun);
}

export type NewPeriodRun = Period & {
  readonly rule: PeriodRule;
  readonly planId: number;
  readonly lastSession: string;
  readonly pool: bigint;
  readonly carried: bigint;
  readonly inputsHash: string;
  readonly ranAt: Date;
};

/**
 * Begins a run. Of two workers one does. Who qualifies is found in the same statement that looks whether qualifications are
 * still those of the period's last session: later they would count trades of the next one.
 *
 * @param totals a query of one row with `total, qualified, flags`
 */
export const insertPeriodRun = (tx: Tx, run: NewPeriodRun, totals: RawBuilder<unknown>): Promise<void> =>
  execute(tx)`
    insert into income.period_run (kind, starts_on, ends_on, rule, fee_plan_id, last_session, pool, carried, total, qualified, flags,
      inputs_hash, ran_at)
    select ${run.kind}, ${run.startsOn}::date, ${run.endsOn}::date, ${run.rule}::smallint, ${run.planId}::int, ${run.lastSession}::date,
      ${run.pool}::bigint, ${run.carried}::bigint, totals.total, totals.qualified, totals.flags, ${run.inputsHash}, ${run.ranAt}::timestamptz
    from (${totals}) as totals
    where (select max(session_day) from income.bonus_run) = ${run.lastSession}::date
    on conflict do nothing`;

/** All parts are there of what members contributed. @param total SQL of what the run's total is then */
export const updateSummed = (tx: Tx, { kind, startsOn }: Key, total: RawBuilder<unknown>): Promise<void> =>
  execute(tx)`
    update income.period_run set flags = null, total = ${total}
    where kind = ${kind} and starts_on = ${startsOn}::date and flags is not null`;

/**
 * For those who work on blocks of one run at the same time: whoever goes on to the next state waits for all of them, and they
 * for whoever does. They keep each other from the same block by its row.
 *
 * @returns whether the run is still in the state the caller saw
 */
export const joinPeriod = (tx: Tx, key: Key, state: PeriodState): Promise<boolean> =>
  takeTurn(tx, key, state, sql`for share`);

export const lockPeriod = (tx: Tx, key: Key, state: PeriodState): Promise<boolean> =>
  takeTurn(tx, key, state, sql`for update`);

async function takeTurn(
  tx: Tx,
  { kind, startsOn }: Key,
  state: PeriodState,
  lock: RawBuilder<unknown>,
): Promise<boolean> {
  const row = await findRow(tx)<{ state: PeriodState }>`
    select state from income.period_run where kind = ${kind} and starts_on = ${startsOn}::date ${lock}`;
  return row?.state === state;
}

/** The first id of the next block, after a number, whose transfers are not made. */
export const findUnpaid = (db: Db, { kind, startsOn }: Key, afterNo: bigint): Promise<bigint | undefined> =>
  findValue(db)`
    select no::bigint * 4096 as id from income.period_block
    where kind = ${kind} and starts_on = ${startsOn}::date and not is_paid and no > ${afterNo}::int order by no limit 1`;

/** What the blocks of a run came to: hashes of those with lines, in the order of their members, and the sum of their lines. */
export async function readBatches(tx: Tx, { kind, startsOn }: Key): Promise<{ hashes: string[]; paid: bigint }> {
  const rows = await listRows(tx)<{ hash: string | null; paid: bigint }>`
    select encode(hash, 'hex') as hash, paid from income.period_block
    where kind = ${kind} and starts_on = ${startsOn}::date order by no`;
  return {
    hashes: rows.flatMap(({ hash }) => (hash === null ? [] : [hash])),
    paid: rows.reduce((sum, { paid }) => sum + paid, 0n),
  };
}

/** The one place a run goes on: from the state the caller saw, once. */
const advance = (tx: Tx, { kind, startsOn }: Key, from: PeriodState, to: RawBuilder<unknown>): Promise<void> =>
  execute(tx)`
    update income.period_run set ${to} where kind = ${kind} and starts_on = ${startsOn}::date and state = ${from}`;

export const updateComputed = (
  tx: Tx,
  key: Key,
  { paid, released, outputsHash }: { readonly paid: bigint; readonly released: bigint; readonly outputsHash: string },
): Promise<void> =>
  advance(
    tx,
    key,
    'computing',
    sql`state = 'paying', paid = ${paid}, released = ${released}, outputs_hash = ${outputsHash}`,
  );

/** The last batch is paid. */
export const updatePaid = (tx: Tx, key: Key): Promise<void> => advance(tx, key, 'paying', sql`state = 'checking'`);

export const updateDone = (tx: Tx, key: Key, finishedAt: Date): Promise<void> =>
  advance(tx, key, 'checking', sql`state = 'done', finished_at = ${finishedAt}`);

/** Notes, once, the market time of a run's first payments. */
export const updatePaidAt = (db: Db, { kind, startsOn }: Key, marketAt: Date): Promise<void> =>
  execute(db)`
    update income.period_run set paid_at = ${marketAt}
    where kind = ${kind} and starts_on = ${startsOn}::date and paid_at is null`;
