import { writeMinute } from '#contract/day-text.ts';
import { english } from '#contract/texts.ts';

const { t } = english;

/** Subject and text of the emails of this domain. Subjects never carry a code: they are shown on locked screens. */
export type EmailText = { readonly subject: string; readonly text: string };

/** The email about a member's account, by its Registered Id. */
export type AccountEmail = (account: {
  readonly brandName: string;
  readonly referralCode: string;
  readonly supportEmail: string;
}) => EmailText;

export const paragraphs = (...parts: string[]): string => `${parts.join('\n\n')}\n`;

/** The last email after closing an account; the address is deleted once it is sent. */
export const closedEmail: AccountEmail = ({ brandName, referralCode, supportEmail }) => ({
  subject: t`Your ${brandName} account is closed`,
  text: paragraphs(
    t`The account with the Registered Id ${referralCode} is closed. Nobody can sign in to it any more.`,
    t`We deleted your name, email address, mobile number, devices and payout addresses. The ledger keeps its entries without them.`,
    t`If this was not you, write to ${supportEmail}.`,
    t`This is the last email about this account.`,
  ),
});

/** The address may belong to somebody else, so the text contains nothing that the person typed, only their new id. */
export const registrationEmail = (
  brandName: string,
  referralCode: string,
  signInUrl: string | undefined,
): EmailText => ({
  subject: t`Your ${brandName} Registered Id`,
  text: paragraphs(
    t`Welcome to ${brandName}.`,
    t`Your Registered Id is ${referralCode}. Sign in with it and your password. Others sign up under it as their Invitation Id.`,
    ...(signInUrl === undefined ? [] : [t`Sign in: ${signInUrl}`]),
    t`If you did not sign up, somebody mistyped their email address. You can ignore this email.`,
  ),
});

const notAsked = t`If you did not ask to reset your password, ignore this email. Your password stays the same.`;

/** One code for each account of the address. `expiresAt` 2026-03-04T12:10:00Z reads as 12:10 UTC. */
export const resetCodesEmail = (
  brandName: string,
  codes: readonly { readonly referralCode: string; readonly code: string }[],
  expiresAt: Date,
): EmailText => ({
  subject: t`Your ${brandName} password reset code`,
  text: paragraphs(
    codes
      .map(({ referralCode, code }) => t`The password reset code for the Registered Id ${referralCode} is ${code}.`)
      .join('\n'),
    codes.length === 1
      ? t`It works once, until ${timeOfDay(expiresAt)}. ${brandName} will never ask you for it.`
      : t`Each code works once and for its Registered Id only, until ${timeOfDay(expiresAt)}. ${brandName} will never ask you for one.`,
    notAsked,
  ),
});

/** Instead of a code, once the codes of the day are used up. */
export const resetLinkEmail = (brandName: string, referralCode: string, url: string, expiresAt: Date): EmailText => ({
  subject: t`Your ${brandName} password reset link`,
  text: paragraphs(
    t`All password reset codes of today for the Registered Id ${referralCode} have been requested, by you or by somebody else. Set a new password with this link instead: ${url}`,
    t`It works once, until ${writeMinute(expiresAt)}. Do not pass it on.`,
    notAsked,
  ),
});

const codeUse = (code: string, expiresAt: Date): string =>
  t`The code is ${code}. It works once, for this only, until ${timeOfDay(expiresAt)}. Nobody will ever ask you for it.`;

const operationCodeSubjects = {
  withdrawal: t`Your withdrawal code`,
  address: t`Your payout address code`,
  second_factor: t`Your two-factor authentication code`,
} as const;

/**
 * The code of one operation. `what` describes it completely, so that anyone talked into reading out a code sees what it
 * confirms: "a withdrawal of $250.00 from your Primary Wallet to the TRC20 address TJRa bPrw …".
 */
export const operationCodeEmail = (
  purpose: keyof typeof operationCodeSubjects,
  referralCode: string,
  what: string,
  code: string,
  expiresAt: Date,
): EmailText => ({
  subject: operationCodeSubjects[purpose],
  text: paragraphs(
    t`With this code the Registered Id ${referralCode} confirms ${what}.`,
    codeUse(code, expiresAt),
    t`If you did not ask for this code, or if any detail above is wrong, do not use it. Change your password now: somebody else is signed in to your account.`,
  ),
});

