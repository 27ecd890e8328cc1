import type { RefusalCode } from '#contract/refusals.ts';
import { isOwnMember } from '#server/accounts/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';

/** Operators may not decide on their own member account. Refuses `own_proposal` by default. */
export async function refuseOwnMember(
  tx: Tx,
  { memberId }: { readonly memberId: bigint | null },
  operatorId: bigint,
  refusal: RefusalCode = 'own_proposal',
): Promise<void> {
  if (await isOwnMember(tx, memberId as bigint, operatorId)) throw new Refused(refusal);
}
