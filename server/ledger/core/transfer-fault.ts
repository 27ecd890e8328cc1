import { accountFault, classOf, isMemberAccount, memberOf } from './account.ts';
import type { TransferFields } from './canonical.ts';
import { isFlow } from './flow.ts';

/**
 * What a transfer says that no posting can say, or undefined. The rules are those of the database's own constraints,
 * said a second time, for rows that were written while those were off. Whether a reversal is the opposite of its
 * transfer takes both rows and is not asked here.
 *
 * 5 $ from member 3's profit wallet to member 4's primary wallet: `'moves money between two members'`.
 */
export function transferFault(t: TransferFields): string | undefined {
  if (t.amount <= 0n) return 'moves no positive amount';
  const wrongAccount = accountFault(t.from_account) ?? accountFault(t.to_account);
  if (wrongAccount !== undefined) return wrongAccount;
  const fromMember = isMemberAccount(t.from_account);
  const toMember = isMemberAccount(t.to_account);
  if (fromMember && toMember && memberOf(t.from_account) !== memberOf(t.to_account))
    return 'moves money between two members';
  if (fromMember !== (t.from_balance_after !== null) || toMember !== (t.to_balance_after !== null))
    return 'does not say the balances of exactly its member accounts';
  if ((t.from_balance_after ?? 0n) < 0n || (t.to_balance_after ?? 0n) < 0n) return 'leaves a member account below zero';
  if ((t.reason === 'reversal') !== (t.reverses !== null))
    return 'is a reversal without a transfer, or the other way round';
  if (t.reason !== 'reversal' && !isFlow(classOf(t.from_account), classOf(t.to_account), t.reason))
    return `is a flow that does not exist: ${classOf(t.from_account)} to ${classOf(t.to_account)} for ${t.reason}`;
  return undefined;
}
