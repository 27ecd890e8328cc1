import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

export async function upsertRecipient(
  tx: Tx,
  row: { readonly memberId: bigint; readonly name: string; readonly address: string },
): Promise<void> {
  await sql`
    insert into notify.recipient (member_id, name, address) values (${row.memberId}, ${row.name}, ${row.address})
    on conflict (member_id) do update set name = excluded.name, address = excluded.address`.execute(tx);
}
