const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Secrets that can be guessed, and how often in which window. Strict, per account; addresses are limited apart. */
export const attemptLimits = {
  sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_sign_in: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  current_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  operator_password: { most: 10, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Above the five tries a code has itself, so that it only stops those who ask for code after code. */
  reset_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  operation_otp: { most: 30, windowSeconds: QUARTER_HOUR_SECONDS },
  /** Codes mailed to one account: 10 × 5 tries a day leave a guesser a chance of 1 in 20 000. */
  reset_code: { most: 10, windowSeconds: DAY_SECONDS },
  /** For withdrawals and addresses of all kinds together; twice as many, because there a guesser needs the password as well. */
  operation_code: { most: 20, windowSeconds: DAY_SECONDS },
  /**
   * Three codes are right at any moment, so 10 wrong ones an hour leave who knows the password already a chance of 1 in
   * 1 400 a day. Counted per account and not per sign-in only, or a new sign-in would bring five new tries.
   */
  second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  operator_second_factor: { most: 10, windowSeconds: HOUR_SECONDS },
  /** No secret, but costly, and everything at once: who does it by mistake once more has not lost the day. */
  data_export: { most: 3, windowSeconds: DAY_SECONDS },
} as const;

export type GuardedSecret = keyof typeof attemptLimits;
