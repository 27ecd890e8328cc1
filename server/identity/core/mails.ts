/** Subject and text of the mails of this domain. Subjects never carry a code: they are shown on locked screens. */
export type MailText = { readonly subject: string; readonly text: string };

const paragraphs = (...parts: string[]): string => `${parts.join('\n\n')}\n`;

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

/** `expiresAt` 2026-03-04T12:10:00Z reads as 12:10 UTC. */
export const resetCodeMail = (brandName: string, referralCode: string, code: string, expiresAt: Date): MailText => ({
  subject: `Your ${brandName} code to set a new password`,
  text: paragraphs(
    `The code to set a new password for the Registered Id ${referralCode} is ${code}.`,
    `It works once, until ${timeOfDay(expiresAt)}. Nobody from ${brandName} will ever ask you for it.`,
    'If you did not ask for it, you need not do anything: your password stays as it is.',
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
