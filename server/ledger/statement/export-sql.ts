import { sql } from 'kysely';
import { type ExportSection, inDollars } from '#server/db/export-sql.ts';

/** All accounts of a member and every movement of theirs. The other side of one is an account of the house, by its name. */
export const exportLedger = (memberId: bigint): readonly ExportSection[] => {
  const own = sql`array(select ${memberId}::bigint * 32 + class from generate_series(1, 5) as class)`;
  return [
    {
      name: 'accounts',
      place: 'bigint',
      rows: sql`
        select a.id as place, c.name as account, ${inDollars(sql`a.balance`)} as balance
        from ledger.account a join ledger.account_class c on c.no = a.class where a.member_id = ${memberId} and a.id = any(${own})`,
    },
    {
      name: 'movements',
      place: 'bigint',
      rows: sql`
        select t.id as place, t.id, t.created_at, t.market_at, t.reason::text as reason, f.name as from_account, o.name as to_account,
          ${inDollars(sql`t.amount`)} as amount, ${inDollars(sql`t.from_balance_after`)} as from_balance_after,
          ${inDollars(sql`t.to_balance_after`)} as to_balance_after, t.reference, t.note, t.reverses
        from ledger.transfer t
        join ledger.account_class f on f.no = (t.from_account & 31)
        join ledger.account_class o on o.no = (t.to_account & 31)
        where t.from_account = any(${own}) or t.to_account = any(${own})`,
    },
  ];
};
