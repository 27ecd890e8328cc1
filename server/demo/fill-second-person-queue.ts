import assert from 'node:assert/strict';
import {
  confirmTotp,
  findCaller,
  freezeMember,
  issueOtp,
  signInMember,
  startTotp,
  totpOf,
} from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { freezeWithdrawals, insertLoosening } from '#server/funds/index.ts';
import { proposeAnnouncement } from '#server/operator/index.ts';
import { demoOrigin } from './make-operators.ts';
import { demoPassword, restrictedPeople } from './people.ts';

const DAY_MS = 86_400_000;

/**
 * One proposal of each kind about members that awaits a second operator: a frozen account, withdrawals that their
 * member stopped with *This was not me*, a checked identity, and a lost authenticator app. Proposed by finance, so that
 * either demo admin can approve; likewise an announcement by support.
 */
export async function fillSecondPersonQueue(
  context: Context,
  by: { readonly financeId: bigint; readonly supportId: bigint },
  memberIds: ReadonlyMap<string, bigint>,
): Promise<void> {
  const { address } = demoOrigin;
  const finance = { operatorId: by.financeId, address };
  const support = { operatorId: by.supportId, address };
  for (const { code, what, why, reason } of restrictedPeople) {
    const memberId = memberIds.get(code) as bigint;
    if (what === 'turn_off_two_factor') await setUpApp(context, code);
    await inTransaction(context.db, async (tx) => {
      const actor = { kind: 'operator', id: by.supportId } as const;
      if (what === 'unfreeze') await freezeMember(tx, { memberId, actor, why, now: context.now(), address });
      if (what === 'lift_withdrawal_stop') {
        const member = { kind: 'member', id: memberId } as const;
        await freezeWithdrawals(tx, context, { memberId, cause: 'not_me', actor: member, why, address });
      }
      await insertLoosening(tx, context, finance, { memberId, what, reason });
    });
  }
  await inTransaction(context.db, (tx) =>
    proposeAnnouncement(tx, context, support, {
      title: 'Queries at the weekend',
      text: 'On Saturday and Sunday we answer queries from 8:00 to 18:00 UTC.\nDeposits and withdrawals are looked at around the clock.',
      from: null,
      to: new Date(context.now().getTime() + 5 * DAY_MS),
    }),
  );
}

/** The secret is discarded, as by a member who lost the phone. */
async function setUpApp(context: Context, loginId: string): Promise<void> {
  const signedIn = await signInMember(context, { loginId, password: demoPassword, ...demoOrigin });
  assert('accessToken' in signedIn, 'a new member has no second factor yet');
  const caller = await findCaller(context, signedIn.accessToken);
  assert(caller?.kind === 'member');
  const { address } = demoOrigin;
  const now = context.now();
  const code = { memberId: caller.memberId, purpose: 'second_factor', details: '', resendAt: now, now } as const;
  const otp = await inTransaction(context.db, (tx) =>
    issueOtp(tx, { ...code, expiresAt: new Date(now.getTime() + 60_000) }),
  );
  const { secret } = await startTotp(context, caller, { password: demoPassword, otp, address });
  await confirmTotp(context, caller, { otp: totpOf(secret, context.now()), address });
}
