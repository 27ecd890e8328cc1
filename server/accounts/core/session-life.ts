import { supportAccessRules } from '#contract/rules.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Lifetime of a sign-in: since its last use (idle), or since it began. */
export type SessionLife = { readonly seconds: number; readonly isIdle: boolean };

/** 24 hours idle, 30 days with *Remember Me* (docs/product.md, section 8). */
export const memberSessionLife = (remember: boolean): SessionLife => ({
  seconds: remember ? 30 * DAY_SECONDS : DAY_SECONDS,
  isIdle: true,
});

/** One working day: operators, who can move other people's money, sign in every morning. */
export const operatorSessionLife: SessionLife = { seconds: 8 * HOUR_SECONDS, isIdle: false };

/** Impersonation of a member by an operator, however it is used (docs/product.md, section 8). */
export const impersonationLife: SessionLife = {
  seconds: supportAccessRules.minutes * 60,
  isIdle: false,
};

/** A data export requires a sign-in no older than this. */
export const freshSignInSeconds = HOUR_SECONDS / 4;

/** Last use is written at most this often, so that most reads need no write. */
export const touchEverySeconds = 60;
