/** Subject and text of the mails of this domain. Subjects never carry a code: they are shown on locked screens. */
export type MailText = { readonly subject: string; readonly text: string };

const paragraphs = (...parts: string[]): string => `${parts.join('\n\n')}\n`;

/** The last mail to somebody who closed their account; its address is forgotten once it has gone. */
export const closedMail = (brandName: string, referralCode: string): MailText => ({
  subject: `Your ${brandName} account is closed`,
  text: paragraphs(
    `The account with the Registered Id ${referralCode} was closed with its password, and nobody can sign in to it any more.`,
    'Your name, mail address, mobile number, devices and payout addresses were removed from it. The books stay as they are, without them.',
    'This is the last mail about it.',
  ),
});

/** The mail address may belong to somebody else, so nothing the person typed is in the text but the id made for them. */
export const registrationMail = (brandName: string, referralCode: string, signInUrl: string | undefined): MailText => ({
  subject: `Your ${brandName} Registered Id`,
  text: paragraphs(
    `Welcome to ${brandName}.`,
    `Your Registered Id is ${referralCode}. You sign in with it and your password, and others sign up under it as Invitation Id.`,
    ...(signInUrl === undefined ? [] : [`Sign in: ${signInUrl}`]),
    'If you did not sign up, somebody mistyped their address. You need not do anything.',
  ),
});

/** One code, or one for each account of the address. `expiresAt` 2026-03-04T12:10:00Z reads as 12:10 UTC. */
export const resetCodesMail = (
  brandName: string,
  codes: readonly { readonly referralCode: string; readonly code: string }[],
  expiresAt: Date,
): MailText => ({
  subject: `Your ${brandName} code to set a new password`,
  text: paragraphs(
    codes
      .map(
        ({ referralCode, code }) => `The code to set a new password for the Registered Id ${referralCode} is ${code}.`,
      )
      .join('\n'),
    `${codes.length === 1 ? 'It works' : 'Each works for its own Registered Id,'} once, until ${timeOfDay(expiresAt)}. Nobody from ${brandName} will ever ask you for it.`,
    'If you did not ask for it, you need not do anything: your password stays as it is.',
  ),
});

/**
 * The code of one operation. `what` says it whole, so that somebody who is talked into reading out a code sees what they
 * would confirm: "a withdrawal of 250.00$ from the primary wallet to the TRC20 address TJRa bPrw …".
 */
export const operationCodeMail = (
  name: 'withdrawal' | 'payout address',
  referralCode: string,
  what: string,
  code: string,
  expiresAt: Date,
): MailText => ({
  subject: `Your code for a ${name}`,
  text: paragraphs(
    `With this code the Registered Id ${referralCode} confirms ${what}.`,
    `The code is ${code}. It opens nothing else and works once, until ${timeOfDay(expiresAt)}. Nobody will ever ask you for it.`,
    'If you did not ask for it, or anything above is not what you want, do not use it and change your password at once: somebody is signed in as you.',
  ),
});

/** It may reach somebody who has no account, so it does not speak as if they had one. */
export const emailCodeMail = (
  brandName: string,
  referralCode: string,
  email: string,
  code: string,
  expiresAt: Date,
): MailText => ({
  subject: `Your ${brandName} code for this mail address`,
  text: paragraphs(
    `With this code the Registered Id ${referralCode} confirms that its mail goes to ${email}.`,
    `The code is ${code}. It opens nothing else and works once, until ${timeOfDay(expiresAt)}. Nobody will ever ask you for it.`,
    'If you did not ask for it, somebody mistyped their address. You need not do anything.',
  ),
});

/** To the address before. It names the new one, so that its owner sees what to take back. */
export const emailChangedMail = (
  brandName: string,
  referralCode: string,
  email: string,
  supportEmail: string,
): MailText => ({
  subject: `The mail address of your ${brandName} account was changed`,
  text: paragraphs(
    `Mail of the Registered Id ${referralCode} goes to ${email} from now on, and all other devices were signed out. Withdrawals wait 24 hours.`,
    `If this was not you, write to ${supportEmail} at once: somebody knows your password.`,
  ),
});

const secondFactorWords = {
  on: 'was turned on. Signing in takes a code of your authenticator app from now on',
  off: 'was turned off. The password alone signs in from now on',
  renewed: 'has new recovery codes. The old ones are worth nothing any more',
} as const;

export const secondFactorMail = (
  brandName: string,
  referralCode: string,
  change: keyof typeof secondFactorWords,
  supportEmail: string,
): MailText => ({
  subject: `The second factor of your ${brandName} account`,
  text: paragraphs(
    `The second factor of the Registered Id ${referralCode} ${secondFactorWords[change]}. All other devices were signed out, and withdrawals wait 24 hours.`,
    `If this was not you, change your password at once and write to ${supportEmail}.`,
  ),
});

export const recoveryCodeUsedMail = (
  brandName: string,
  referralCode: string,
  left: number,
  supportEmail: string,
): MailText => ({
  subject: `A recovery code of your ${brandName} account was used`,
  text: paragraphs(
    `Somebody signed in with the Registered Id ${referralCode} and a recovery code. ${left} ${left === 1 ? 'code is' : 'codes are'} left.`,
    `If this was not you, change your password and turn the second factor off and on again at once, and write to ${supportEmail}.`,
  ),
});

export const passwordChangedMail = (brandName: string, referralCode: string, supportEmail: string): MailText => ({
  subject: `Your ${brandName} password was changed`,
  text: paragraphs(
    `The password of the Registered Id ${referralCode} was changed, and all other devices were signed out.`,
    `If this was not you, set a new password with Forgot Password at once and write to ${supportEmail}.`,
  ),
});

export const newDeviceMail = (
  brandName: string,
  referralCode: string,
  device: string,
  supportEmail: string,
): MailText => ({
  subject: `New sign-in to your ${brandName} account`,
  text: paragraphs(
    `Somebody signed in with the Registered Id ${referralCode} from a device that was not used before: ${device}.`,
    `If this was not you, change your password at once and write to ${supportEmail}.`,
  ),
});

const timeOfDay = (instant: Date): string => `${instant.toISOString().slice(11, 16)} UTC`;
