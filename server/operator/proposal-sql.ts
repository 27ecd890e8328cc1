import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

/**
 * Held until the transaction ends by whoever moves the house's money on two operators' word: what covers one of these
 * decisions is counted once the one before has committed.
 */
export async function lockHouseMoney(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operator.house_money', 0))`.execute(tx);
}

type ProposalCounts = { readonly adjustments: bigint; readonly moves: bigint; readonly plans: bigint };

/** What waits for a second operator. */
export async function countProposals(db: Db): Promise<ProposalCounts> {
  const { rows } = await sql<ProposalCounts>`
    select (select count(*) from operator.adjustment where state = 'proposed') as adjustments,
      (select count(*) from operator.treasury_move where state = 'proposed') as moves,
      (select count(*) from operator.fee_plan_proposal where state = 'proposed') as plans`.execute(db);
  return rows[0] as ProposalCounts;
}
