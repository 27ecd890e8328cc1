import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';

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
  await execute(tx)`
    insert into notify.mail (to_name, to_address, kind, subject, text, member_id)
    values (${mail.to.name}, ${mail.to.address}, ${mail.kind ?? null}, ${mail.subject}, ${mail.text},
            ${mail.memberId ?? null})`;
}

type Recipient = { readonly memberId: bigint; readonly name: string; readonly address: string };

/** Says where a member is reached from now on. Emails that already wait keep the address they were written to. */
export const setRecipient = (tx: Tx, { memberId, name, address }: Recipient) =>
  execute(tx)`
    insert into notify.recipient (member_id, name, address) values (${memberId}, ${name}, ${address})
    on conflict (member_id) do update set name = excluded.name, address = excluded.address`;

/**
 * What an email is to the cap of its address. `code`: a one-time password that a signed-in member asked for; `reset`: codes for a new
 * password, which anybody can ask for; `signup`: a new account; `news`: what a member can turn off. All else tells of sign-ins, addresses,
 * withdrawals and freezes, or goes to operators, and is always sent.
 */
export type EmailKind = 'code' | 'reset' | 'signup' | 'news';

/** Emails of a kind to one address and UTC day. Each kind has its own: a flood of one keeps none of the others away. */
export const mostADay: Readonly<Record<EmailKind, number>> = { code: 30, reset: 20, signup: 10, news: 50 };
