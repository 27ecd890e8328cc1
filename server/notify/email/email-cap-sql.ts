import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import type { MailKind } from '../core/email-cap.ts';

type Counted = { readonly id: bigint; readonly address: string; readonly kind: MailKind; readonly day: string };

/** Until the transaction ends, nobody else counts a mail of this kind to this address. */
export async function lockCount(tx: Tx, { address, kind }: Counted): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('notify.mail_cap/' || ${kind} || '/' || lower(${address}), 0))`.execute(
    tx,
  );
}

/** Counts a mail once, however often it is tried; false when `most` others were counted before on that day. */
export async function countMail(tx: Tx, mail: Counted, most: number): Promise<boolean> {
  const { rows } = await sql`
    update notify.mail m set counted_on = coalesce(m.counted_on, ${mail.day}::date)
    where m.id = ${mail.id} and (m.counted_on is not null or ${most}::int > (
      select count(*) from notify.mail o
      where lower(o.to_address) = lower(${mail.address}) and o.kind = ${mail.kind} and o.counted_on = ${mail.day}::date))
    returning 1`.execute(tx);
  return rows.length === 1;
}
