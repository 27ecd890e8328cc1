import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, openMemberAccounts, postFrom } from '#server/ledger/index.ts';
import { type Chunk, openTrades } from '#server/trading/session/opening-sql.ts';
import { closingBySession, closingOfCarried, settleTrades } from '#server/trading/session/settlement-sql.ts';

/**
 * Inserts members at once, without passwords: the n-th is member n + 2 (the company is 1), with the given sponsor, who
 * must already exist. `addTeam(context, [1n, 2n, 2n])` adds a direct of the company with two directs.
 */
export async function addTeam(context: Context, sponsors: readonly bigint[]): Promise<bigint[]> {
  return inTransaction(context.db, async (tx) => {
    const { rows } = await sql<{ id: bigint }>`
      insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
      select 'TW' || lpad((n + (select max(id) from identity.member))::text, 8, '0'), sponsor, 'Member ' || n, 'm' || n || '@example.com',
        '+919876543210', '-', now()
      from unnest(${sponsors}::bigint[]) with ordinality as m(sponsor, n) order by n
      returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await openMemberAccounts(tx, ids);
    return ids;
  });
}

/** A trade to settle: `up` gains 10 % of its position, `down` loses 5 %, `even` is flat. */
export type SettledTrade = {
  readonly memberId: bigint;
  readonly micros: bigint;
  readonly trend?: 'up' | 'down' | 'even';
};

const symbols = { up: 'btc', down: 'eth', even: 'ltc' } as const;
const prices = { btc: '110', eth: '95', ltc: '100' } as const;

/**
 * A settled session with these trades, opened and settled by trading's own statements, so that ledger, trades and sums
 * are those of any session. Its fees are not shared yet.
 */
export async function settleSession(
  context: Context,
  day: string,
  trades: readonly SettledTrade[],
  feePlanId = 1,
): Promise<MadeSession> {
  return inTransaction(context.db, async (tx) => {
    const session = await insertSession(tx, day, feePlanId);
    if (trades.length > 0) await settleChunk(tx, session, await placeTrades(tx, session, trades));
    return session;
  });
}

/** Trades that open in a session and stay open after it: the fee is collected, the position stays. */
export async function carryOver(
  context: Context,
  session: MadeSession,
  trades: readonly SettledTrade[],
): Promise<Chunk> {
  return inTransaction(context.db, async (tx) => {
    const chunk = await placeTrades(tx, session, trades);
    await openChunk(tx, session, chunk);
    await sql`update trading.trade set carried = true where id > ${chunk.after} and id <= ${chunk.upTo}`.execute(tx);
    return chunk;
  });
}

/** Settles them in a later session, at its closing marks. */
export const settleCarried = (context: Context, { day, performanceBps }: MadeSession, chunk: Chunk): Promise<void> =>
  inTransaction(context.db, (tx) =>
    settleTrades(tx, chunk, { day, closing: closingOfCarried, performanceBps, funding: 'paper' }),
  );

/** A settled session without trades. */
export type MadeSession = {
  readonly day: string;
  readonly opensAt: Date;
  readonly tradeBps: number;
  readonly performanceBps: number;
};

/** Opens queued trades of btc, eth and ltc at 100, and settles them. */
export async function settleChunk(tx: Tx, session: MadeSession, chunk: Chunk): Promise<void> {
  const { day, performanceBps } = session;
  await openChunk(tx, session, chunk);
  await settleTrades(tx, chunk, { day, closing: closingBySession(day), performanceBps, funding: 'paper' });
}

async function openChunk(tx: Tx, { day, opensAt, tradeBps }: MadeSession, chunk: Chunk): Promise<void> {
  const fills = Object.values(symbols).map((symbol) => ({ symbol, from: new Date(0), at: opensAt, price: '100' }));
  await openTrades(tx, chunk, { day, fills, tradeBps, funding: 'paper' });
}

export async function insertSession(tx: Tx, day: string, feePlanId = 1): Promise<MadeSession> {
  const opensAt = new Date(`${day}T12:30:00Z`);
  const closesAt = new Date(`${day}T17:30:00Z`);
  const { rows } = await sql<{ tradeBps: number; performanceBps: number }>`
    insert into trading.session (day, opens_at, closes_at, state, opened_at, closed_at, settled_at, trade_fee_bps, performance_fee_bps,
      fee_plan_id, booked_member_id, traded_members, negative_members)
    select ${day}::date, ${opensAt}, ${closesAt}, 'settled', ${opensAt}, ${closesAt}, ${closesAt}, trade_fee_bps, performance_fee_bps, id, 0, 0, 0
    from trading.fee_plan where id = ${feePlanId}
    returning trade_fee_bps as "tradeBps", performance_fee_bps as "performanceBps"`.execute(tx);
  await sql`
    insert into trading.closing_mark (session_day, symbol, mark, close_price, is_late, marked_at)
    select ${day}::date, symbol, price::numeric, price::numeric, false, ${closesAt}
    from unnest(${Object.keys(prices)}::text[], ${Object.values(prices)}::text[]) as m(symbol, price)`.execute(tx);
  const [rates] = rows;
  assert(rates, `no fee plan ${feePlanId}`);
  return { day, opensAt, ...rates };
}

/** Writes deposits and trades as in normal operation. @returns the chunk of the trades */
async function placeTrades(tx: Tx, { opensAt }: MadeSession, trades: readonly SettledTrade[]): Promise<Chunk> {
  const at = new Date(opensAt.getTime() - 60_000);
  const { rows } = await sql<{ first: bigint; last: bigint }>`
    with placed as (
      insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
      select member, symbol, 'primary', amount, now(), ${at}
      from unnest(${trades.map(({ memberId }) => memberId)}::bigint[], ${trades.map(({ trend }) => symbols[trend ?? 'even'])}::text[],
        ${trades.map(({ micros }) => micros)}::bigint[]) with ordinality as t(member, symbol, amount, n) order by n
      returning id)
    select min(id) as first, max(id) as last from placed`.execute(tx);
  const { first, last } = rows[0] as { first: bigint; last: bigint };
  await postFrom(
    tx,
    sql`
      select 'test/' || id || '/' || m.reason, m.from_account, m.to_account, amount, m.reason, 'trade ' || id, requested_at, null::text
      from trading.trade cross join lateral (values
        (1, ${houseAccount('gateway')}, ${memberAccount(sql`member_id`, 'primary')}, 'deposit'),
        (2, ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'trade_escrow')}, 'trade_place')
      ) as m(place, from_account, to_account, reason)
      where id between ${first} and ${last} order by id, m.place`,
  );
  return { after: first - 1n, upTo: last };
}
