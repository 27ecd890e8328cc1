import { writeMinute } from '#contract/day-text.ts';
import type { OperatorRole } from '#contract/endpoint.ts';
import { type EmailText, paragraphs } from './emails.ts';

/** `invite`: a new or restored account; `raise`: a higher role; `reset`: new credentials. */
export type EmailedProposal = {
  readonly kind: 'invite' | 'raise' | 'reset';
  readonly name: string;
  readonly email: string;
  /** The role it grants; for a reset the operator's current one. */
  readonly role: OperatorRole;
  readonly why: string;
};

/** `invite`: *a new operator account for Olga Berg (olga@mail.example) with the role finance* */
export function subjectOf({ kind, name, email, role }: EmailedProposal): string {
  if (kind === 'invite') return `a new operator account for ${name} (${email}) with the role ${role}`;
  if (kind === 'raise') return `the role ${role} for ${name} (${email})`;
  return `a reset of the sign-in of ${name} (${email}, ${role}), which removes the password, authenticator app and passkeys`;
}

/** What to do about a change that waits, and about one that no longer can be withdrawn. */
const stop = (operatorsUrl: string, isExecuted: boolean) =>
  `If you did not expect this, ask the people named above. An admin can ${isExecuted ? 'disable the account' : 'withdraw it'}: ${operatorsUrl}`;

/** The token is in the fragment, which is not sent to servers and so never logged. */
export const invitationEmail = (
  brandName: string,
  role: OperatorRole,
  url: string,
  expiresAt: Date,
  isReset: boolean,
): EmailText => ({
  subject: isReset ? `Reset your ${brandName} operator sign-in` : `Your invitation to ${brandName} operations`,
  text: paragraphs(
    isReset
      ? `Your password, authenticator app and passkeys were reset.`
      : `You are invited to ${brandName} operations with the role ${role}.`,
    `Set a password: ${url}`,
    `The link works once, until ${writeMinute(expiresAt)}. Next you set up an authenticator app or a passkey, so have your phone ready.`,
    'If you did not expect this, do not open the link. Tell an admin.',
  ),
});

/** To every operator, when a finance or admin account is proposed. */
export const proposedEmail = (
  brandName: string,
  by: string,
  proposal: EmailedProposal,
  needsApproval: boolean,
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: change proposed`,
  text: paragraphs(
    `${by} proposed ${subjectOf(proposal)}.`,
    `Reason: ${proposal.why}`,
    needsApproval ? 'A second admin has to approve it.' : 'It was executed at once, because there is only one admin.',
    stop(operatorsUrl, !needsApproval),
  ),
});

/** To every operator immediately: it was requested from the server and nobody has approved it. */
export const resetFromServerEmail = (
  brandName: string,
  proposal: EmailedProposal,
  dueAt: Date,
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: reset requested from the server`,
  text: paragraphs(
    `The command line of the server requested ${subjectOf(proposal)}. It takes effect on ${writeMinute(dueAt)}.`,
    `If you did not expect this, ask whoever runs the server. Until then any admin can withdraw it: ${operatorsUrl}`,
  ),
});

