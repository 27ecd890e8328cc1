import { sql } from 'kysely';
import type { IntegrityCheck } from '#contract/operator/integrity.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getValue, hasRow, listRows, listValues } from '#server/db/rows.ts';

export type RunScope = 'new' | 'whole';
export type RunState = 'asked' | 'running' | 'passed' | 'failed' | 'broken';

/** The result of one check. */
export type CheckResult = { readonly check: IntegrityCheck; readonly duration_ms: number; readonly findings: number };
export type CheckDiscrepancy = { readonly check: IntegrityCheck; readonly subject: string; readonly message: string };

export type Run = {
  readonly id: bigint;
  readonly scope: RunScope;
  readonly state: RunState;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly checks: readonly CheckResult[];
};

export type Mark = { readonly no: bigint; readonly hash: Buffer };

const columns = sql`id, scope, state, started_at as "startedAt", finished_at as "finishedAt", checks`;

/** False if a run is already requested. */
export const insertRequestedRun = (tx: Tx, operatorId: bigint, now: Date): Promise<boolean> =>
  hasRow(tx)`
    insert into integrity.run (scope, state, asked_by, started_at) values ('whole', 'asked', ${operatorId}, ${now})
    on conflict do nothing returning 1`;

export const findRequestedRun = (db: Db): Promise<bigint | undefined> =>
  findValue(db)`select id from integrity.run where state = 'asked'`;

/** Only one run is active at a time, so any other that is still marked as running was killed. */
export const endBrokenRuns = (tx: Tx, now: Date): Promise<void> =>
  execute(tx)`update integrity.run set state = 'broken', finished_at = ${now} where state = 'running'`;

/** Runs since the last one with a result that were killed, or are marked as running. */
export const countBroken = (db: Db): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int from integrity.run
    where state in ('running', 'broken') and id > coalesce((select max(id) from integrity.run where state in ('passed', 'failed')), 0)`;

type RunBegin = { readonly scope: RunScope; readonly now: Date; readonly mark: Mark | undefined };

export const insertRun = (tx: Tx, { scope, now, mark }: RunBegin): Promise<bigint> =>
  getValue(tx)<bigint>`
    insert into integrity.run (scope, state, started_at, seal_no, seal_hash)
    values (${scope}, 'running', ${now}, ${mark?.no ?? null}, ${mark?.hash ?? null}) returning id`;

export const startRequestedRun = (tx: Tx, id: bigint, { now, mark }: RunBegin): Promise<void> =>
  execute(tx)`
    update integrity.run set state = 'running', started_at = ${now}, seal_no = ${mark?.no ?? null}, seal_hash = ${mark?.hash ?? null}
    where id = ${id}`;

type RunEnd = {
  readonly state: 'passed' | 'failed' | 'broken';
  readonly now: Date;
  readonly checks: readonly CheckResult[];
  readonly findings: readonly CheckDiscrepancy[];
};

export async function finishRun(tx: Tx, id: bigint, { state, now, checks, findings }: RunEnd): Promise<void> {
  await execute(tx)`
    update integrity.run set state = ${state}, finished_at = ${now}, checks = ${JSON.stringify(checks)}::jsonb where id = ${id}`;
  await execute(tx)`
    insert into integrity.finding (run_id, check_name, subject, message)
    select ${id}::bigint, f->>'check', f->>'subject', f->>'message'
    from jsonb_array_elements(${JSON.stringify(findings)}::jsonb) with ordinality as part(f, place) order by place`;
}

/** The last seal covered by a clean run; undefined before the first clean run. */
export async function findMark(db: Db): Promise<Mark | undefined> {
  const row = await findRow(db)<{ no: bigint | null; hash: Buffer | null }>`
    select seal_no as no, seal_hash as hash from integrity.run where state = 'passed' order by id desc limit 1`;
  return row?.no == null || row.hash == null ? undefined : { no: row.no, hash: row.hash };
}

/** The newest finished run. */
export const findLastRun = (db: Db): Promise<Run | undefined> =>
  findRow(db)`
    select ${columns} from integrity.run where finished_at is not null order by id desc limit 1`;

/** The run in progress or requested. */
export const findOpenRun = (db: Db): Promise<Run | undefined> =>
  findRow(db)`
    select ${columns} from integrity.run where finished_at is null order by id desc limit 1`;

export const listFindings = (db: Db, runId: bigint, limit: number): Promise<CheckDiscrepancy[]> =>
  listRows(db)`
    select check_name as "check", subject, message from integrity.finding where run_id = ${runId} order by id limit ${limit}`;

/** The messages of the newest finished run about one subject. */
export const listLastFindingsAbout = (db: Db, subject: string): Promise<string[]> =>
  listValues(db)`
    select message from integrity.finding
    where run_id = (select max(id) from integrity.run where finished_at is not null) and subject = ${subject}
    order by id limit 100`;
