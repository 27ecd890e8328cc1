/** Money that came in (positive) or left (negative), at a market time. */
export type Movement = { readonly marketAt: Date; readonly signedMicros: bigint };

/**
 * Deposits less withdrawals as of each instant: the line the equity curve is compared with. Both lists are in time order;
 * a movement at an instant counts for it.
 *
 * 1 000 in on Monday, 300 out on Wednesday: Monday 1 000, Tuesday 1 000, Thursday 700.
 */
export function putInAt(movements: readonly Movement[], instants: readonly Date[]): bigint[] {
  let next = 0;
  let sum = 0n;
  return instants.map((instant) => {
    for (
      let movement = movements[next];
      movement !== undefined && movement.marketAt <= instant;
      movement = movements[next]
    ) {
      sum += movement.signedMicros;
      next += 1;
    }
    return sum;
  });
}
