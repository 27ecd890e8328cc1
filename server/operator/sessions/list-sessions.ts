import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { toTotal } from '#contract/money.ts';
import type { ConsoleSession, consoleSessions } from '#contract/operator/sessions.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readDayCursor } from '#server/cursor.ts';
import { listRunStates } from '#server/income/index.ts';
import { listSessionFigures, type SessionFigures } from '#server/trading/index.ts';

type ListSessions = typeof consoleSessions.listSessions;

/** A page of sessions, newest first. It reads the batches of these sessions, never their trades. */
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

/** A session as lists show it. Its results are unknown, and null, until it is settled. */
export const showSession = (
  session: SessionFigures,
  bonusRun: ConsoleSession['bonus_run'] | undefined,
): ConsoleSession => ({
  day: session.day,
  state: session.state,
  opens_at: session.opensAt.toISOString(),
  closes_at: session.closesAt.toISOString(),
  opened_at: session.openedAt?.toISOString() ?? null,
  closed_at: session.closedAt?.toISOString() ?? null,
  settled_at: session.settledAt?.toISOString() ?? null,
  figures:
    session.state === 'settled'
      ? {
          trades: Number(session.trades),
          members: Number(session.members),
          staked: toTotal(session.staked),
          trade_fees: toTotal(session.tradeFees),
          performance_fees: toTotal(session.performanceFees),
          gross: toTotal(session.gross),
        }
      : null,
  manifest_hash: session.manifestHash,
  bonus_run: bonusRun ?? null,
});
