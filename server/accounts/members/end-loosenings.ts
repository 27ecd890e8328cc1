import type { LooseningKind } from '#contract/operator/loosenings.ts';
import { type Executor, endProposalsAbout, type Proposal, plainKind } from '#server/approvals/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { lockAnyMember } from './members.ts';

export type LooseningPayload = { readonly what: LooseningKind };

/**
 * How the audit log names proposals to lift a restriction. A later domain, which knows all restrictions, adds the rest.
 */
export const looseningFrame = {
  ...plainKind('loosening'),
  subject: 'loosening',
  logged: ({ memberId, payload }: Proposal<LooseningPayload>) => ({ memberId, what: payload.what }),
} as const;

/**
 * Withdraws proposals to lift a restriction that is now imposed (again), so that an earlier approval never lifts a
 * later restriction. Locks the member first, as every proposal and decision does.
 *
 * @param end without `what`, all proposals of a member who closes the account
 */
export async function endLoosenings(
  tx: Tx,
  end: {
    readonly memberId: bigint;
    readonly what?: LooseningKind;
    readonly executor: Executor;
    readonly why?: string;
    readonly now: Date;
  },
): Promise<void> {
  const { what, ...rest } = end;
  await lockAnyMember(tx, end.memberId);
  await endProposalsAbout<LooseningPayload>(tx, looseningFrame, {
    ...rest,
    isMoot: (payload) => what === undefined || payload.what === what,
  });
}
