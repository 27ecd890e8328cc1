import type { OperatorRole } from '#contract/endpoint.ts';
import type { MailText } from './mails.ts';

const paragraphs = (...parts: string[]): string => `${parts.join('\n\n')}\n`;
const minuteOf = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export type MailedProposal = {
  readonly kind: 'invite' | 'raise' | 'reset';
  readonly name: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly why: string;
};

/** `invite`: *a new operator Olga Berg (olga@mail.example) with the role finance* */
export function subjectOf({ kind, name, email, role }: MailedProposal): string {
  if (kind === 'invite') return `a new operator ${name} (${email}) with the role ${role}`;
  if (kind === 'raise') return `the role ${role} for the operator ${name} (${email})`;
  return `a new sign-in for the operator ${name} (${email}, ${role}), whose password and authenticator app are taken away`;
}

const stop = (operatorsUrl: string) =>
  `If you do not know of this, ask the people named, and have an admin stop it: ${operatorsUrl}`;

/** The link is in the fragment, which no server and no log between sees. */
export const invitationMail = (
  brandName: string,
  role: OperatorRole,
  url: string,
  expiresAt: Date,
  isReset: boolean,
): MailText => ({
  subject: isReset ? `Your ${brandName} operator account: a new sign-in` : `You are invited as a ${brandName} operator`,
  text: paragraphs(
    isReset
      ? `Your password and your authenticator app were taken away by two admins, so that you can set new ones.`
      : `You are invited to work at ${brandName} with the role ${role}.`,
    `Open this page and set a password: ${url}`,
    `It opens once, until ${minuteOf(expiresAt)}. Afterwards an authenticator app is set up; have your phone at hand.`,
    'If you did not expect this, do not use the page and tell the person who runs the product.',
  ),
});

/** To every operator, when a finance or admin account is asked for. */
export const proposedMail = (
  brandName: string,
  by: string,
  proposal: MailedProposal,
  needsApproval: boolean,
  operatorsUrl: string,
): MailText => ({
  subject: `${brandName} operators: something was proposed`,
  text: paragraphs(
    `${by} asked for ${subjectOf(proposal)}.`,
    `Reason: ${proposal.why}`,
    needsApproval ? 'A second admin has to approve it.' : 'It was done at once: there is one admin only.',
    stop(operatorsUrl),
  ),
});

export const approvedMail = (
  brandName: string,
  by: string,
  proposal: MailedProposal,
  dueAt: Date,
  operatorsUrl: string,
): MailText => ({
  subject: `${brandName} operators: a proposal was approved`,
  text: paragraphs(
    `${by} approved ${subjectOf(proposal)}. It is carried out on ${minuteOf(dueAt)}.`,
    `Reason: ${proposal.why}`,
    stop(operatorsUrl),
  ),
});

export const doneMail = (brandName: string, proposal: MailedProposal, operatorsUrl: string): MailText => ({
  subject: `${brandName} operators: a proposal was carried out`,
  text: paragraphs(
    `Carried out: ${subjectOf(proposal)}.`,
    `If you do not know of this, have an admin disable the account: ${operatorsUrl}`,
  ),
});

export const withdrawnMail = (brandName: string, by: string, proposal: MailedProposal): MailText => ({
  subject: `${brandName} operators: a proposal was taken back`,
  text: paragraphs(`${by} took back ${subjectOf(proposal)}. Nothing is done.`),
});

export const loweredMail = (
  brandName: string,
  by: string,
  who: { readonly name: string; readonly email: string },
  change: { readonly from: OperatorRole; readonly to: OperatorRole; readonly why: string },
): MailText => ({
  subject: `${brandName} operators: a role was lowered`,
  text: paragraphs(
    `${by} changed the role of ${who.name} (${who.email}) from ${change.from} to ${change.to}. All their sign-ins ended.`,
    `Reason: ${change.why}`,
  ),
});

export const disabledMail = (
  brandName: string,
  by: string,
  who: { readonly name: string; readonly email: string; readonly role: OperatorRole },
  why: string,
): MailText => ({
  subject: `${brandName} operators: an account was disabled`,
  text: paragraphs(
    `${by} disabled the account of ${who.name} (${who.email}, ${who.role}). All its sign-ins ended.`,
    `Reason: ${why}`,
  ),
});

export const ownPasswordMail = (brandName: string): MailText => ({
  subject: `Your ${brandName} operator password was changed`,
  text: paragraphs(
    'The password of your operator account was changed, and all other sign-ins ended.',
    'If this was not you, have an admin disable your account at once.',
  ),
});

export const invitedFromServerMail = (brandName: string, proposal: MailedProposal, operatorsUrl: string): MailText => ({
  subject: `${brandName} operators: somebody was invited`,
  text: paragraphs(
    `Whoever runs the server invited ${subjectOf(proposal)}, from its command line.`,
    `If you do not know of this, have an admin disable the account: ${operatorsUrl}`,
  ),
});
