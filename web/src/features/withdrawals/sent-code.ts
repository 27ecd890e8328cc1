import type { DataOf } from '#contract/endpoint.ts';
import type { withdrawals } from '#contract/funds/withdrawals.ts';
import type { SentCode } from './requested-state.ts';

/** The server's answer to *send a code* as the page keeps it. */
export const sentCodeOf = (data: DataOf<typeof withdrawals.sendOtp>): SentCode => ({
  sentTo: data.sent_to,
  expiresAt: data.expires_at,
  resendAt: data.resend_at,
  delayed: data.delayed,
});
