import { sql } from 'kysely';
import { symbols } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, openMemberAccounts, postFrom } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';

const PUT_IN_MICROS = 10_000_000_000n;

/** Members from id 2 on (the company is 1), each with up to three directs, inserted directly to skip sign-up. */
export async function addMembers(context: Context, count: number): Promise<bigint[]> {
  await sql`
    insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    select 'TW' || lpad(n::text, 8, '0'), 1 + n / 3, 'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
    from generate_series(1, ${count}::int) n order by n`.execute(context.db);
  const ids = Array.from({ length: count }, (_, index) => BigInt(index + 2));
  await inTransaction(context.db, (tx) => openMemberAccounts(tx, ids));
  return ids;
}

/** The same with $10,000 each. */
export async function addFundedMembers(context: Context, count: number): Promise<void> {
  await addMembers(context, count);
  await inTransaction(context.db, (tx) =>
    postFrom(
      tx,
      sql`
        select 'crowd/' || n, ${houseAccount('gateway')}, ${memberAccount(sql`n`, 'primary')}, ${PUT_IN_MICROS}::bigint, 'deposit', 'crowd', now(), null::text
        from generate_series(2::bigint, ${BigInt(count + 1)}::bigint) n`,
    ),
  );
}

/** The members' trades, spread over the coins, as `placeTrade` writes them. */
export async function queueTrades(context: Context, members: number, each: number): Promise<void> {
  const marketAt = await getMarketTime(context.db);
  await inTransaction(context.db, async (tx) => {
    const { rows } = await sql<{ first: bigint }>`
      with placed as (
        insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
        select m.id, (${symbols as string[]}::text[])[1 + (m.id + n) % ${symbols.length}::int], 'primary', 5000000 + (m.id * 137 + n * 7919) % 40000000, now(), ${marketAt}
        from generate_series(2, ${members + 1}::int) m(id), generate_series(1, ${each}::int) n
        returning id)
      select min(id) as first from placed`.execute(tx);
    await postFrom(
      tx,
      sql`
        select 'trade/' || id || '/place', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'trade_escrow')}, amount,
          'trade_place', 'trade ' || id, requested_at, null::text
        from trading.trade where id >= ${rows[0]?.first ?? 0n} and state = 'queued'`,
    );
  });
}