type AddressCodeEmail = (
  brandName: string,
  referralCode: string,
  email: string,
  code: string,
  expiresAt: Date,
) => EmailText;

/** May reach someone without an account, so the text does not assume one. */
export const addressCodeEmail: AddressCodeEmail = (brandName, referralCode, email, code, expiresAt) => ({
  subject: t`Your ${brandName} email address code`,
  text: paragraphs(
    t`With this code the Registered Id ${referralCode} confirms the email address ${email}.`,
    codeUse(code, expiresAt),
    t`If you did not ask for this code, somebody mistyped their email address. You can ignore this email.`,
  ),
});

/** To the current address, which is to be replaced. */
export const oldAddressCodeEmail: AddressCodeEmail = (brandName, referralCode, email, code, expiresAt) => ({
  subject: t`Your ${brandName} email change code`,
  text: paragraphs(
    t`With this code the Registered Id ${referralCode} confirms that its email address changes to ${email}.`,
    codeUse(code, expiresAt),
    t`If you did not ask for this code, do not use it. Change your password now: somebody else is signed in to your account.`,
  ),
});

/** @param all also the device of the change, which need not be the owner's */
const signedOut = (all: boolean): string =>
  all
    ? t`All devices were signed out. Withdrawals wait 24 hours.`
    : t`All other devices were signed out. Withdrawals wait 24 hours.`;

/** To the old address and the new one. It names the new one, so that the owner sees what was changed. */
export const emailChangedEmail =
  (email: string, all: boolean): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`The email address of your ${brandName} account was changed`,
    text: paragraphs(
      t`The email address of the Registered Id ${referralCode} is now ${email}.`,
      signedOut(all),
      t`If this was not you, write to ${supportEmail} now: somebody knows your password.`,
    ),
  });

/** Above the link of every security email. */
const stopRequest = (supportEmail: string): string =>
  t`If this was not you, stop withdrawals with the link below, which also ends the request, change your password and write to ${supportEmail}.`;

/** To both addresses. The new one is masked, because the reader of the old mailbox may not be its owner. */
export const emailRequestedEmail =
  (email: string): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`A change of your ${brandName} email address was requested`,
    text: paragraphs(
      t`Somebody who knows your password asked to change the email address of the Registered Id ${referralCode} to ${email}, without the old mailbox.`,
      t`Withdrawals are stopped. The address changes 7 days after two of our operators agree. You can withdraw the request in Profile until then.`,
      stopRequest(supportEmail),
    ),
  });

/** To both addresses: the last days in which the owner of the account can stop it. */
export const emailApprovedEmail =
  (email: string, when: string): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`The change of your ${brandName} email address was approved`,
    text: paragraphs(
      t`The email address of the Registered Id ${referralCode} changes to ${email} on ${when}. Two of our operators agreed.`,
      t`Withdrawals are stopped until then. You can withdraw the request in Profile.`,
      stopRequest(supportEmail),
    ),
  });

/** To both addresses, after an approval was withdrawn or ceased to count. The request stays open. */
export const emailNotChangedEmail =
  (email: string): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`The change of your ${brandName} email address has to be approved again`,
    text: paragraphs(
      t`The email address of the Registered Id ${referralCode} was not changed to ${email}. The approval was withdrawn or no longer counts, and two of our operators have to agree again.`,
      t`Withdrawals stay stopped meanwhile. You can withdraw the request in Profile.`,
      stopRequest(supportEmail),
    ),
  });

/** To both addresses, of a request that its member withdrew, or an operator ended. */
export const emailRequestEndedEmail =
  (outcome: 'withdrawn' | 'rejected'): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) =>
    outcome === 'withdrawn'
      ? {
          subject: t`The requested change of your ${brandName} email address was withdrawn`,
          text: paragraphs(
            t`The requested change of the email address of the Registered Id ${referralCode} was withdrawn.`,
            t`If this was not you, write to ${supportEmail}.`,
          ),
        }
      : {
          subject: t`The requested change of your ${brandName} email address was declined`,
          text: paragraphs(
            t`Our team declined the requested change of the email address of the Registered Id ${referralCode}. The address stays the same.`,
            t`If you have questions, write to ${supportEmail}.`,
          ),
        };

