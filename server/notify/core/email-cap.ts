/**
 * What a mail is to the cap of its address. `code`: a one-time password that a signed-in member asked for; `reset`: codes for a new
 * password, which anybody can ask for; `signup`: a new account; `news`: what a member can turn off. All else tells of sign-ins, addresses,
 * withdrawals and freezes, or goes to operators, and is always sent.
 */
export type MailKind = 'code' | 'reset' | 'signup' | 'news';

/** Mails of a kind to one address and UTC day. Each kind has its own: a flood of one keeps none of the others away. */
export const mostADay: Readonly<Record<MailKind, number>> = { code: 30, reset: 20, signup: 10, news: 50 };
