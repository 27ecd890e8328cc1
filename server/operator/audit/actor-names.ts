import { listMemberNames, listOperatorNames } from '#server/accounts/index.ts';
import type { StoredEntry } from '#server/audit/index.ts';
import type { Db } from '#server/db/connect.ts';

export type ActorNames = {
  readonly members: ReadonlyMap<bigint, string>;
  readonly operators: ReadonlyMap<bigint, string>;
};

/** The names of today of all who acted in these entries. */
export async function findActorNames(db: Db, entries: readonly StoredEntry[]): Promise<ActorNames> {
  const idsOf = (kind: 'member' | 'operator') =>
    entries.flatMap(({ actorKind, actorId }) => (actorKind === kind && actorId !== null ? [actorId] : []));
  const [members, operators] = await Promise.all([
    listMemberNames(db, idsOf('member')),
    listOperatorNames(db, idsOf('operator')),
  ]);
  return { members, operators };
}

/** Null for the system. */
export function nameOf({ actorKind, actorId }: StoredEntry, { members, operators }: ActorNames): string | null {
  if (actorId === null) return null;
  return (actorKind === 'member' ? members : operators).get(actorId) ?? null;
}
