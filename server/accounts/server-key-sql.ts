import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

export async function findServerKey(tx: Tx, name: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ value: Uint8Array }>`
    select value from identity.server_key where name = ${name}`.execute(tx);
  return rows[0] === undefined ? undefined : Buffer.from(rows[0].value);
}

/** The first one stays: a second process that makes one at the same time reads the first one's. */
export async function insertServerKey(tx: Tx, key: { name: string; value: Buffer; now: Date }): Promise<void> {
  await sql`
    insert into identity.server_key (name, value, created_at) values (${key.name}, ${key.value}, ${key.now})
    on conflict (name) do nothing`.execute(tx);
}
