import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import type { Manifest, MemberBlock } from './core/manifest.ts';

/**
 * Marks a block of members as booked, with the hash of what they came to in the session: a line a member who traded, in
 * the order of their ids, of nine sums in decimal.
 *
 * @returns whether this call did: a block is booked once
 */
export async function insertBlock(tx: Tx, day: string, { no, after, upTo }: MemberBlock): Promise<boolean> {
  const { rows } = await sql`
    insert into trading.booked_block (session_day, no, hash)
    select ${day}::date, ${no}::int, sha256(convert_to(string_agg(
        concat_ws(' ', trades, winning, losing, volume, result, trade_fees, performance_fees, best_result, worst_result) || chr(10),
        '' order by member_id), 'UTF8'))
    from trading.daily_result
    where session_day = ${day}::date and member_id > ${after} and member_id <= ${upTo}
    on conflict do nothing
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** What a session whose blocks are all booked came to; its rates the session itself has. */
export async function readManifest(tx: Tx, day: string): Promise<Pick<Manifest, 'marks' | 'blocks'>> {
  const { rows: marks } = await sql<Manifest['marks'][number]>`
    select symbol, mark::text as mark, close_price::text as "closePrice" from trading.closing_mark
    where session_day = ${day}::date order by symbol collate "C"`.execute(tx);
  const { rows: blocks } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from trading.booked_block
    where session_day = ${day}::date and hash is not null order by no`.execute(tx);
  return { marks, blocks: blocks.map(({ hash }) => hash) };
}
