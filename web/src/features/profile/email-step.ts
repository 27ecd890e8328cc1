import type { DataOf } from '#contract/endpoint.ts';
import type { withdrawals } from '#contract/funds/withdrawals.ts';

/** Verifying shows that the address in force is read; changing puts another one in its place. */
export type EmailAim = 'verify' | 'change';

/** A code that was mailed, and the address it is to confirm. */
export type EmailStep = {
  aim: EmailAim;
  email: string;
  sentTo: string;
  expiresAt: string;
  resendAt: string;
  delayed: boolean;
};

/** The server's answer to *send a code* as the page keeps it. */
export const emailStep = (aim: EmailAim, email: string, sent: DataOf<typeof withdrawals.sendOtp>): EmailStep => ({
  aim,
  email,
  sentTo: sent.sent_to,
  expiresAt: sent.expires_at,
  resendAt: sent.resend_at,
  delayed: sent.delayed,
});

/**
 * The step stands in the browser's history entry: it survives a reload, as when a phone reopens the page after its owner
 * has looked into the mail. What stands there is whatever somebody put there, so it is looked at before it is believed.
 */
export function emailStepOf(state: unknown): EmailStep | undefined {
  const { aim, email, sentTo, expiresAt, resendAt, delayed } = partsOf(partsOf(state).emailStep);
  if (typeof email !== 'string' || typeof sentTo !== 'string') return undefined;
  if (typeof expiresAt !== 'string' || typeof resendAt !== 'string') return undefined;
  if (aim !== 'verify' && aim !== 'change') return undefined;
  return { aim, email, sentTo, expiresAt, resendAt, delayed: delayed === true };
}

const partsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Whether the code still works and was mailed for this address: then no other one is needed. */
export const isLive = (step: EmailStep | undefined, email: string, nowMs: number): step is EmailStep =>
  step?.email === email && Date.parse(step.expiresAt) > nowMs;
