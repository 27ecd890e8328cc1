import { sql } from 'kysely';
import type { Database, Db } from '#server/db/connect.ts';
import { FIRST_MEMBER } from './world.ts';

/** Transfers and trades of each member; a trade that loses makes five transfers with its deposit. */
export const ROWS_PER_MEMBER = 10;
const TRANSFERS_PER_ROUND = 5;
const MEMBERS_PER_BATCH = 20_000;
/** What a round leaves in the primary wallet: 1 000 $ deposited, 0.40 $ of fee and 4.60 $ of loss. */
const LEFT = 995_000_000n;

/**
 * Fills members, accounts, transfers, trades and sign-ins by plain statements, with their constraints, indexes and hashes: posting
 * as many would take hours, and only the cost of existing rows is measured. Every balance is that of its last transfer, so the
 * ledger verifies.
 *
 * @param rows number of transfers and of trades; a tenth as many members
 */
export async function fillTables(database: Database, rows: number): Promise<void> {
  const members = rows / ROWS_PER_MEMBER;
  const rounds = ROWS_PER_MEMBER / TRANSFERS_PER_ROUND;
  const { db } = database;
  await database.runScript('alter role current_user set synchronous_commit = off');
  await eachBatch(members, (first, last) => insertMembers(db, first, last, BigInt(rounds) * LEFT));
  for (let round = 0; round < rounds; round += 1)
    await eachBatch(members, (first, last) => insertTransfers(db, first, last, round));
  await eachBatch(members, (first, last) => insertTrades(db, first, last, rows));
  await database.runScript('vacuum analyze');
  await database.runScript('checkpoint');
}

/** One more round of this many members, as in one minute. */
export async function addRound({ db }: Database, members: number): Promise<void> {
  const last = FIRST_MEMBER + members - 1;
  await insertTransfers(db, FIRST_MEMBER, last, ROWS_PER_MEMBER / TRANSFERS_PER_ROUND);
  await sql`
    update ledger.account set balance = balance + ${LEFT}::bigint
    where id in (select m * 32 + 1 from generate_series(${FIRST_MEMBER}::bigint, ${last}::bigint) m)`.execute(db);
}

async function eachBatch(members: number, work: (first: number, last: number) => Promise<void>): Promise<void> {
  const end = FIRST_MEMBER + members;
  for (let first = FIRST_MEMBER; first < end; first += MEMBERS_PER_BATCH)
    await work(first, Math.min(first + MEMBERS_PER_BATCH, end) - 1);
}

async function insertMembers(db: Db, first: number, last: number, balance: bigint): Promise<void> {
  await sql`
    insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    select 'TW' || lpad(n::text, 8, '0'), greatest(n / 10, 1), 'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
    from generate_series(${first}::bigint, ${last}::bigint) n order by n`.execute(db);
  await sql`
    insert into ledger.account (id, balance)
    select n * 32 + class, case class when 1 then ${balance}::bigint else 0 end
    from generate_series(${first}::bigint, ${last}::bigint) n cross join generate_series(1, 5) class order by 1`.execute(
    db,
  );
  // One in a hundred has expired, for the purge to find.
  await sql`
    insert into identity.auth_session (token_hash, member_id, device, address, created_at, last_used_at, expires_at)
    select sha256(n::text::bytea), n, 'bench', '127.0.0.1', now() - interval '2 days', now() - interval '2 days',
      now() + case when n % 100 = 0 then interval '-1 day' else interval '7 days' end
    from generate_series(${first}::bigint, ${last}::bigint) n`.execute(db);
}

/** A deposit and a losing trade for each member. */
async function insertTransfers(db: Db, first: number, last: number, round: number): Promise<void> {
  const before = BigInt(round) * LEFT;
  await sql`
    insert into ledger.transfer (id, from_account, to_account, amount, from_balance_after, to_balance_after, tx, market_at, created_at,
      reason, key, reference, hash)
    overriding system value
    select id, source, target, amount, source_after, target_after, tx, at, at, reason, key, reference,
      ledger.transfer_hash(id, source, target, amount, source_after, target_after, null, tx, at, at, reason, key, reference, null)
    from (
      select nextval('ledger.transfer_id_seq') as id, pg_current_xact_id()::text::bigint as tx, clock_timestamp() as at, t.*
      from (
        select s.source, s.target, s.amount, s.source_after, s.target_after, s.reason::ledger.reason as reason,
          'trade/' || m * 10 + ${round}::int || '/' || s.name as key, 'trade ' || m * 10 + ${round}::int as reference
        from generate_series(${first}::bigint, ${last}::bigint) m
        cross join lateral (values
          (1, 'deposit', 6, m * 32 + 1, 1000000000::bigint, null::bigint, ${before}::bigint + 1000000000, 'deposit'),
          (2, 'place', m * 32 + 1, m * 32 + 3, 100000000, ${before}::bigint + 900000000, 100000000, 'trade_place'),
          (3, 'fee', m * 32 + 3, 9, 400000, 99600000, null, 'trade_fee'),
          (4, 'return', m * 32 + 3, m * 32 + 1, 95000000, 4600000, ${before}::bigint + 995000000, 'trade_return'),
          (5, 'loss', m * 32 + 3, 7, 4600000, 0, null, 'trade_loss')
        ) s(no, name, source, target, amount, source_after, target_after, reason)
        order by m, s.no) t) numbered`.execute(db);
}

/** Settled ones over two years of sessions. */
async function insertTrades(db: Db, first: number, last: number, rows: number): Promise<void> {
  await sql`
    insert into trading.trade (member_id, symbol, wallet, state, amount, placed_at, requested_at, session_day, fee, opened_at,
      open_price, closed_at, close_price, close_reason, gross, performance_fee, result)
    select m, 'btc', 'primary', 'settled', 100000000, at, at, at::date, 400000, at + interval '1 minute',
      64123.45, at + interval '5 hours', 61173.77, 'session_close', -4600000, 0, -5000000
    from generate_series(${first}::bigint, ${last}::bigint) m cross join generate_series(1, ${ROWS_PER_MEMBER}::int) n
    cross join lateral (select timestamptz '2024-03-04T12:29:00Z' + interval '1 day' * ((m * 10 + n) * 730 / ${rows + 100}::int) as at) t
    order by m, n`.execute(db);
}
