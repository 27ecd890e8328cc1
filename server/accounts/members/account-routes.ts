import { account } from '#contract/accounts/profile.ts';
import type { SecondFactor } from '#contract/fields.ts';
import { toMicros } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount, withMessage } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { requestEmailChange, withdrawEmailRequest } from '../email-change/request-email-change.ts';
import { listOpenings } from '../impersonation/open-member.ts';
import { endAuthSession, endOtherSessions, listAuthSessions } from '../sign-in/auth-sessions.ts';
import { getSecurity } from '../sign-in/get-security.ts';
import { disableTotp, renewRecoveryCodes } from '../two-factor/change-totp.ts';
import { confirmTotp, startTotp } from '../two-factor/set-up-totp.ts';
import { changeEmail } from './change-email.ts';
import { type ClosingParts, closeAccount } from './close-account.ts';
import { exportMember, type MemberSections } from './export-member.ts';
import { showUser } from './get-profile.ts';
import { updateProfile } from './update-profile.ts';

/** Parts of an account that later domains provide through app.ts. */
export type AccountParts = ClosingParts & {
  /** Their data about a member, for the export. */
  readonly sections: MemberSections;
};

/** A member's own account: second factor, sign-ins, email address, profile, export and closing. */
export function mountAccount(http: Http, context: Context, { sections, ...parts }: AccountParts): void {
  mount(http, account, {
    getSecurity: ({ caller }) => getSecurity(context.db, caller.memberId),
    startTotp: ({ caller, body, address }) => {
      const { second_factor: secondFactor, ...rest } = body;
      return startTotp(context, caller, { ...rest, secondFactor, address });
    },
    confirmTotp: async ({ caller, body, address }) => {
      const codes = await confirmTotp(context, caller, { ...body, address });
      return withMessage(english.t`Two-factor authentication is on. All other devices were signed out.`, {
        recovery_codes: codes,
      });
    },
    renewRecoveryCodes: async ({ caller, body, address }) => {
      const codes = await renewRecoveryCodes(context, caller, { ...confirmationOf(body), address });
      return withMessage(english.t`These recovery codes replace the old ones.`, { recovery_codes: codes });
    },
    disableTotp: async ({ caller, body, address }) => {
      await disableTotp(context, caller, { ...confirmationOf(body), address });
      return withMessage(english.t`Two-factor authentication is off. All other devices were signed out.`, null);
    },
    listSessions: ({ caller }) => listAuthSessions(context, caller),
    endSession: async ({ caller, params, address }) => {
      await endAuthSession(context, caller, params.id, address);
      return withMessage(english.t`The device was signed out.`, null);
    },
    endOtherSessions: async ({ caller, address }) => {
      const ended = await endOtherSessions(context, caller, address);
      return withMessage(english.t`All other devices were signed out.`, { ended });
    },
    listOpenings: ({ caller }) => listOpenings(context, caller.memberId),
    exportData: async ({ caller, address }) => {
      return asFile(await exportMember(context, caller, { address, later: sections }));
    },
    closeAccount: async ({ caller, body, address }) => {
      const forfeitMicros = toMicros(body.forfeit ?? 0);
      await closeAccount(context, caller, { ...confirmationOf(body), address, forfeitMicros }, parts);
      return withMessage(english.t`Your account is closed.`, null);
    },
    changeEmail: async ({ caller, body, address }) => {
      const { old_otp: oldOtp, second_factor: secondFactor, ...rest } = body;
      const member = await changeEmail(context, caller, { ...rest, oldOtp, secondFactor, address });
      return withMessage(english.t`Your email address is verified.`, showUser(member));
    },
    requestEmailChange: async ({ caller, body, address }) => {
      const { second_factor: secondFactor, ...rest } = body;
      await requestEmailChange(context, caller, { ...rest, secondFactor, address });
      return withMessage(english.t`We received your request. Our team contacts you to check your identity.`, null);
    },
    withdrawEmailRequest: async ({ caller, address }) => {
      await withdrawEmailRequest(context, caller, address);
      return withMessage(english.t`The requested change of your email address was withdrawn.`, null);
    },
    updateProfile: async ({ caller, body, address }) => {
      const { name, mobile_number: mobileNumber } = body;
      return showUser(await updateProfile(context, caller, { name, mobileNumber, address }));
    },
  });
}

type Confirmed = { readonly password: string; readonly otp?: string; readonly second_factor?: SecondFactor };

/** `otp` is the older field, for the authenticator app only. */
const confirmationOf = ({ password, otp, second_factor: secondFactor }: Confirmed) => ({
  password,
  secondFactor: secondFactor ?? otp,
});
