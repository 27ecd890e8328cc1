import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { insertRequest } from '#server/jobs/health-sql.ts';
import { Refused } from '#server/refused.ts';

/** Asks for a run of a queue: the next worker that looks sends it, wherever it runs. Refuses `job_not_found`. */
export async function runJob(context: Context, decider: Decider, name: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await insertRequest(tx, name, context.now()))) throw new Refused('job_not_found');
    await writeAudit(tx, { ...actingAs(decider), action: 'job.run', subject: `job:${name}` });
  });
}
