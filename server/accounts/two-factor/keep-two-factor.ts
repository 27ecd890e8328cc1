import { english } from '#contract/texts.ts';
import { type Executor, endProposalsAbout, listProposalRows } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { twoFactorKeptEmail } from '../core/emails.ts';
import { type LooseningPayload, looseningFrame } from '../members/end-loosenings.ts';
import { getMember } from '../members/members.ts';
import { notifySecurity } from '../sign-in/notify-security.ts';

/**
 * Ends a proposal to turn two-factor authentication off, as the member reported it. The caller has locked the member; a
 * shared lock is enough, as decisions and execution wait for it.
 */
export async function keepTwoFactor(tx: Tx, context: Context, memberId: bigint, address?: string): Promise<void> {
  const executor: Executor = { actor: { kind: 'member', id: memberId }, address };
  const ended = await endProposalsAbout<LooseningPayload>(tx, looseningFrame, {
    memberId,
    isMoot: ({ what }) => what === 'turn_off_two_factor',
    executor,
    now: context.now(),
  });
  // Before the approval the member was not notified of it.
  if (ended.some(({ dueAt }) => dueAt !== null)) await notifyTwoFactorKept(tx, context, memberId);
}

/**
 * The same because the member has just used it or added to it, so not everything is lost. Not while the account is
 * frozen: a thief with password and mailbox may have added a passkey, and signing in with it would keep the owner out
 * for good.
 */
export async function keepUsedTwoFactor(tx: Tx, context: Context, memberId: bigint, address?: string): Promise<void> {
  if ((await getMember(tx, memberId)).frozenAt === null) await keepTwoFactor(tx, context, memberId, address);
}

/** When an approved proposal turns it off; undefined without one. */
export async function findTwoFactorEnd(db: Db, memberId: bigint): Promise<Date | undefined> {
  const filter = { state: 'approved', memberId, after: undefined, limit: 10 } as const;
  const approved = await listProposalRows<LooseningPayload>(db, looseningFrame.name, filter);
  return approved.find(({ payload }) => payload.what === 'turn_off_two_factor')?.dueAt ?? undefined;
}

/** Notifies the member that it is not turned off, after they were notified that it will be. */
export async function notifyTwoFactorKept(tx: Tx, context: Context, memberId: bigint): Promise<void> {
  await notifySecurity(context, tx, {
    memberId,
    kind: 'second_factor_kept',
    message: english.t`Two-factor authentication stays on.`,
    mail: twoFactorKeptEmail,
  });
}
