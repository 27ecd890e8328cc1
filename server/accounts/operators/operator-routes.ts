import { operatorPasskeys } from '#contract/accounts/operator-passkeys.ts';
import { operator } from '#contract/accounts/operator-sign-in.ts';
import { memberControls, operatorOpen } from '#contract/operator/members.ts';
import { actorOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount, withMessage } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { openMember } from '../impersonation/open-member.ts';
import { tightenMemberLimits } from '../limits/set-own-limits.ts';
import { setMemberFrozen } from '../members/freeze-member.ts';
import { challengePasskey, getRelyingParty } from '../passkeys/ceremonies.ts';
import { listPasskeys, renamePasskey } from '../passkeys/passkeys.ts';
import { showSignedIn } from '../sign-in/begin-session.ts';
import { readDevices } from '../sign-in/device-tokens.ts';
import { beginPasskeySecondHalf } from '../sign-in/sign-in-by-passkey.ts';
import { signInOperator, verifyOperatorOtp } from '../sign-in/sign-in-operator.ts';
import { mountOperatorAccounts } from './accounts/operator-routes.ts';
import { addPasskey, removePasskey, startPasskey } from './operator-passkeys.ts';
import { confirmOperatorTotp, startOperatorTotp } from './set-up-operator-totp.ts';

/** Operators' sign-in, their accounts, and their controls over members' accounts. */
export function mountOperators(http: Http, context: Context): void {
  mount(http, operator, {
    operatorLogin: async ({ body, address, userAgent, headers }) => {
      const devices = readDevices(headers);
      const signedIn = await signInOperator(context, { ...body, address, userAgent, devices });
      if (!('challenge' in signedIn)) return showSignedIn(signedIn);
      const { challenge, factors } = signedIn;
      const methods = [
        ...(factors.hasApp ? (['app'] as const) : []),
        ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
      ];
      return { otp_required: true as const, challenge, methods };
    },
    verifyOperatorOtp: async ({ body, address, userAgent, headers }) =>
      showSignedIn(await verifyOperatorOtp(context, { ...body, address, userAgent, devices: readDevices(headers) })),
    startOperatorPasskeySignIn: ({ body, headers }) =>
      beginPasskeySecondHalf(context, getRelyingParty(context.config, headers.host), 'operator', body.challenge),
    startOperatorTotp: ({ caller, body, address }) =>
      startOperatorTotp(context, caller.operatorId, { ...body, address }),
    confirmOperatorTotp: async ({ caller, body, address, headers }) => {
      const token = await confirmOperatorTotp(context, caller, { ...body, address, devices: readDevices(headers) });
      return token === undefined ? {} : { device_token: token };
    },
  });
  mountOperatorPasskeys(http, context);
  mountOperatorAccounts(http, context);
  mountOperatorOpen(http, context);
  mountMemberControls(http, context);
}

function mountOperatorPasskeys(http: Http, context: Context): void {
  const rpOf = (call: { readonly headers: Readonly<Record<string, unknown>> }) =>
    getRelyingParty(context.config, call.headers.host);
  mount(http, operatorPasskeys, {
    listOperatorPasskeys: ({ caller: { operatorId } }) => listPasskeys(context.db, { operatorId }),
    challengeOperatorPasskey: (call) => challengePasskey(context, rpOf(call), { operatorId: call.caller.operatorId }),
    startOperatorPasskey: (call) =>
      startPasskey(context, rpOf(call), call.caller.operatorId, { ...call.body, address: call.address }),
    finishOperatorPasskey: ({ caller, body: { name, passkey }, address }) =>
      addPasskey(context, caller, { name, answer: passkey, address }),
    renameOperatorPasskey: ({ caller: { operatorId }, params, body, address }) =>
      renamePasskey(context, { operatorId }, { id: params.id, name: body.name, address }),
    removeOperatorPasskey: async ({ caller, params, body, address }) => {
      await removePasskey(context, caller, { ...body, id: params.id, address });
      return withMessage('The passkey was removed. All other devices were signed out.', null);
    },
  });
}

/** Starts impersonation of a member. */
export function mountOperatorOpen(http: Http, context: Context): void {
  mount(http, operatorOpen, {
    openMember: async ({ caller, params, body, address, userAgent }) => {
      const { accessToken, expiresAt } = await openMember(context, caller, {
        memberId: params.id,
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

/** Controls of a member's account that take effect immediately. */
export function mountMemberControls(http: Http, context: Context): void {
  mount(http, memberControls, {
    setMemberFrozen: (call) =>
      setMemberFrozen(context, actorOf(call), { why: call.body.why, memberId: call.params.id }),
    tightenMemberLimits: (call) => tightenMemberLimits(context, actorOf(call), call.params.id, call.body),
  });
}
