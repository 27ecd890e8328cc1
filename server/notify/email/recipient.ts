import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

type Recipient = { readonly memberId: bigint; readonly name: string; readonly address: string };

/** Says where a member is reached from now on. Mails that already wait keep the address they were written to. */
export async function setRecipient(tx: Tx, { memberId, name, address }: Recipient): Promise<void> {
  await sql`
    insert into notify.recipient (member_id, name, address) values (${memberId}, ${name}, ${address})
    on conflict (member_id) do update set name = excluded.name, address = excluded.address`.execute(tx);
}
