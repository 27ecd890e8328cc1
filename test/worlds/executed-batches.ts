import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';

type ExecutedBatch = {
  readonly day: string;
  /** The house's gain at the exchange in micros; negative for a cost. */
  readonly result: bigint;
};

/** A batch that is filled at the exchange and not yet booked, as the execution loop leaves it. @returns its id */
export async function fillBatch(context: Context, day: string, symbol = 'btc'): Promise<bigint> {
  await sql`insert into trading.holding (symbol) values (${symbol}) on conflict do nothing`.execute(context.db);
  const at = new Date(`${day}T17:29:00Z`);
  const { rows } = await sql<{ id: bigint }>`
    insert into trading.batch (symbol, session_day, kind, state, at, planned_at, mark, bid, ask, taker_fee, spread_bps, buy_micros,
      buy_coins, sell_coins, residual, is_whole, filled_at)
    values (${symbol}, ${day}::date, 'orders', 'filled', ${at}, ${at}, 100, 99.9, 100.1, 0.001, 10, 0, 0, 0, 0, true, ${at})
    returning id`.execute(context.db);
  return (rows[0] as { id: bigint }).id;
}

/** Books a filled batch, with one transfer of its result unless that is 0. */
export const bookBatch = (context: Context, id: bigint, { day, result }: ExecutedBatch): Promise<void> =>
  inTransaction(context.db, async (tx) => {
    await sql`update trading.batch set state = 'booked', booked_at = now() where id = ${id}`.execute(tx);
    const about = { key: `batch/${id}/result`, reference: `batch ${id}`, marketAt: new Date(`${day}T17:29:30Z`) };
    const [own, venue] = [{ class: 'venue_result' }, { class: 'venue' }] as const;
    if (result < 0n) await post(tx, [{ ...about, from: own, to: venue, amountMicros: -result, reason: 'venue_fee' }]);
    if (result > 0n) await post(tx, [{ ...about, from: venue, to: own, amountMicros: result, reason: 'venue_rebate' }]);
  });

/** A booked batch of a session. @returns its id */
export async function executeBatch(context: Context, day: string, result: bigint): Promise<bigint> {
  const id = await fillBatch(context, day);
  await bookBatch(context, id, { day, result });
  return id;
}
