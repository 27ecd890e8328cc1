/** A server that refuses is asked less often, so that its refusal is not shown and read aloud every two seconds. */
const AFTER_ERROR_MS = 15_000;

type Polled = { state: { status: string; fetchFailureCount: number } };

/** `refetchInterval: pollEvery(2_000)`: asked again every so often, and rarely while it fails. */
export const pollEvery =
  (intervalMs: number) =>
  ({ state }: Polled): number =>
    state.status === 'error' || state.fetchFailureCount > 0 ? Math.max(intervalMs, AFTER_ERROR_MS) : intervalMs;
