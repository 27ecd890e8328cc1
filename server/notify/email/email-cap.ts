import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mostADay } from '../core/email-cap.ts';
import { countMail, lockCount } from './email-cap-sql.ts';
import type { ClaimedMail } from './email-sql.ts';

/** Whether a mail may still go to its address today. Counted as it is asked, and once however often the mail is tried. */
export function isBelowCap(context: Context, { id, to_address: address, kind }: ClaimedMail): Promise<boolean> {
  if (kind === null) return Promise.resolve(true);
  const counted = { id, address, kind, day: context.now().toISOString().slice(0, 10) };
  return inTransaction(context.db, async (tx) => {
    await lockCount(tx, counted);
    return countMail(tx, counted, mostADay[kind]);
  });
}
