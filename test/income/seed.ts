import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, openMemberAccounts, postFrom } from '#server/ledger/index.ts';
import type { ModelMember, ModelSession, ModelTrade } from './model.ts';

/** A trade of a past session; its proceeds determine the rest. */
export type SeedTrade = ModelTrade & { readonly proceeds: bigint };
export type SeedSession = Pick<ModelSession, 'day'> & { readonly trades: readonly SeedTrade[] };

const PUT_IN_MICROS = 1_000_000_000_000n;
/** docs/product.md, section 6: 0.40 % of the amount, and 10 % of the gain over it. */
const TRADE_BPS = 40n;
const PERFORMANCE_BPS = 1000n;

/** A settled trade with its fees: $250 sold for $260 has a trade fee of $1 and a performance fee of $1. */
export function tradeOf(memberId: bigint, amount: bigint, proceeds: bigint): SeedTrade {
  const fee = (amount * TRADE_BPS) / 10_000n;
  const gain = proceeds > amount ? proceeds - amount : 0n;
  return { memberId, amount, proceeds, fee, performanceFee: (gain * PERFORMANCE_BPS) / 10_000n };
}

/** Members with these ids, including the company, each with a million dollars; sign-up is not under test. */
export async function seedMembers(context: Context, members: readonly ModelMember[]): Promise<void> {
  await seedTree(context, members);
  await seedFunds(
    context,
    members.filter(({ sponsorId }) => sponsorId !== null).map(({ id }) => id),
  );
}

/** The same without ledger accounts. */
export async function seedTree(context: Context, members: readonly ModelMember[]): Promise<void> {
  await sql`
    insert into identity.member (id, referral_code, sponsor_id, name, email, mobile_number, password_hash, is_company, created_at)
    overriding system value
    select id, 'TW' || lpad(id::text, 8, '0'), sponsor, 'Member ' || id, case when sponsor is not null then 'm' || id || '@example.com' end,
      case when sponsor is not null then '+919876543210' end, case when sponsor is not null then '-' end, sponsor is null, ${context.now()}
    from unnest(${members.map(({ id }) => id)}::bigint[], ${members.map(({ sponsorId }) => sponsorId)}::bigint[]) as m(id, sponsor)
    order by id`.execute(context.db);
  const gone = members.flatMap(({ id, closed }) => (closed ? [{ id, ...closed }] : []));
  await sql`
    insert into income.closed_member (member_id, closed_on, weeks_from, months_from)
    select * from unnest(${gone.map(({ id }) => id)}::bigint[], ${gone.map(({ on }) => on)}::date[],
      ${gone.map(({ weeksFrom }) => weeksFrom)}::date[], ${gone.map(({ monthsFrom }) => monthsFrom)}::date[]) as m`.execute(
    context.db,
  );
}

/** Ledger accounts with a million dollars each. */
export async function seedFunds(context: Context, ids: readonly bigint[]): Promise<void> {
  await inTransaction(context.db, (tx) => openMemberAccounts(tx, ids));
  await inTransaction(context.db, (tx) =>
    postFrom(
      tx,
      sql`
        select 'seed/' || id, ${houseAccount('gateway')}, ${memberAccount(sql`id`, 'primary')}, ${PUT_IN_MICROS}::bigint, 'deposit', 'seed',
          ${context.now()}::timestamptz, null::text
        from unnest(${ids}::bigint[]) as m(id) order by id`,
    ),
  );
}

