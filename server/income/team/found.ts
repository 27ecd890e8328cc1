import assert from 'node:assert';

/** What a look-up by ids must have found: somebody who is in a team has an account, a place and a count. */
export function foundOf<T>(found: ReadonlyMap<bigint, T>, id: bigint): T {
  const value = found.get(id);
  assert(value !== undefined, `nothing is known of member ${id}`);
  return value;
}
