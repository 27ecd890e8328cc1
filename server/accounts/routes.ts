import { identity } from '#contract/accounts/sign-in.ts';
import type { PayoutAddress } from '#contract/funds/withdrawals.ts';
import { toMicros } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import { mount, withMessage } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { showLimits } from './limits/own-limits.ts';
import { setOwnLimits } from './limits/set-own-limits.ts';
import { type AccountParts, mountAccount } from './members/account-routes.ts';
import { getProfile, type Profile, showSignedIn, showUser } from './members/get-profile.ts';
import { findSponsorName } from './members/members.ts';
import { registerMember } from './members/register-member.ts';
import { mountPasskeys } from './passkeys/passkey-routes.ts';
import { changePassword } from './passwords/change-password.ts';
import { requestReset, resetPassword, verifyResetOtp } from './passwords/reset-password.ts';
import { adoptSignIn, confirmIdentity } from './sign-in/adopt-sign-in.ts';
import { signOut } from './sign-in/auth-sessions.ts';
import { readDevices } from './sign-in/device-tokens.ts';
import { signInMember, verifyMemberOtp } from './sign-in/sign-in-member.ts';

/** Parts of a profile that later domains provide through app.ts. */
export type ProfileParts = AccountParts & {
  readonly findAddress: (memberId: bigint) => Promise<PayoutAddress | null>;
};

export function mountIdentity(http: Http, context: Context, { findAddress, ...parts }: ProfileParts): void {
  mountAccount(http, context, parts);
  mountPasskeys(http, context);
  mount(http, identity, {
    login: async ({ body, address, userAgent, headers }) => {
      const signedIn = await signInMember(context, { ...body, address, userAgent, devices: readDevices(headers) });
      if ('accessToken' in signedIn) return showSignedIn(signedIn);
      const { challenge, factors } = signedIn;
      const methods = [factors.hasApp && ('app' as const), factors.passkeys > 0 && ('passkey' as const)];
      return { otp_required: true as const, challenge, methods: methods.filter((method) => method !== false) };
    },
    register: async ({ body, address, once }) => {
      const { mobile_number: mobileNumber, ...rest } = body;
      const { referralCode } = await registerMember(context, { ...rest, mobileNumber, address, once });
      const welcome = english.t`Welcome to ${context.config.brandName}. Your Registered Id is ${referralCode}.`;
      return withMessage(welcome, { referral_code: referralCode });
    },
    findSponsor: async ({ query }) => ({ name: await findSponsorName(context, query.referralCode) }),
    forgotPassword: async ({ body, address, headers }) => {
      const { loginId, request_token: requestToken } = body;
      const asked = { loginId, requestToken, address, devices: readDevices(headers) };
      const { expiresAt, resendAt } = await requestReset(context, asked);
      return withMessage(english.t`If this account exists, we emailed it a code.`, {
        expires_at: expiresAt.toISOString(),
        resend_at: resendAt.toISOString(),
      });
    },
    verifyOtp: async ({ body, address, userAgent, headers }) => {
      const devices = readDevices(headers);
      if (body.purpose === 'login') {
        const { challenge, otp = '', recovery_code: recoveryCode, passkey } = body;
        const code = passkey ? { passkey } : recoveryCode === undefined ? { otp } : { recoveryCode };
        return showSignedIn(await verifyMemberOtp(context, { challenge, code, address, userAgent, devices }));
      }
      const { loginId, otp, request_token: requestToken } = body;
      return { reset_token: await verifyResetOtp(context, { loginId, otp, requestToken, address, devices }) };
    },
    resetPassword: async ({ body, address, headers }) => {
      const { reset_token: resetToken, password } = body;
      const devices = readDevices(headers);
      const { referralCode, deviceToken } = await resetPassword(context, { resetToken, password, address, devices });
      const data = { referral_code: referralCode, device_token: deviceToken };
      return withMessage(english.t`Your password was changed. Sign in with it.`, data);
    },
    adoptSignIn: async ({ caller, address, userAgent }) => {
      const confirmation = await adoptSignIn(context, caller, { address, userAgent });
      const { member, openedBy } = await getProfile(context, caller);
      return { user: showUser(member), opened_by: showOpenedBy(openedBy), confirmation };
    },
    confirmIdentity: async ({ caller, body, address }) => ({
      confirm_identity: !(await confirmIdentity(context, caller, { ...body, address })),
    }),
    logout: ({ caller, address }) => signOut(context, caller, address),
    me: async ({ caller }) => {
      const { member, sponsorName, hasSecondFactor, limits, openedBy } = await getProfile(context, caller);
      return {
        user: showUser(member),
        sponsor: sponsorName,
        frozen: member.frozenAt !== null,
        second_factor: hasSecondFactor,
        limits: showLimits(limits),
        address: await findAddress(caller.memberId),
        opened_by: showOpenedBy(openedBy),
        confirm_identity: caller.isUnconfirmed === true,
      };
    },
    changePassword: async ({ caller, body, address }) => {
      const { current_password: currentPassword, password, second_factor: secondFactor } = body;
      await changePassword(context, caller, { currentPassword, password, secondFactor, address });
      return withMessage(english.t`Your password was changed. All other devices were signed out.`, null);
    },
    setLimits: async ({ caller, body, address }) => {
      const change = {
        depositWeekMicros: limitMicros(body.deposit_week),
        lossDayMicros: limitMicros(body.loss_day),
        pauseDays: body.pause_days,
        address,
      };
      return showLimits(await setOwnLimits(context, caller, change));
    },
  });
}

/** Null is no limit; absent is no change. */
const limitMicros = (dollars: number | null | undefined): bigint | null | undefined =>
  typeof dollars === 'number' ? toMicros(dollars) : dollars;

const showOpenedBy = (openedBy: Profile['openedBy']) =>
  openedBy && { name: openedBy.operatorName, until: openedBy.expiresAt.toISOString() };