const twoFactorChanges = {
  on: t`Two-factor authentication is on. From now on, signing in also takes a code from your authenticator app.`,
  offForMember: t`Two-factor authentication was turned off by our team, because your devices and recovery codes were lost. From now on, your password alone signs you in.`,
  off: t`Two-factor authentication is off. From now on, your password alone signs you in.`,
  appRemoved: t`The authenticator app was removed. From now on, signing in takes a passkey or a recovery code.`,
  appAdded: t`An authenticator app was added. Signing in with your password takes its code, a passkey or a recovery code.`,
  firstPasskeyAdded: t`A passkey was added, and two-factor authentication is on. From now on, signing in takes a passkey or a recovery code.`,
  passkeyAdded: t`A passkey was added. It signs in on its own, and confirms changes and withdrawals.`,
  passkeyRemoved: t`A passkey was removed. It no longer signs in.`,
  lastPasskeyRemoved: t`A passkey was removed, and two-factor authentication is off. From now on, your password alone signs you in.`,
  renewed: t`You have new recovery codes. The old ones no longer work.`,
} as const;

export const twoFactorEmail =
  (change: keyof typeof twoFactorChanges): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`Two-factor authentication of your ${brandName} account was changed`,
    text: paragraphs(
      twoFactorChanges[change],
      t`This concerns the Registered Id ${referralCode}.`,
      signedOut(change === 'offForMember'),
      t`If this was not you, change your password now and write to ${supportEmail}.`,
    ),
  });

/** The last days in which the owner of the account can stop it. */
export const twoFactorOffApprovedEmail =
  (when: string): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`Two-factor authentication of your ${brandName} account will be turned off`,
    text: paragraphs(
      t`Somebody told us that every device and all recovery codes of the Registered Id ${referralCode} were lost. Two-factor authentication is turned off on ${when}.`,
      t`If you still have the authenticator app, a passkey or a recovery code, sign in with it: two-factor authentication then stays on, unless your account is frozen.`,
      stopRequest(supportEmail),
    ),
  });

/** After an approval was withdrawn or no longer counts, or the member used a factor or reported it. */
export const twoFactorKeptEmail: AccountEmail = ({ brandName, referralCode, supportEmail }) => ({
  subject: t`Two-factor authentication of your ${brandName} account stays on`,
  text: paragraphs(
    t`Two-factor authentication of the Registered Id ${referralCode} was not turned off.`,
    t`If you have questions, write to ${supportEmail}.`,
  ),
});

export const recoveryCodeUsedEmail =
  (use: 'sign_in' | 'change', left: number): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`A recovery code of your ${brandName} account was used`,
    text: paragraphs(
      use === 'sign_in'
        ? t`Somebody signed in to the Registered Id ${referralCode} with a recovery code.`
        : t`Somebody confirmed a change or a withdrawal of the Registered Id ${referralCode} with a recovery code.`,
      english.plural(left, { one: '# recovery code is left.', other: '# recovery codes are left.' }),
      t`If this was not you, change your password now, turn two-factor authentication off and on again, and write to ${supportEmail}.`,
    ),
  });

export const passwordChangedEmail =
  (all: boolean): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`Your ${brandName} password was changed`,
    text: paragraphs(
      t`The password of the Registered Id ${referralCode} was changed.`,
      signedOut(all),
      t`If this was not you, set a new password now with Forgot Password and write to ${supportEmail}.`,
    ),
  });

export const newDeviceEmail =
  (device: string): AccountEmail =>
  ({ brandName, referralCode, supportEmail }) => ({
    subject: t`New sign-in to your ${brandName} account`,
    text: paragraphs(
      t`Somebody signed in to the Registered Id ${referralCode} from a new device: ${device}.`,
      t`If this was not you, change your password now and write to ${supportEmail}.`,
    ),
  });

const timeOfDay = (instant: Date): string => `${instant.toISOString().slice(11, 16)} UTC`;

/**
 * A member's email address as shown to them: recognisable, but useless to a bystander. Hides the length of the name.
 * `maskEmail('anna@mail.example') === 'a•••@mail.example'`,
 * `maskEmail('a@mail.example') === '•••@mail.example'`
 */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  const letters = Array.from(address.slice(0, Math.max(at, 0)));
  return `${letters.length > 1 ? letters[0] : ''}•••${at < 0 ? '' : address.slice(at)}`;
}
