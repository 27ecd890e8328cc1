import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember, setRecipient } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { isDialCodeBlocked } from '../core/dial-code.ts';
import type { MemberCaller } from '../sign-in/find-caller.ts';
import { lockMember, type Member, updateDetails } from './member-sql.ts';

/**
 * Changes name and mobile number, under the rules of the registration. The audit log says which of them changed, not
 * what they were: nothing is ever taken out of it. The same once more changes and tells nothing. Refusals:
 * `account_frozen`; `country_blocked` for another number of a country that cannot register.
 */
export async function updateProfile(
  context: Context,
  { memberId }: MemberCaller,
  input: { readonly name: string; readonly mobileNumber: string; readonly address: string },
): Promise<Member> {
  const { name, mobileNumber } = input;
  return inTransaction(context.db, async (tx) => {
    const before = await lockMember(tx, memberId);
    if (before === undefined) throw new Refused('not_found');
    if (before.frozenAt !== null) throw new Refused('account_frozen');
    const changed = [
      ...(name === before.name ? [] : ['name']),
      ...(mobileNumber === before.mobileNumber ? [] : ['mobile number']),
    ];
    if (changed.length === 0) return before;
    const isNewNumber = mobileNumber !== before.mobileNumber;
    if (isNewNumber && isDialCodeBlocked(mobileNumber, context.config.blockedDialCodes)) {
      throw new Refused('country_blocked');
    }
    await updateDetails(tx, memberId, name, mobileNumber);
    await setRecipient(tx, { memberId, name, address: before.email });
    await writeAudit(tx, {
      actor: { kind: 'member', id: memberId },
      action: 'member.update_profile',
      subject: `member:${memberId}`,
      after: { changed },
      address: input.address,
    });
    await notifyMember(tx, {
      memberId,
      kind: 'profile_changed',
      message: `Your ${changed.join(' and ')} ${changed.length === 1 ? 'was' : 'were'} changed.`,
    });
    return { ...before, name, mobileNumber };
  });
}
