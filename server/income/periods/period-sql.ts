import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, getValue, listRows } from '#server/db/rows.ts';
import type { PeriodRule } from '../core/contribution.ts';
import type { Period, PeriodKind } from '../core/periods.ts';

/** Members with `after < id <= upTo`. */
export type MemberRange = { readonly after: bigint; readonly upTo: bigint };

export const allMembers: MemberRange = { after: 0n, upTo: 2n ** 62n };

/** All ids of a range, including those without a member. */
export const idsOf = ({ after, upTo }: MemberRange): RawBuilder<unknown> => sql`
  select id as member_id from generate_series(${after}::bigint + 1, ${upTo}::bigint) as id`;

/** For each kind of period, the first distributed session not in a computed period; no row where there is none. */
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

/** Distributed sessions of a period, oldest first. */
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
 * A period's pool, and the part carried over from before: the fills of all sessions up to its end, less what earlier
 * periods pay by their lines and release. Not the account's balance, which includes later sessions and held payments.
 */
export async function getPool(db: Db, { kind, startsOn, endsOn }: Period): Promise<{ pool: bigint; carried: bigint }> {
  const { filled, before, paid } = await getRow(db)<{ filled: bigint; before: bigint; paid: bigint }>`
    select coalesce(sum(${fills[kind]}), 0)::bigint as filled,
      coalesce(sum(${fills[kind]}) filter (where session_day < ${startsOn}::date), 0)::bigint as before,
      (select coalesce(sum(paid + released), 0)::bigint from income.period_run
        where kind = ${kind} and starts_on < ${startsOn}::date) as paid
    from income.bonus_run where state = 'done' and session_day < ${endsOn}::date`;
  return { pool: filled - paid, carried: before - paid };
}

/** `paying`: all lines are computed, and are being paid or held by an alarm. */
export type PeriodState = 'computing' | 'paying' | 'checking' | 'done';

export type PeriodRun = Period & {
  readonly rule: PeriodRule;
  readonly planId: number;
  readonly lastSession: string;
  readonly state: PeriodState;
  /** Under rule 2: the contributed parts are not all summed. */
  readonly isSumming: boolean;
  readonly pool: bigint;
  readonly carried: bigint;
  /** Divisor of the pool; its meaning depends on the rule. */
  readonly total: bigint;
  readonly qualified: bigint;
  /** Sum of its lines; null until all are computed. */
  readonly paid: bigint | null;
  /** Part of the pool released to revenue once all is paid; 0 until all lines are computed, and under rule 1. */
  readonly released: bigint;
  /** Market time of its start, and of its first payments. */
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
  const row = await findRow(db)<Row>`
    select ${columns} from income.period_run r where r.kind = ${kind} and r.starts_on = ${startsOn}::date`;
  return row && toRun(row);
}

export async function listPeriodRuns(db: Db, kind: PeriodKind, starts: readonly string[]): Promise<PeriodRun[]> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r
    where r.kind = ${kind} and r.starts_on = any (${starts}::date[])`;
  return rows.map(toRun);
}

/** Runs that are computed but not done, by their ends, a week before a month. */
export async function listComputedRuns(db: Db): Promise<PeriodRun[]> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r
    where r.state in ('paying', 'checking') order by r.ends_on, r.kind desc`;
  return rows.map(toRun);
}

/** Computed but unpaid income of weeks and months. */
export const sumHeld = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`
    select coalesce(sum(b.paid), 0)::bigint as held
    from income.period_run r join income.period_block b on b.kind = r.kind and b.starts_on = r.starts_on
    where r.state = 'paying' and not b.is_paid`;

/** The last periods that paid something, newest first. */
export async function listLastPaying(db: Db, kind: PeriodKind, limit: number): Promise<PeriodRun[]> {
  const rows = await listRows(db)<Row>`
    select ${columns} from income.period_run r
    where r.kind = ${kind} and r.state = 'done' and r.paid > 0 order by r.starts_on desc limit ${limit}`;
  return rows.map(toRun);
}

export type NewPeriodRun = Period &
  Pick<PeriodRun, 'rule' | 'planId' | 'lastSession' | 'pool' | 'carried' | 'ranAt'> & { readonly inputsHash: string };

/**
 * Begins a run, once among concurrent workers. The statement that determines who qualifies also checks that
 * qualifications are still as of the period's last session; later they would include trades of the next one.
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

/** Marks the contributed parts as summed. @param total SQL of the run's total */
export const updateSummed = (tx: Tx, { kind, startsOn }: Key, total: RawBuilder<unknown>): Promise<void> =>
  execute(tx)`
    update income.period_run set flags = null, total = ${total}
    where kind = ${kind} and starts_on = ${startsOn}::date and flags is not null`;

/**
 * Share-locks a run for workers that process batches concurrently; a transition to the next state waits for all of
 * them. The row of a batch serializes workers within it.
 *
 * @returns whether the run is still in the given state
 */
export const joinPeriod = (tx: Tx, key: Key, state: PeriodState): Promise<boolean> =>
  lockInState(tx, key, state, sql`for share`);

export const lockPeriod = (tx: Tx, key: Key, state: PeriodState): Promise<boolean> =>
  lockInState(tx, key, state, sql`for update`);

async function lockInState(
  tx: Tx,
  { kind, startsOn }: Key,
  state: PeriodState,
  lock: RawBuilder<unknown>,
): Promise<boolean> {
  const row = await findRow(tx)<{ state: PeriodState }>`
    select state from income.period_run where kind = ${kind} and starts_on = ${startsOn}::date ${lock}`;
  return row?.state === state;
}

/** The first id of the next unpaid batch after a number. */
export const findUnpaid = (db: Db, { kind, startsOn }: Key, afterNo: bigint): Promise<bigint | undefined> =>
  findValue(db)`
    select no::bigint * 4096 as id from income.period_block
    where kind = ${kind} and starts_on = ${startsOn}::date and not is_paid and no > ${afterNo}::int order by no limit 1`;

/** Results of a run's batches: hashes of those with lines, in id order, and the sum of their lines. */
export async function readBatches(tx: Tx, { kind, startsOn }: Key): Promise<{ hashes: string[]; paid: bigint }> {
  const rows = await listRows(tx)<{ hash: string | null; paid: bigint }>`
    select encode(hash, 'hex') as hash, paid from income.period_block
    where kind = ${kind} and starts_on = ${startsOn}::date order by no`;
  return {
    hashes: rows.flatMap(({ hash }) => (hash === null ? [] : [hash])),
    paid: rows.reduce((sum, { paid }) => sum + paid, 0n),
  };
}

/** The only transition of a run: from the given state, once. */
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

/** After the last batch is paid. */
export const updatePaid = (tx: Tx, key: Key): Promise<void> => advance(tx, key, 'paying', sql`state = 'checking'`);

export const updateDone = (tx: Tx, key: Key, finishedAt: Date): Promise<void> =>
  advance(tx, key, 'checking', sql`state = 'done', finished_at = ${finishedAt}`);

/** Stores the market time of a run's first payments, once. */
export const updatePaidAt = (db: Db, { kind, startsOn }: Key, marketAt: Date): Promise<void> =>
  execute(db)`
    update income.period_run set paid_at = ${marketAt}
    where kind = ${kind} and starts_on = ${startsOn}::date and paid_at is null`;