/** @param dueAt undefined for a change executed with the approval */
export const approvedEmail = (
  brandName: string,
  by: string,
  proposal: EmailedProposal,
  dueAt: Date | undefined,
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: change approved`,
  text: paragraphs(
    `${by} approved ${subjectOf(proposal)}. ${dueAt === undefined ? 'It was executed at once.' : `It takes effect on ${writeMinute(dueAt)}.`}`,
    `Reason: ${proposal.why}`,
    stop(operatorsUrl, dueAt === undefined),
  ),
});

export const doneEmail = (brandName: string, proposal: EmailedProposal, operatorsUrl: string): EmailText => ({
  subject: `${brandName} operators: change executed`,
  text: paragraphs(
    `Executed: ${subjectOf(proposal)}.`,
    `If you did not expect this, ask an admin to disable the account: ${operatorsUrl}`,
  ),
});

export const withdrawnEmail = (brandName: string, by: string, proposal: EmailedProposal): EmailText => ({
  subject: `${brandName} operators: change withdrawn`,
  text: paragraphs(`${by} withdrew ${subjectOf(proposal)}. Nothing changes.`),
});

/** What to do about an admin who acted alone, and whom nobody could have stopped. */
const stopAdmin = (by: string, operatorsUrl: string) =>
  `If you did not expect this, ask ${by}. If it was not them, another admin can disable their account: ${operatorsUrl}`;

export const loweredEmail = (
  brandName: string,
  by: string,
  who: { readonly name: string; readonly email: string },
  change: { readonly from: OperatorRole; readonly to: OperatorRole; readonly why: string },
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: role lowered`,
  text: paragraphs(
    `${by} changed the role of ${who.name} (${who.email}) from ${change.from} to ${change.to}. All their devices were signed out.`,
    `Reason: ${change.why}`,
    stopAdmin(by, operatorsUrl),
  ),
});

export const disabledEmail = (
  brandName: string,
  by: string,
  who: { readonly name: string; readonly email: string; readonly role: OperatorRole },
  why: string,
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: account disabled`,
  text: paragraphs(
    `${by} disabled the account of ${who.name} (${who.email}, ${who.role}). All its devices were signed out.`,
    `Reason: ${why}`,
    stopAdmin(by, operatorsUrl),
  ),
});

export const ownPasswordEmail = (brandName: string): EmailText => ({
  subject: `Your ${brandName} operator password was changed`,
  text: paragraphs(
    'The password of your operator account was changed. All other devices were signed out.',
    'If this was not you, ask an admin to disable your account now.',
  ),
});

/** To the legal contact, about an admin of a live installation. The token is in the fragment, as in an invitation. */
export const legalConfirmationEmail = (
  brandName: string,
  admin: { readonly name: string; readonly email: string; readonly passkeys: readonly string[] },
  url: string,
  expiresAt: Date,
): EmailText => ({
  subject: `Confirm an admin of ${brandName}: ${admin.name}`,
  text: paragraphs(
    `${admin.name} (${admin.email}) is an admin of ${brandName} and signs in with a passkey: ${admin.passkeys.join(', ')}.`,
    'Withdrawals are paid once you have confirmed two admins. Ask them in person or by phone whether this is their account and their passkey.',
    `Then confirm: ${url}`,
    `The link works once, until ${writeMinute(expiresAt)}. If you do not know this person, do not confirm. Tell the company’s management.`,
  ),
});

export const legallyConfirmedEmail = (
  brandName: string,
  who: { readonly name: string; readonly email: string },
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: admin confirmed`,
  text: paragraphs(
    `The legal contact confirmed the admin ${who.name} (${who.email}).`,
    `If you did not expect this, stop payouts and ask an admin to disable the account: ${operatorsUrl}`,
  ),
});

/** `passkey` is its name; without it, the change is about the authenticator app. */
export const factorEmail = (
  brandName: string,
  change: 'added' | 'removed',
  who: { readonly name: string; readonly email: string; readonly role: OperatorRole; readonly passkey?: string },
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: ${who.passkey === undefined ? 'authenticator app' : 'passkey'} ${change}`,
  text: paragraphs(
    `${who.name} (${who.email}, ${who.role}) ${change} ${who.passkey === undefined ? 'an authenticator app' : `the passkey ${who.passkey}`}. All their other devices were signed out.`,
    `If you did not expect this, ask an admin to disable the account now: ${operatorsUrl}`,
  ),
});

export const invitedFromServerEmail = (
  brandName: string,
  proposal: EmailedProposal,
  operatorsUrl: string,
): EmailText => ({
  subject: `${brandName} operators: invitation sent from the server`,
  text: paragraphs(
    `The command line of the server created ${subjectOf(proposal)}.`,
    `If you did not expect this, ask an admin to disable the account: ${operatorsUrl}`,
  ),
});
