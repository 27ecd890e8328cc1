import { operator } from '#contract/accounts/operator-sign-in.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { mountOperatorOpen } from '../impersonation/operator-routes.ts';
import { mountMemberControls } from '../members/operator-routes.ts';
import { signInOperator, verifyOperatorOtp } from '../sign-in/sign-in-operator.ts';
import { mountOperatorAccounts } from './accounts/operator-routes.ts';
import { showSignedIn } from './accounts/show-signed-in.ts';
import { confirmOperatorTotp, startOperatorTotp } from './set-up-operator-totp.ts';

/** How operators sign in, their accounts, and what they do about the accounts of members. */
export function mountOperators(http: Http, context: Context): void {
  mount(http, operator, {
    operatorLogin: async ({ body, address, userAgent }) => {
      const signedIn = await signInOperator(context, { ...body, address, userAgent });
      return 'challenge' in signedIn ? { otp_required: true as const, ...signedIn } : showSignedIn(signedIn);
    },
    verifyOperatorOtp: async ({ body, address, userAgent }) =>
      showSignedIn(await verifyOperatorOtp(context, { ...body, address, userAgent })),
    startOperatorTotp: ({ caller, body, address }) =>
      startOperatorTotp(context, caller.operatorId, { ...body, address }),
    confirmOperatorTotp: async ({ caller, body, address }) => {
      await confirmOperatorTotp(context, caller, { ...body, address });
      return null;
    },
  });
  mountOperatorAccounts(http, context);
  mountOperatorOpen(http, context);
  mountMemberControls(http, context);
}
