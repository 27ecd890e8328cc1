import type { Tx } from '#server/db/connect.ts';
import { upsertRecipient } from './recipient-sql.ts';

export type Recipient = { readonly memberId: bigint; readonly name: string; readonly address: string };

/** Says where a member is reached from now on. Mails that already wait keep the address they were written to. */
export async function setRecipient(tx: Tx, recipient: Recipient): Promise<void> {
  await upsertRecipient(tx, recipient);
}
