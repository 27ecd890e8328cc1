import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { describeChange } from './core/limit-words.ts';
import { changeLimits, type LimitChange, limitsAt, type OwnLimits, refuseChange } from './core/own-limits.ts';
import type { MemberCaller } from './find-caller.ts';
import { insertStoredLimits, lockStoredLimits, updateStoredLimits } from './own-limit-sql.ts';

/**
 * Changes the limits a member set for themselves (product.md section 8). Two changes at once are made one after the
 * other, each whole. A change that changes nothing is neither logged nor told.
 *
 * @returns the limits afterwards
 * @throws Refused pause_shortened
 */
export async function setOwnLimits(
  context: Context,
  { memberId }: Pick<MemberCaller, 'memberId'>,
  change: LimitChange & { readonly address: string },
): Promise<OwnLimits> {
  return inTransaction(context.db, async (tx) => {
    await insertStoredLimits(tx, memberId);
    const stored = await lockStoredLimits(tx, memberId);
    // Looked at only now: whoever waited for another change must not be dated before it.
    const now = context.now();
    const before = limitsAt(stored, now);
    const refusal = refuseChange(before, change, now);
    if (refusal !== undefined) throw new Refused(refusal);
    const after = changeLimits(before, change, now);
    const sentences = describeChange(before, after);
    if (sentences.length === 0) return after;
    await updateStoredLimits(tx, memberId, after);
    await tellChange(tx, { memberId, address: change.address, before, after, sentences });
    return after;
  });
}

async function tellChange(
  tx: Tx,
  changed: {
    readonly memberId: bigint;
    readonly address: string;
    readonly before: OwnLimits;
    readonly after: OwnLimits;
    readonly sentences: readonly string[];
  },
): Promise<void> {
  const { memberId, address, before, after, sentences } = changed;
  await writeAudit(tx, {
    actor: { kind: 'member', id: memberId },
    action: 'member.set_limits',
    subject: `member:${memberId}`,
    before,
    after,
    address,
  });
  const message = sentences.join(' ');
  await notifyMember(tx, {
    memberId,
    kind: 'own_limits_changed',
    message,
    mail: {
      subject: 'Your own limits were changed',
      text: `${sentences.join('\n')}\n\nIf this was not you, change your password at once and write to support.\n`,
    },
  });
}
