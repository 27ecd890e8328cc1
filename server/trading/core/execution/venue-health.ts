/** Whether the exchange answers. Instants are real time. */
export type VenueHealth = {
  readonly state: 'up' | 'down';
  readonly since: Date;
  /** Why it is down; null while it is up. */
  readonly reason: string | null;
  /** Calls that failed in a row. */
  readonly failures: number;
  /** Nothing is asked of it before. */
  readonly waitUntil: Date | null;
};

/** What the last round with the exchange came to. */
export type VenueOutcome =
  | { readonly kind: 'answered' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** It cannot work now, whatever is tried: nobody is there, the key is refused, it banned us. */
      readonly isCertain: boolean;
      /** How long the exchange asked to be left alone. */
      readonly retryAfterMs: number | null;
    };

/** This many failures in a row mean that it is down: one slow answer does not. */
const FAILURES_TO_DOWN = 3;
const LONGEST_PAUSE_MS = 60_000;

/**
 * The exchange is down after three failures in a row, or at once when it certainly cannot answer; one answer brings it
 * up again. After a failure it is left alone for 1, 2, 4 … 60 seconds, or for as long as it asked.
 *
 * Two time-outs while up: still up, `failures: 2`, asked again after 2 seconds. The third: down since then.
 */
export function nextHealth(health: VenueHealth, outcome: VenueOutcome, at: Date): VenueHealth {
  if (outcome.kind === 'answered') {
    const since = health.state === 'up' ? health.since : at;
    return { state: 'up', since, reason: null, failures: 0, waitUntil: null };
  }
  const failures = health.failures + 1;
  const isDown = health.state === 'down' || outcome.isCertain || failures >= FAILURES_TO_DOWN;
  const waitUntil = new Date(at.getTime() + (outcome.retryAfterMs ?? pauseMs(failures)));
  if (!isDown) return { ...health, failures, waitUntil };
  const since = health.state === 'down' ? health.since : at;
  return { state: 'down', since, reason: outcome.reason, failures, waitUntil };
}

const pauseMs = (failures: number): number => Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** Math.min(failures - 1, 10));

const FIRST_BACK_OFF_MS = 5_000;
const LONGEST_BACK_OFF_MS = 300_000;

/** How long an asset whose orders are rejected is left alone: 5, 10, 20 … 300 seconds. `backOffMs(3) === 20_000` */
export const backOffMs = (rejections: number): number =>
  Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(rejections - 1, 10));
