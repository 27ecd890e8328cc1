import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { toMicros } from '#contract/money.ts';
import type { memberControls } from '#contract/operator/members.ts';
import { english } from '#contract/texts.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import {
  changeLimits,
  describeChange,
  findLoosened,
  type LimitChange,
  limitsAt,
  type OwnLimits,
  refuseChange,
} from '../core/own-limits.ts';
import { lockMember, lockOpenMember } from '../members/members.ts';
import { insertStoredLimits, lockStoredLimits, showLimits, updateStoredLimits } from './own-limits.ts';

/**
 * Changes a member's self-imposed limits (docs/product.md, section 8). Concurrent changes are serialized. A change
 * without effect is neither logged nor notified.
 *
 * @returns the limits afterwards
 * @throws Refused pause_shortened
 */
export async function setOwnLimits(
  context: Context,
  { memberId }: Pick<MemberCaller, 'memberId'>,
  { address, ...change }: LimitChange & { readonly address: string },
): Promise<OwnLimits> {
  return inTransaction(context.db, async (tx) => {
    // Locks the member, because a first limit has no row: concurrent operations commit before the limit or obey it.
    if ((await lockMember(tx, memberId)) === undefined) throw new Refused('session_required');
    return changeStored(tx, context, { memberId, change, address, actor: { kind: 'member', id: memberId } });
  });
}

type Changing = {
  readonly memberId: bigint;
  readonly change: LimitChange;
  readonly actor: Actor;
  readonly address: string;
  /** Only if an operator makes the change. */
  readonly why?: string;
};

async function changeStored(tx: Tx, context: Context, changing: Changing): Promise<OwnLimits> {
  const { memberId, change, why } = changing;
  await insertStoredLimits(tx, memberId);
  const stored = await lockStoredLimits(tx, memberId);
  // Read after the lock: a change that waited for another one must not be dated before it.
  const now = context.now();
  const before = limitsAt(stored, now);
  const loosened = why === undefined ? undefined : findLoosened(before, change);
  if (loosened !== undefined) throw new Refused('limits_loosened', { field: loosened });
  const refusal = refuseChange(before, change, now);
  if (refusal !== undefined) throw new Refused(refusal);
  const after = changeLimits(before, change, now);
  const sentences = describeChange(before, after);
  if (sentences.length === 0) return after;
  await updateStoredLimits(tx, memberId, after);
  await writeAudit(tx, {
    actor: changing.actor,
    action: 'member.set_limits',
    subject: `member:${memberId}`,
    before,
    after: why === undefined ? after : { ...after, why },
    address: changing.address,
  });
  await notifyChange(
    tx,
    memberId,
    why === undefined ? sentences : [...sentences, english.t`Support set this: ${why}`],
    why,
  );
  return after;
}

async function notifyChange(tx: Tx, memberId: bigint, sentences: readonly string[], why: string | undefined) {
  const closing =
    why === undefined
      ? english.t`If this was not you, change your password now, then open Query and write to support.`
      : english.t`You can raise a limit yourself; it takes effect after 24 hours. A pause ends by itself. If you have questions, open Query and write to support.`;
  await notifyMember(tx, {
    memberId,
    kind: 'own_limits_changed',
    message: sentences.join(' '),
    mail: { subject: english.t`Your limits were changed`, text: `${sentences.join('\n')}\n\n${closing}\n` },
  });
}

type TightenMemberLimits = typeof memberControls.tightenMemberLimits;

/**
 * Tightens a member's limits or pauses them immediately, for a member who requests or needs it (docs/product.md,
 * section 8). The member is notified that support did it and why, and only they can relax it, as one of their own, after
 * 24 hours.
 *
 * Refuses `not_found`, `account_closed`, `limits_loosened`, `pause_shortened`.
 */
export async function tightenMemberLimits(
  context: Context,
  actor: OperatorActor,
  memberId: bigint,
  { why, deposit_week, loss_day, pause_days }: BodyOf<TightenMemberLimits>,
): Promise<DataOf<TightenMemberLimits>> {
  return inTransaction(context.db, async (tx) => {
    await lockOpenMember(tx, memberId);
    const limits = await changeStored(tx, context, {
      memberId,
      change: {
        depositWeekMicros: deposit_week === undefined ? undefined : toMicros(deposit_week),
        lossDayMicros: loss_day === undefined ? undefined : toMicros(loss_day),
        pauseDays: pause_days,
      },
      why,
      ...actingAs(actor),
    });
    return showLimits(limits);
  });
}
