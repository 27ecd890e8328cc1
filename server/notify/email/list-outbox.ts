import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { listMails, type StoredMail } from './outbox.ts';

/**
 * One page of the outbox, newest first, only in paper mode without a mail server: mails carry codes that would open
 * members' accounts. Elsewhere the call does not exist. Who looked is in the audit log.
 */
export async function listOutbox(
  context: Context,
  operatorId: bigint,
  page: { readonly cursor?: string | undefined; readonly limit: number },
  address: string,
): Promise<{ items: StoredMail[]; nextCursor: string | null }> {
  const { mode, smtpUrl } = context.config;
  if (mode !== 'paper' || smtpUrl !== undefined) throw new Refused('not_found');
  return inTransaction(context.db, async (tx) => {
    const found = await listMails(tx, page);
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'operator.read_outbox',
      subject: 'outbox',
      after: { mailIds: found.items.map((mail) => mail.id) },
      address,
    });
    return found;
  });
}
