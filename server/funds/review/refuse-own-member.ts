import type { RefusalCode } from '#contract/refusals.ts';
import { findOperator, getMember } from '#server/accounts/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';

/**
 * Nobody decides about their own member account. Operators have no wallets; who is also a member is known by the email
 * address of both accounts, whatever its capital letters. Refuses `own_proposal`, unless told otherwise.
 */
export async function refuseOwnMember(
  tx: Tx,
  { memberId }: { readonly memberId: bigint | null },
  operatorId: bigint,
  refusal: RefusalCode = 'own_proposal',
): Promise<void> {
  const [member, operator] = [await getMember(tx, memberId as bigint), await findOperator(tx, operatorId)];
  if (operator?.email.toLowerCase() === member.email.toLowerCase()) throw new Refused(refusal);
}
