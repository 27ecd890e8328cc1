import assert from 'node:assert';
import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import type { MailKind } from '../core/email-cap.ts';
import { insertMail } from './email-sql.ts';

export type Mail = {
  /** Whose account it is about, as an address may be that of several; left out for mails to operators. */
  readonly memberId?: bigint;
  readonly to: { readonly name: string; readonly address: string };
  /** Of mails that have a cap a day; left out for those that are always sent. */
  readonly kind?: MailKind;
  readonly subject: string;
  readonly text: string;
};

/**
 * Puts a mail into the outbox, in the transaction of what it tells: rolled back, it is never sent; committed, it is
 * never forgotten.
 */
export async function queueMail(tx: Tx, mail: Mail): Promise<void> {
  assert(tx.isTransaction, 'a mail belongs into the transaction of what it tells');
  await insertMail(tx, mail);
}

type Recipient = { readonly memberId: bigint; readonly name: string; readonly address: string };

/** Says where a member is reached from now on. Mails that already wait keep the address they were written to. */
export async function setRecipient(tx: Tx, { memberId, name, address }: Recipient): Promise<void> {
  await sql`
    insert into notify.recipient (member_id, name, address) values (${memberId}, ${name}, ${address})
    on conflict (member_id) do update set name = excluded.name, address = excluded.address`.execute(tx);
}
