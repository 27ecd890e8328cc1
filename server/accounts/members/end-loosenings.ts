import type { LooseningKind } from '#contract/operator/loosenings.ts';
import { type Executor, endProposalsAbout, type Proposal, plainKind } from '#server/approvals/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { lockAnyMember } from './members.ts';

export type LooseningPayload = { readonly what: LooseningKind };

/** What the audit log says of proposals to lift a restriction; a later domain, which knows all restrictions, adds the rest. */
export const looseningFrame = {
  ...plainKind('loosening'),
  subject: 'loosening',
  logged: ({ memberId, payload }: Proposal<LooseningPayload>) => ({ memberId, what: payload.what }),
} as const;

/**
 * Ends what was proposed about a restriction that is put up now, again or for the first time, or about all of a member who
 * leaves: what was approved before never lifts what came after. Holds the member first, as everybody does who proposes or
 * decides.
 *
 * @param end `what` is left out of who leaves
 */
export async function endLoosenings(
  tx: Tx,
  end: { readonly memberId: bigint; readonly what?: LooseningKind; readonly executor: Executor; readonly now: Date },
): Promise<void> {
  const { what, ...rest } = end;
  await lockAnyMember(tx, end.memberId);
  await endProposalsAbout<LooseningPayload>(tx, looseningFrame, {
    ...rest,
    isMoot: (payload) => what === undefined || payload.what === what,
  });
}
