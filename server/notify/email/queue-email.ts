import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import type { EmailKind } from './email-sql.ts';
import { insertEmail } from './email-sql.ts';

export type Mail = {
  /** Whose account it is about, as an address may be that of several; left out for emails to operators. */
  readonly memberId?: bigint;
  readonly to: { readonly name: string; readonly address: string };
  /** Of emails that have a cap a day; left out for those that are always sent. */
  readonly kind?: EmailKind;
  readonly subject: string;
  readonly text: string;
};

/**
 * Puts an email into the outbox, in the transaction of what it tells: rolled back, it is never sent; committed, it is
 * never forgotten.
 */
export async function queueEmail(tx: Tx, mail: Mail): Promise<void> {
  assert(tx.isTransaction, 'a mail belongs into the transaction of what it tells');
  await insertEmail(tx, mail);
}

type Recipient = { readonly memberId: bigint; readonly name: string; readonly address: string };

/** Says where a member is reached from now on. Emails that already wait keep the address they were written to. */
export const setRecipient = (tx: Tx, { memberId, name, address }: Recipient) =>
  execute(tx)`
    insert into notify.recipient (member_id, name, address) values (${memberId}, ${name}, ${address})
    on conflict (member_id) do update set name = excluded.name, address = excluded.address`;
