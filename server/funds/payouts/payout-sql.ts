import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type WithdrawalRow, withdrawalColumns } from '../withdrawals/withdrawal-sql.ts';

/** Approved, taken by nobody, and not refused by the gateway since `askedBefore`; above an id, in id order. */
export async function listPayableIds(
  db: Db,
  filter: {
    readonly networks: readonly PayoutNetwork[];
    readonly askedBefore: Date;
    readonly after: bigint;
    readonly limit: number;
  },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select id from funds.withdrawal
    where state = 'approved' and payout_way is null and network = any(${filter.networks}::text[])
      and (checked_at is null or checked_at <= ${filter.askedBefore}) and id > ${filter.after}
    order by id limit ${filter.limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Undefined when it is no longer there to be paid, or when somebody else has it in hand at this moment. */
export async function lockPayable(tx: Tx, id: bigint): Promise<WithdrawalRow | undefined> {
  const { rows } = await sql<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal
    where id = ${id} and state = 'approved' and payout_way is null for update skip locked`.execute(tx);
  return rows[0];
}

/**
 * Payouts of this gateway that it is time to ask about, above an id, in id order: claims older than `claimedBefore`,
 * what was sent under a name of the gateway's, and what is uncertain. A payout is asked about after 5 seconds, and the
 * longer it stays as it is the more seldom, at last every 10 minutes.
 */
export async function listDuePayouts(
  db: Db,
  filter: {
    readonly gateway: string;
    readonly claimedBefore: Date;
    readonly now: Date;
    readonly after: bigint;
    readonly limit: number;
  },
): Promise<WithdrawalRow[]> {
  const { now } = filter;
  const { rows } = await sql<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal
    where state in ('approved', 'sent', 'uncertain') and payout_way = 'gateway' and gateway = ${filter.gateway}
      and (state <> 'approved' or payout_started_at <= ${filter.claimedBefore})
      and (state <> 'sent' or payout_id is not null)
      and coalesce(checked_at, updated_at) <= ${now}::timestamptz
        - least(interval '10 minutes', greatest(interval '5 seconds', (${now}::timestamptz - updated_at) / 10))
      and id > ${filter.after}
    order by id limit ${filter.limit}`.execute(db);
  return rows;
}

/** No change that anybody decides about, so the version stays. */
export async function updatePayoutCheckedAt(db: Db, id: bigint, now: Date): Promise<void> {
  await sql`update funds.withdrawal set checked_at = ${now} where id = ${id}`.execute(db);
}
