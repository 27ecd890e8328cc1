import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { type Download, findMemberDownload } from './attachment-sql.ts';

/** A file of a ticket of the member. Refuses `attachment_not_found`, also for files of others and of private notes. */
export async function getAttachment({ db }: Context, memberId: bigint, id: bigint): Promise<Download> {
  const download = await findMemberDownload(db, memberId, id);
  if (download === undefined) throw new Refused('attachment_not_found');
  return download;
}
