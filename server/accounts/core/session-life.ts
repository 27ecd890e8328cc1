import { supportAccessRules } from '#contract/rules.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Seconds a sign-in lives: counted from its last use (idle), or from its beginning whatever is done with it. */
export type SessionLife = { readonly seconds: number; readonly isIdle: boolean };

/** 24 hours idle, 30 days with *Remember Me* (docs/product.md, section 8). */
export const memberSessionLife = (remember: boolean): SessionLife => ({
  seconds: remember ? 30 * DAY_SECONDS : DAY_SECONDS,
  isIdle: true,
});

/** One working day: whoever can move other people's money signs in every morning. */
export const operatorSessionLife: SessionLife = { seconds: 8 * HOUR_SECONDS, isIdle: false };

/** An operator's look into a member's account, whatever is done with it (docs/product.md, section 8). */
export const impersonationLife: SessionLife = {
  seconds: supportAccessRules.minutes * 60,
  isIdle: false,
};

/** What carries everything away asks for a sign-in no older than this. */
export const freshSignInSeconds = HOUR_SECONDS / 4;

/** Last use is written at most this often, so that reading costs no write. */
export const touchEverySeconds = 60;
