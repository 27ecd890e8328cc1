import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleJobs } from '#contract/operator/jobs.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { listFailedEmails, retryEmail } from '#server/notify/index.ts';
import { maskEmail } from '#server/team/index.ts';

type ListFailedEmails = typeof consoleJobs.listFailedEmails;

/** A page of emails that failed permanently in the last three days, newest first; without bodies, addresses masked. */
export async function showFailedEmails(
  context: Context,
  query: QueryOf<ListFailedEmails>,
): Promise<DataOf<ListFailedEmails>> {
  const { items, nextCursor } = await listFailedEmails(context, query);
  return {
    items: items.map((mail) => ({
      id: mail.id.toString(),
      to: maskEmail(mail.to_address),
      subject: mail.subject,
      tries: mail.tries,
      fault: mail.last_fault,
      created_at: mail.created_at.toISOString(),
    })),
    next_cursor: nextCursor,
  };
}

/** Queues a permanently failed email again. Refuses `email_not_failed`. */
export async function retryFailedEmail(context: Context, actor: OperatorActor, id: bigint): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await retryEmail(tx, id);
    await writeAudit(tx, { ...actingAs(actor), action: 'mail.retry', subject: `mail:${id}` });
  });
}
