import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleSessions } from '#contract/operator/sessions.ts';
import type { Context } from '#server/context.ts';
import { listRunStates } from '#server/income/index.ts';
import { Refused } from '#server/refused.ts';
import { listSessionFigures } from '#server/trading/index.ts';
import { readDayCursor } from '../core/day-cursor.ts';
import { showSession } from './show-session.ts';

type ListSessions = typeof consoleSessions.listSessions;

/** A page of sessions, the newest first: a page costs the blocks of its sessions, never their trades. */
export async function listSessions(
  { db }: Context,
  { cursor, limit }: QueryOf<ListSessions>,
): Promise<DataOf<ListSessions>> {
  const before = readDayCursor(cursor);
  if (before === null) throw new Refused('validation', { field: 'cursor' });
  const found = await listSessionFigures(db, { before, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const runs = await listRunStates(
    db,
    shown.map(({ day }) => day),
  );
  return {
    items: shown.map((session) => showSession(session, runs.get(session.day))),
    next_cursor: found.length > limit ? (shown.at(-1)?.day ?? null) : null,
  };
}
