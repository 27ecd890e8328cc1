import type { RefusalCode } from '#contract/refusals.ts';
import { isOwnMember } from '#server/accounts/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';

/** Nobody decides about their own member account. Refuses `own_proposal`, unless told otherwise. */
export async function refuseOwnMember(
  tx: Tx,
  { memberId }: { readonly memberId: bigint | null },
  operatorId: bigint,
  refusal: RefusalCode = 'own_proposal',
): Promise<void> {
  if (await isOwnMember(tx, memberId as bigint, operatorId)) throw new Refused(refusal);
}
