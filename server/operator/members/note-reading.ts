import { getMember, type Member } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { recordReading } from './reading-sql.ts';

const ONCE_IN_MS = 10 * 60_000;

/** Who reads, from which network address. */
export type Reader = { readonly operatorId: bigint; readonly address: string };

/**
 * The beginning of everything an operator reads about one member: it is in the audit log, once in ten minutes for each
 * operator and member, however many pages they turn. The company is no member. Refuses `not_found`.
 */
export async function noteReading(
  context: Context,
  { operatorId, address }: Reader,
  memberId: bigint,
): Promise<Member> {
  const member = await getMember(context.db, memberId);
  if (member.isCompany) throw new Refused('not_found');
  const now = context.now();
  await inTransaction(context.db, async (tx) => {
    const since = new Date(now.getTime() - ONCE_IN_MS);
    if (!(await recordReading(tx, { operatorId, memberId, now, since }))) return;
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'member.read',
      subject: `member:${memberId}`,
      address,
    });
  });
  return member;
}
