const QUARTER_HOUR_SECONDS = 900;
const DAY_SECONDS = 86_400;

/** Secrets that can be guessed, and how often in which window. Strict, per account; addresses are limited apart. */
export const attemptLimits = {
  sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  current_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Above the five tries a code has itself, so that it only stops those who ask for code after code. */
  reset_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Codes mailed to one account: 10 × 5 tries a day leave a guesser a chance of 1 in 20 000. */
  reset_code: { most: 10, windowSeconds: DAY_SECONDS },
} as const;

export type GuardedSecret = keyof typeof attemptLimits;
