import type { JobHealth } from '#contract/operator/jobs.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { insertRequest, type JobRow, listJobRows } from '#server/jobs/health-sql.ts';
import { Refused } from '#server/refused.ts';

/** Every loop and queue of the workers with its last run, by name; empty until a worker has run. */
export async function listJobs({ db, now }: Pick<Context, 'db' | 'now'>): Promise<JobHealth[]> {
  const at = now();
  return (await listJobRows(db)).map((row) => showJob(row, at));
}

const showJob = (row: JobRow, now: Date): JobHealth => ({
  name: row.name,
  kind: row.kind,
  cron: row.cron,
  state: stateOf(row),
  last_success_at: row.succeededAt?.toISOString() ?? null,
  last_fault_at: row.failedAt?.toISOString() ?? null,
  last_fault: row.fault,
  failures: row.failures,
  took_ms: row.tookMs,
  asked_for: row.isAskedFor,
  // A success that is ahead of the clock, which was set back since, tells nothing either.
  overdue: Math.abs(now.getTime() - (row.succeededAt ?? row.firstSeenAt).getTime()) > row.overdueSeconds * 1000,
});

function stateOf({ startedAt, succeededAt, failedAt, failures }: JobRow): JobHealth['state'] {
  const ended = Math.max(succeededAt?.getTime() ?? 0, failedAt?.getTime() ?? 0);
  if (startedAt !== null && startedAt.getTime() > ended) return 'running';
  return failures > 0 ? 'failing' : 'waiting';
}

/** Requests a run of a queue; the next worker that polls executes it, on any machine. Refuses `job_not_found`. */
export async function runJob(context: Context, actor: OperatorActor, name: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await insertRequest(tx, name, context.now()))) throw new Refused('job_not_found');
    await writeAudit(tx, { ...actingAs(actor), action: 'job.run', subject: `job:${name}` });
  });
}
