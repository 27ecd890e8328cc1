import { english } from '#contract/texts.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember, setRecipient } from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { isDialCodeBlocked } from '../core/dial-code.ts';
import { auditOwn } from '../owner.ts';
import { lockMember, type Member, updateDetails } from './members.ts';
import { setVerified } from './set-verified.ts';

/**
 * Changes name and mobile number under the rules of registration. The audit log records which changed, not the values,
 * because its entries are never deleted. Unchanged values are not notified. A new name removes the verification and
 * withdraws proposals to set it. Refuses `account_frozen`; `country_blocked` for a new number of a country that cannot
 * register.
 */
export async function updateProfile(
  context: Context,
  { memberId }: MemberCaller,
  input: { readonly name: string; readonly mobileNumber: string; readonly address: string },
): Promise<Member> {
  const { name, mobileNumber } = input;
  return inTransaction(context.db, async (tx) => {
    const before = orRefuse(await lockMember(tx, memberId), 'session_required');
    if (before.frozenAt !== null) throw new Refused('account_frozen');
    const isNewName = name !== before.name;
    const isNewNumber = mobileNumber !== before.mobileNumber;
    if (!isNewName && !isNewNumber) return before;
    if (isNewNumber && isDialCodeBlocked(mobileNumber, context.config.blockedDialCodes)) {
      throw new Refused('country_blocked');
    }
    await updateDetails(tx, memberId, name, mobileNumber);
    await setRecipient(tx, { memberId, name, address: before.email });
    await auditOwn(tx, { memberId }, 'member.update_profile', {
      after: { changed: [...(isNewName ? ['name'] : []), ...(isNewNumber ? ['mobile number'] : [])] },
      address: input.address,
    });
    await notifyMember(tx, {
      memberId,
      kind: 'profile_changed',
      message: !isNewNumber
        ? english.t`Your name was changed.`
        : isNewName
          ? english.t`Your name and mobile number were changed.`
          : english.t`Your mobile number was changed.`,
    });
    if (isNewName) {
      const actor = { kind: 'member', id: memberId } as const;
      const { address } = input;
      await setVerified(tx, { memberId, verified: false, actor, why: 'another name', now: context.now(), address });
    }
    return { ...before, name, mobileNumber };
  });
}
