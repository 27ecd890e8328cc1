import { sql } from 'kysely';
import type { WalletType } from '#contract/rules.ts';
import type { Db } from '#server/db/connect.ts';

export type OnTheWay = { readonly count: number; readonly micros: bigint };

/** Deposits that can still be credited: while they can be paid what they ask for, while a person decides what is held. */
export async function sumArriving(db: Db, memberId: bigint): Promise<OnTheWay> {
  const { rows } = await sql<OnTheWay>`
    select count(*)::int as count, coalesce(sum(case
      when state = 'review' then booked_micros - coalesce(credited_micros, 0) - refunded_micros
      else amount_micros end), 0)::bigint as micros
    from funds.deposit
    where member_id = ${memberId} and state in ('created', 'pending', 'underpaid', 'review')`.execute(db);
  return rows[0] as OnTheWay;
}

/** Withdrawals that are neither paid nor given back, by the wallet they were taken from; of a wallet without any no row. */
export async function sumLeaving(db: Db, memberId: bigint): Promise<(OnTheWay & { readonly wallet: WalletType })[]> {
  const { rows } = await sql<OnTheWay & { wallet: WalletType }>`
    select wallet, count(*)::int as count, sum(amount_micros)::bigint as micros
    from funds.withdrawal
    where member_id = ${memberId} and state in ('requested', 'approved', 'sent', 'uncertain')
    group by wallet`.execute(db);
  return rows;
}
