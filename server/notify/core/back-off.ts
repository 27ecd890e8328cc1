const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 3600;
const LONGEST_AWAY_SECONDS = 60;

/** About three days of being put off: a server that has not taken a mail by then never will. */
export const mostDeferrals = 80;

/**
 * Seconds to wait with a mail the server put off for the given time in a row (greylisting, a full mailbox): doubling
 * from half a minute to one hour. `deferralSeconds(1) === 30`, `deferralSeconds(3) === 120`, `deferralSeconds(20) === 3600`
 */
export function deferralSeconds(deferrals: number): number {
  return Math.min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** Math.min(deferrals - 1, 10));
}

/**
 * Seconds to wait after the given number of tries that did not reach the server at all. Never more than a minute, so
 * that codes with ten minutes to live still arrive once it is back. `awaySeconds(1) === 5`, `awaySeconds(9) === 60`
 */
export function awaySeconds(tries: number): number {
  return Math.min(LONGEST_AWAY_SECONDS, 5 * 2 ** Math.min(tries - 1, 10));
}
