import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { checkIncomes } from '../income/check-incomes.ts';

/** Holds at any time, even right after a kill: the balances of escrow and venue equal the money in the trades. */
export async function checkEscrow(db: Db): Promise<string[]> {
  const { rows } = await sql<{ escrow: bigint; in_trades: bigint; venue: bigint; positions: bigint }>`
    select
      (select coalesce(sum(balance), 0)::bigint from ledger.account where class = 3) as escrow,
      (select coalesce(sum(amount - coalesce(fee, 0)), 0)::bigint from trading.trade where state in ('queued', 'open')) as in_trades,
      (select coalesce(sum(case when from_account = 7 then amount else -amount end), 0)::bigint
        from ledger.transfer where (from_account = 7 or to_account = 7)) as venue,
      (select coalesce(sum(amount - fee), 0)::bigint from trading.trade where state = 'open') as positions`.execute(db);
  const found = rows[0];
  if (found === undefined) return ['no answer'];
  return [
    ...(found.escrow === found.in_trades ? [] : [`escrow ${found.escrow} is not the ${found.in_trades} in trades`]),
    ...(found.venue === found.positions ? [] : [`the venue holds ${found.venue}, positions cost ${found.positions}`]),
  ];
}

/** Holds after each round: no money lost or duplicated, and every seal and statement verifies. */
export async function checkBooks(db: Db): Promise<string[]> {
  const { rows: wrong } = await sql<{ member_id: bigint; has: bigint; should: bigint }>`
    with wallet as (select member_id, sum(balance)::bigint as has from ledger.account where class <> 0 group by member_id),
    put_in as (select to_account >> 5 as member_id, sum(amount)::bigint as amount from ledger.transfer where reason = 'deposit' group by 1),
    traded as (select member_id, sum(case state when 'settled' then result when 'open' then -fee else 0 end)::bigint as result
      from trading.trade group by member_id),
    earned as (select to_account >> 5 as member_id, sum(amount)::bigint as amount from ledger.transfer
      where reason in ('referral_bonus', 'level_bonus', 'team_profit', 'weekly_income', 'monthly_income', 'reward') group by 1)
    select w.member_id, w.has, (coalesce(p.amount, 0) + coalesce(t.result, 0) + coalesce(e.amount, 0))::bigint as should
    from wallet w left join put_in p using (member_id) left join traded t using (member_id) left join earned e using (member_id)
    where w.has <> coalesce(p.amount, 0) + coalesce(t.result, 0) + coalesce(e.amount, 0) limit 5`.execute(db);
  const twice = await listRows(db)<{ member_id: bigint }>`
    select member_id from notify.notification group by member_id, kind, message having count(*) > 1 limit 5`;
  const { rows: plans } = await sql<{ member_id: bigint; invested: bigint; cash: bigint }>`
    select a.member_id, a.balance::bigint as invested, coalesce(p.cash, 0)::bigint as cash
    from ledger.account a left join (
      select member_id, sum(trading.plan_cash(id, amount)) as cash from trading.plan where state <> 'redeemed' group by member_id) as p using (member_id)
    where a.class = 4 and a.balance <> coalesce(p.cash, 0) limit 5`.execute(db);
  const findings = await verifyLedger(db);
  return [
    ...(await checkEscrow(db)),
    ...(await checkIncomes(db)),
    ...wrong.map((row) => `member ${row.member_id} has ${row.has}, should have ${row.should}`),
    ...plans.map((row) => `member ${row.member_id} has ${row.invested} invested, its plans have ${row.cash}`),
    ...twice.map((row) => `member ${row.member_id} was told twice`),
    ...findings.map((finding) =>
      JSON.stringify(finding, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ),
  ];
}
