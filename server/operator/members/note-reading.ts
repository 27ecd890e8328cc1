import { getMember, type Member } from '#server/accounts/index.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { hasRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';

const ONCE_IN_MS = 10 * 60_000;

/**
 * Precedes everything that an operator reads about one member: the audit log records it once in ten minutes for each
 * operator and member, however many pages they open. The company is no member. Refuses `not_found`.
 */
export async function noteReading(context: Context, reader: OperatorActor, memberId: bigint): Promise<Member> {
  const member = await getMember(context.db, memberId);
  if (member.isCompany) throw new Refused('not_found');
  const now = context.now();
  await inTransaction(context.db, async (tx) => {
    const since = new Date(now.getTime() - ONCE_IN_MS);
    if (!(await recordReading(tx, { operatorId: reader.operatorId, memberId, now, since }))) return;
    await writeAudit(tx, { ...actingAs(reader), action: 'member.read', subject: `member:${memberId}` });
  });
  return member;
}

/** False if this operator has read this member since `since`; of two concurrent readings only one is recorded. */
const recordReading = (
  tx: Tx,
  reading: { readonly operatorId: bigint; readonly memberId: bigint; readonly now: Date; readonly since: Date },
): Promise<boolean> =>
  hasRow(tx)`
    insert into operator.member_reading as last (operator_id, member_id, read_at)
    values (${reading.operatorId}, ${reading.memberId}, ${reading.now})
    on conflict (operator_id, member_id) do update set read_at = excluded.read_at where last.read_at <= ${reading.since}
    returning 1`;
