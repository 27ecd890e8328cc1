import { identity, type User } from '#contract/identity.ts';
import { toMicros } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { mount, withMessage } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import { changePassword } from './change-password.ts';
import { findSponsorName } from './find-sponsor-name.ts';
import { getProfile } from './get-profile.ts';
import type { Member } from './members.ts';
import { registerMember } from './register-member.ts';
import { requestReset } from './request-reset.ts';
import { resetPassword } from './reset-password.ts';
import { setOwnLimits } from './set-own-limits.ts';
import { showLimits } from './show-limits.ts';
import { signInMember } from './sign-in-member.ts';
import { signOut } from './sign-out.ts';
import { verifyResetOtp } from './verify-reset-otp.ts';

export function mountIdentity(http: Http, context: Context): void {
  mount(http, identity, {
    login: async ({ body, address, userAgent }) => {
      const { accessToken, member } = await signInMember(context, { ...body, address, userAgent });
      return { access_token: accessToken, user: toUser(member) };
    },
    register: async ({ body, address }) => {
      const { mobile_number: mobileNumber, ...rest } = body;
      const { referralCode } = await registerMember(context, { ...rest, mobileNumber, address });
      const welcome = `Welcome to ${context.config.brandName}. Your Registered Id is ${referralCode}.`;
      return withMessage(welcome, { referral_code: referralCode });
    },
    findSponsor: async ({ query }) => ({ name: await findSponsorName(context, query.referralCode) }),
    forgotPassword: async ({ body, address }) => {
      const { expiresAt, resendAt } = await requestReset(context, { loginId: body.loginId, address });
      return withMessage('If this account exists, a code is on its way by mail.', {
        expires_at: expiresAt.toISOString(),
        resend_at: resendAt.toISOString(),
      });
    },
    verifyOtp: async ({ body, address }) => {
      // A challenge is made for accounts with a second factor. No account can enrol one, so no challenge is known.
      if (body.purpose === 'login') throw new Refused('wrong_otp');
      return { reset_token: await verifyResetOtp(context, { loginId: body.loginId, otp: body.otp, address }) };
    },
    resetPassword: async ({ body, address }) => {
      await resetPassword(context, { resetToken: body.reset_token, password: body.password, address });
      return withMessage('Your password is set. Please sign in.', null);
    },
    logout: async ({ caller, address }) => {
      await signOut(context, caller, address);
      return null;
    },
    me: async ({ caller }) => {
      const { member, sponsorName, limits } = await getProfile(context, caller.memberId);
      return {
        user: toUser(member),
        sponsor: sponsorName,
        frozen: member.frozenAt !== null,
        // No account can enrol one.
        second_factor: false,
        limits: showLimits(limits),
      };
    },
    changePassword: async ({ caller, body, address }) => {
      const { current_password: currentPassword, password } = body;
      await changePassword(context, caller, { currentPassword, password, address });
      return withMessage('Your password is changed. All other devices were signed out.', null);
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

/** Null is no limit; left out is no change. */
const limitMicros = (dollars: number | null | undefined): bigint | null | undefined =>
  typeof dollars === 'number' ? toMicros(dollars) : dollars;

const toUser = (member: Member): User => ({
  id: member.id.toString(),
  referral_code: member.referralCode,
  name: member.name,
  email: member.email,
  mobile_number: member.mobileNumber,
  role: 'member',
  created_at: member.createdAt.toISOString(),
});
