/** Whether the exchange answers. Instants are wall-clock time. */
export type VenueHealth = {
  readonly state: 'up' | 'down';
  readonly since: Date;
  /** Why it is down; null while it is up. */
  readonly reason: string | null;
  /** Consecutive failed calls. */
  readonly failures: number;
  /** No calls are made before this instant. */
  readonly waitUntil: Date | null;
};

/** Outcome of the last round with the exchange. */
export type VenueOutcome =
  | { readonly kind: 'answered' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** No retry can succeed now: the exchange is unreachable, rejects the key, or banned us. */
      readonly isCertain: boolean;
      /** How long the exchange asked us to wait. */
      readonly retryAfterMs: number | null;
    };

/** Consecutive failures that mean the exchange is down; a single slow answer does not. */
const FAILURES_TO_DOWN = 3;
const MAX_PAUSE_MS = 60_000;

/**
 * The exchange is down after three consecutive failures, or at once when no retry can succeed; one answer brings it up
 * again. After a failure the next call waits 1, 2, 4 … 60 seconds, or as long as the exchange asked.
 *
 * Two time-outs while up: still up, `failures: 2`, retried after 2 seconds. The third: down since then.
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

const pauseMs = (failures: number): number => Math.min(MAX_PAUSE_MS, 1000 * 2 ** Math.min(failures - 1, 10));

const FIRST_BACK_OFF_MS = 5_000;
export const MAX_BACK_OFF_MS = 300_000;

/** Back-off of an asset whose orders are rejected: 5, 10, 20 … 300 seconds. `backOffMs(3) === 20_000` */
export const backOffMs = (rejections: number): number =>
  Math.min(MAX_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(rejections - 1, 10));
