import { operator } from '#contract/accounts/operator-sign-in.ts';
import { memberControls, operatorOpen } from '#contract/operator/members.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { openMember } from '../impersonation/open-member.ts';
import { tightenMemberLimits } from '../limits/set-own-limits.ts';
import { setMemberFrozen } from '../members/freeze-member.ts';
import { showSignedIn } from '../sign-in/begin-session.ts';
import { readDevices } from '../sign-in/device-tokens.ts';
import { signInOperator, verifyOperatorOtp } from '../sign-in/sign-in-operator.ts';
import { mountOperatorAccounts } from './accounts/operator-routes.ts';
import { confirmOperatorTotp, startOperatorTotp } from './set-up-operator-totp.ts';

/** How operators sign in, their accounts, and what they do about the accounts of members. */
export function mountOperators(http: Http, context: Context): void {
  mount(http, operator, {
    operatorLogin: async ({ body, address, userAgent, headers }) => {
      const devices = readDevices(headers);
      const signedIn = await signInOperator(context, { ...body, address, userAgent, devices });
      return 'challenge' in signedIn ? { otp_required: true as const, ...signedIn } : showSignedIn(signedIn);
    },
    verifyOperatorOtp: async ({ body, address, userAgent, headers }) =>
      showSignedIn(await verifyOperatorOtp(context, { ...body, address, userAgent, devices: readDevices(headers) })),
    startOperatorTotp: ({ caller, body, address }) =>
      startOperatorTotp(context, caller.operatorId, { ...body, address }),
    confirmOperatorTotp: async ({ caller, body, address, headers }) => {
      const token = await confirmOperatorTotp(context, caller, { ...body, address, devices: readDevices(headers) });
      return token === undefined ? {} : { device_token: token };
    },
  });
  mountOperatorAccounts(http, context);
  mountOperatorOpen(http, context);
  mountMemberControls(http, context);
}

/** Where an operator begins to look at an account as its member sees it. */
export function mountOperatorOpen(http: Http, context: Context): void {
  mount(http, operatorOpen, {
    openMember: async ({ caller, params, body, address, userAgent }) => {
      const { accessToken, expiresAt } = await openMember(context, caller, {
        memberId: BigInt(params.id),
        ...body,
        address,
        userAgent,
      });
      return {
        access_token: accessToken,
        address: `${context.config.publicUrl ?? ''}/?accessToken=${accessToken}`,
        expires_at: expiresAt.toISOString(),
      };
    },
  });
}

/** What operators do about a member's account at once. */
export function mountMemberControls(http: Http, context: Context): void {
  mount(http, memberControls, {
    setMemberFrozen: async (call) => {
      await setMemberFrozen(context, deciderOf(call), { why: call.body.why, memberId: BigInt(call.params.id) });
      return null;
    },
    tightenMemberLimits: (call) => tightenMemberLimits(context, deciderOf(call), BigInt(call.params.id), call.body),
  });
}
