/** The longest pause between acknowledgements that ended after `since`, in milliseconds. */
export function longestPause(acknowledgedAt: readonly number[], since: number): number {
  const instants = acknowledgedAt.toSorted((a, b) => a - b);
  const pauses = instants.slice(1).map((at, index) => (at < since ? 0 : at - (instants[index] as number)));
  if (!instants.some((at) => at >= since)) throw new Error('nothing was acknowledged afterwards');
  return Math.max(0, ...pauses);
}
