import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type MailKind, mostADay } from '../core/email-cap.ts';
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

type Counted = { readonly id: bigint; readonly address: string; readonly kind: MailKind; readonly day: string };

/** Until the transaction ends, nobody else counts a mail of this kind to this address. */
async function lockCount(tx: Tx, { address, kind }: Counted): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('notify.mail_cap/' || ${kind} || '/' || lower(${address}), 0))`.execute(
    tx,
  );
}

/** Counts a mail once, however often it is tried; false when `most` others were counted before on that day. */
async function countMail(tx: Tx, mail: Counted, most: number): Promise<boolean> {
  const { rows } = await sql`
    update notify.mail m set counted_on = coalesce(m.counted_on, ${mail.day}::date)
    where m.id = ${mail.id} and (m.counted_on is not null or ${most}::int > (
      select count(*) from notify.mail o
      where lower(o.to_address) = lower(${mail.address}) and o.kind = ${mail.kind} and o.counted_on = ${mail.day}::date))
    returning 1`.execute(tx);
  return rows.length === 1;
}
