/** What the page before leaves in the browser's history for the code page; it survives a reload and no more. */
export type OtpState =
  | { purpose: 'login'; challenge: string }
  | { purpose: 'reset_password'; loginId: string; expiresAt: string; resendAt: string };

/** The state of a location is whatever somebody put there, so it is looked at before it is believed. */
export function otpStateOf(state: unknown): OtpState | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { purpose, challenge, loginId, expiresAt, resendAt } = state as Record<string, unknown>;
  if (purpose === 'login' && typeof challenge === 'string') return { purpose, challenge };
  if (purpose !== 'reset_password' || typeof loginId !== 'string') return undefined;
  if (typeof expiresAt !== 'string' || typeof resendAt !== 'string') return undefined;
  return { purpose, loginId, expiresAt, resendAt };
}
