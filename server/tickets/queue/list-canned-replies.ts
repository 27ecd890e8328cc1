import type { CannedReply } from '#contract/tickets/tickets.ts';
import type { Context } from '#server/context.ts';
import { type CannedReplyRow, listCannedReplyRows } from './canned-reply-sql.ts';

/** All answers that are used often, by title. */
export async function listCannedReplies({ db }: Context): Promise<{ items: CannedReply[] }> {
  return { items: (await listCannedReplyRows(db)).map(showCannedReply) };
}

export const showCannedReply = (row: CannedReplyRow): CannedReply => ({
  id: row.id.toString(),
  title: row.title,
  text: row.text,
  updated_at: row.updated_at.toISOString(),
});
