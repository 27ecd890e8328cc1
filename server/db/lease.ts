/** A lease is renewed in each round; another process takes over when it was not renewed for this long. */
const LEASE_MS = 5000;
/** Allowed difference between the clocks of two machines. */
export const CLOCK_SKEW_MS = 60_000;

/** Until when a lease taken at an instant holds. */
export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** A later end was written by a clock that was ahead, and would otherwise hold until the time of that clock. */
export const latestLease = (now: Date): Date => new Date(leaseFrom(now).getTime() + CLOCK_SKEW_MS);
