import { approveProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { adjustmentKind, proposeAdjustment, reverseAdjustment } from '#server/funds/index.ts';
import { demoOrigin } from './make-operators.ts';
import { demoPeople } from './people.ts';

/**
 * A wallet correction that awaits approval, one of another member that was posted by mistake and whose reversal awaits
 * it, and one that is posted.
 */
export async function correctWallets(
  context: Context,
  operatorIds: readonly [bigint, bigint],
  memberIds: ReadonlyMap<string, bigint>,
): Promise<void> {
  const [first, second] = operatorIds.map((operatorId) => ({ operatorId, address: demoOrigin.address })) as [At, At];
  const walletOf = (person: number) =>
    ({ member_id: String(memberIds.get(demoPeople[person]?.code ?? '')), wallet_type: 'primary' }) as const;
  await proposeAdjustment(context, first, {
    ...walletOf(0),
    amount: 1.5,
    reason: 'Network fee of a deposit that was sent twice by our own fault',
    evidence: 'Transaction hashes of both in the query about it',
  });
  const post = async (correction: Correction) => {
    const { id, version } = await proposeAdjustment(context, first, correction);
    await approveProposal(context, adjustmentKind, second, { id: BigInt(id), version });
    return BigInt(id);
  };
  const id = await post({
    ...walletOf(2),
    amount: -3,
    reason: 'A withdrawal fee that was returned by mistake',
    evidence: 'Statement of the gateway',
  });
  await reverseAdjustment(context, first, {
    id,
    reason: 'The fee had to be returned: the withdrawal was declined',
    evidence: 'Query of the member, and the statement of the gateway',
  });
  await post({
    ...walletOf(3),
    amount: -2,
    reason: 'A deposit was credited with $2 too much',
    evidence: 'Statement of the gateway',
  });
}

type Correction = Parameters<typeof proposeAdjustment>[2];
type At = { readonly operatorId: bigint; readonly address: string };