/** A settled and booked session, with its trades' money as settlement leaves it, and nothing shared yet. */
export async function seedSession(context: Context, { day, trades }: SeedSession): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const opensAt = new Date(`${day}T12:30:00Z`);
    const closesAt = new Date(`${day}T17:30:00Z`);
    const { rows } = await sql<{ first: bigint | null }>`
      with made as (
        insert into trading.trade (member_id, symbol, wallet, state, amount, placed_at, requested_at, session_day, fee, opened_at,
          open_price, closed_at, close_price, close_reason, gross, performance_fee, result)
        select member_id, 'btc', 'primary', 'settled', amount, ${opensAt}, ${opensAt}, ${day}::date, fee, ${opensAt}::timestamptz + interval '1 second',
          100, ${closesAt}, 101, 'session_close', proceeds - (amount - fee), performance_fee, proceeds - amount - performance_fee
        from unnest(${trades.map((t) => t.memberId)}::bigint[], ${trades.map((t) => t.amount)}::bigint[], ${trades.map((t) => t.fee)}::bigint[],
          ${trades.map((t) => t.proceeds)}::bigint[], ${trades.map((t) => t.performanceFee)}::bigint[])
          as t(member_id, amount, fee, proceeds, performance_fee)
        returning id)
      select min(id) as first from made`.execute(tx);
    await postFrom(tx, tradeDrafts(rows[0]?.first ?? 0n));
    await sumUp(tx, day);
    await sql`
      insert into trading.session (day, opens_at, closes_at, state, opened_at, closed_at, settled_at, fee_plan_id, trade_fee_bps,
        performance_fee_bps, booked_member_id, traded_members, negative_members)
      select ${day}::date, ${opensAt}, ${closesAt}, 'settled', ${opensAt}, ${closesAt}, ${closesAt}, max(id), ${TRADE_BPS}::int,
        ${PERFORMANCE_BPS}::int, 0, 0, 0
      from trading.fee_plan`.execute(tx);
  });
}

/** The postings of placing, opening and settling (docs/ledger.md). */
const tradeDrafts = (first: bigint) => {
  const wallet = memberAccount(sql`t.member_id`, 'primary');
  const escrow = memberAccount(sql`t.member_id`, 'trade_escrow');
  const venue = houseAccount('venue');
  const net = sql`(t.amount - t.fee)`;
  const proceeds = sql`(t.gross + t.amount - t.fee)`;
  return sql`
    select 'trade/' || t.id || '/' || m.name, m.from_account, m.to_account, m.amount, m.reason, 'trade ' || t.id, t.closed_at, null::text
    from trading.trade t cross join lateral (values
      (1, 'place', ${wallet}, ${escrow}, t.amount, 'trade_place'),
      (2, 'fee', ${escrow}, ${houseAccount('trade_fees')}, t.fee, 'trade_fee'),
      (3, 'venue_fund', ${venue}, ${houseAccount('gateway')}, ${net}, 'venue_fund'),
      (4, 'return', ${escrow}, ${wallet}, least(${proceeds}, ${net}), 'trade_return'),
      (5, 'loss', ${escrow}, ${venue}, greatest(${net} - ${proceeds}, 0), 'trade_loss'),
      (6, 'gain', ${venue}, ${wallet}, greatest(least(${proceeds}, t.amount) - ${net}, 0), 'trade_gain'),
      (7, 'profit', ${venue}, ${memberAccount(sql`t.member_id`, 'profit')}, greatest(${proceeds} - t.amount, 0) - t.performance_fee, 'trade_profit'),
      (8, 'performance_fee', ${venue}, ${houseAccount('performance_fees')}, t.performance_fee, 'performance_fee'),
      (9, 'venue_return', ${houseAccount('gateway')}, ${venue}, ${proceeds}, 'venue_return')
    ) as m(no, name, from_account, to_account, amount, reason)
    where t.id >= ${first}::bigint and m.amount > 0
    order by t.id, m.no`;
};

async function sumUp(db: Db, day: string): Promise<void> {
  await sql`
    insert into trading.daily_result (member_id, session_day, trades, winning, losing, volume, result, trade_fees, performance_fees,
      best_result, best_trade_id, worst_result, worst_trade_id)
    select member_id, ${day}::date, count(*), count(*) filter (where result > 0), count(*) filter (where result < 0), sum(amount), sum(result),
      sum(fee), sum(performance_fee), max(result), min(id), min(result), min(id)
    from trading.trade where session_day = ${day}::date group by member_id`.execute(db);
}

/** Sets the market to a time between two sessions; the next session is on that day, or the day after. */
export async function seedMarket(context: Context, at: string): Promise<void> {
  const next = new Date(at);
  if (next.getUTCHours() >= 12) next.setUTCDate(next.getUTCDate() + 1);
  const day = next.toISOString().slice(0, 10);
  await sql`
    insert into market.clock (feed, seed, step_seconds, at) values ('simulated', 'seed', 60, ${new Date(at)})
    on conflict (one_row) do update set at = excluded.at`.execute(context.db);
  await sql`
    insert into trading.session (day, opens_at, closes_at)
    values (${day}::date, ${new Date(`${day}T12:30:00Z`)}, ${new Date(`${day}T17:30:00Z`)})`.execute(context.db);
}
