import type { Opening } from '#contract/accounts/profile.ts';
import type { Context } from '#server/context.ts';
import { listOpeningRows, type OpeningRow } from './opening-sql.ts';

const MOST = 100;

/** When operators opened the account, newest first. Of more than a hundred the newest are told. */
export async function listOpenings(context: Context, memberId: bigint): Promise<Opening[]> {
  const now = context.now();
  return (await listOpeningRows(context.db, memberId, MOST)).map((row) => showOpening(row, now));
}

/** One whose time is up is over, also before its row says so. */
const showOpening = (row: OpeningRow, now: Date): Opening => ({
  id: row.id.toString(),
  name: row.operatorName,
  reason: row.reason,
  opened_at: row.openedAt.toISOString(),
  ended_at: (row.endedAt ?? (row.expiresAt <= now ? row.expiresAt : null))?.toISOString() ?? null,
  expires_at: row.expiresAt.toISOString(),
});
