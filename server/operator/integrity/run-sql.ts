import { sql } from 'kysely';
import type { IntegrityCheck } from '#contract/operator/integrity.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type RunScope = 'new' | 'whole';
export type RunState = 'asked' | 'running' | 'passed' | 'failed' | 'broken';

/** How one check went. */
export type CheckResult = { readonly check: IntegrityCheck; readonly duration_ms: number; readonly findings: number };
export type CheckFinding = { readonly check: IntegrityCheck; readonly subject: string; readonly message: string };

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

/** False when one is asked for already. */
export async function insertAskedRun(tx: Tx, operatorId: bigint, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into integrity.run (scope, state, asked_by, started_at) values ('whole', 'asked', ${operatorId}, ${now})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length > 0;
}

export async function findAskedRun(db: Db): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`select id from integrity.run where state = 'asked'`.execute(db);
  return rows[0]?.id;
}

/** One at a time: whatever still says that it runs was killed. */
export async function endBrokenRuns(tx: Tx, now: Date): Promise<void> {
  await sql`update integrity.run set state = 'broken', finished_at = ${now} where state = 'running'`.execute(tx);
}

type RunBegin = { readonly scope: RunScope; readonly now: Date; readonly mark: Mark | undefined };

export async function insertRun(tx: Tx, { scope, now, mark }: RunBegin): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    insert into integrity.run (scope, state, started_at, seal_no, seal_hash)
    values (${scope}, 'running', ${now}, ${mark?.no ?? null}, ${mark?.hash ?? null}) returning id`.execute(tx);
  return (rows[0] as { id: bigint }).id;
}

export async function startAskedRun(tx: Tx, id: bigint, { now, mark }: RunBegin): Promise<void> {
  await sql`
    update integrity.run set state = 'running', started_at = ${now}, seal_no = ${mark?.no ?? null}, seal_hash = ${mark?.hash ?? null}
    where id = ${id}`.execute(tx);
}

type RunEnd = {
  readonly state: 'passed' | 'failed' | 'broken';
  readonly now: Date;
  readonly checks: readonly CheckResult[];
  readonly findings: readonly CheckFinding[];
};

export async function finishRun(tx: Tx, id: bigint, { state, now, checks, findings }: RunEnd): Promise<void> {
  await sql`
    update integrity.run set state = ${state}, finished_at = ${now}, checks = ${JSON.stringify(checks)}::jsonb where id = ${id}`.execute(
    tx,
  );
  await sql`
    insert into integrity.finding (run_id, check_name, subject, message)
    select ${id}::bigint, f->>'check', f->>'subject', f->>'message'
    from jsonb_array_elements(${JSON.stringify(findings)}::jsonb) with ordinality as part(f, place) order by place`.execute(
    tx,
  );
}

/** The ledger's seal up to which everything was found right; undefined before the first run that found nothing. */
export async function findMark(db: Db): Promise<Mark | undefined> {
  const { rows } = await sql<{ no: bigint | null; hash: Uint8Array | null }>`
    select seal_no as no, seal_hash as hash from integrity.run where state = 'passed' order by id desc limit 1`.execute(
    db,
  );
  const [row] = rows;
  return row?.no == null || row.hash == null ? undefined : { no: row.no, hash: Buffer.from(row.hash) };
}

/** The newest run that is over. */
export async function findLastRun(db: Db): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select ${columns} from integrity.run where finished_at is not null order by id desc limit 1`.execute(db);
  return rows[0];
}

/** One that is under way or asked for. */
export async function findOpenRun(db: Db): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select ${columns} from integrity.run where finished_at is null order by id desc limit 1`.execute(db);
  return rows[0];
}

export async function listFindings(db: Db, runId: bigint, limit: number): Promise<CheckFinding[]> {
  const { rows } = await sql<CheckFinding>`
    select check_name as "check", subject, message from integrity.finding where run_id = ${runId} order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** What the newest run that is over found about one thing, in its words. */
export async function listLastFindingsAbout(db: Db, subject: string): Promise<string[]> {
  const { rows } = await sql<{ message: string }>`
    select message from integrity.finding
    where run_id = (select max(id) from integrity.run where finished_at is not null) and subject = ${subject}
    order by id limit 100`.execute(db);
  return rows.map(({ message }) => message);
}
