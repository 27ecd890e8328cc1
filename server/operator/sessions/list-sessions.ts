import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleSessions } from '#contract/operator/sessions.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readDayCursor } from '#server/cursor.ts';
import { listRunStates } from '#server/income/index.ts';
import { listSessionFigures } from '#server/trading/index.ts';
import { showSession } from './show-session.ts';

type ListSessions = typeof consoleSessions.listSessions;

/** A page of sessions, the newest first: a page costs the blocks of its sessions, never their trades. */
export async function listSessions(
  { db }: Context,
  { cursor, limit }: QueryOf<ListSessions>,
): Promise<DataOf<ListSessions>> {
  const before = readDayCursor(cursor);
  const found = await listSessionFigures(db, { before, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ day }) => day);
  const runs = await listRunStates(
    db,
    rows.map(({ day }) => day),
  );
  return {
    items: rows.map((session) => showSession(session, runs.get(session.day))),
    next_cursor: nextCursor,
  };
}
