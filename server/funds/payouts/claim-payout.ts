import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import { lockWithdrawal, updatePayout, type WithdrawalRow, withdrawalColumns } from '../withdrawals/withdrawal-sql.ts';

/**
 * Commits that from here on a payout of this withdrawal may exist at the gateway. Undefined when it is no longer there
 * to be paid, another worker has it, or the gate is shut: then it waits.
 */
export async function claimPayout(context: Context, gateway: Gateway, id: bigint): Promise<WithdrawalRow | undefined> {
  try {
    return await inTransaction(context.db, async (tx) => {
      const before = await lockPayable(tx, id);
      if (before === undefined) return undefined;
      await refuseUnlessApproved(tx, context, before);
      const now = context.now();
      const set = { payoutWay: 'gateway', gateway: gateway.name, payoutStartedAt: now } as const;
      const after = await updatePayout(tx, before, set, now);
      await audit(tx, 'withdrawal.payout_start', before, after);
      return after;
    });
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/**
 * Takes the claim back, because it is certain that nothing was ordered: the withdrawal is approved as before, to be paid
 * later or by hand.
 */
export function releaseClaim(context: Context, claimed: WithdrawalRow, why: RefusalCode): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const before = await lockUnchanged(tx, claimed);
    if (before === undefined) return;
    const now = context.now();
    const after = await updatePayout(tx, before, { payoutWay: null, gateway: null, payoutStartedAt: null }, now);
    await updatePayoutCheckedAt(tx, before.id, now);
    await audit(tx, 'withdrawal.payout_undo', before, after, { why });
  });
}

async function audit(
  tx: Tx,
  action: string,
  before: WithdrawalRow,
  after: WithdrawalRow,
  more?: object,
): Promise<void> {
  await writeAudit(tx, {
    actor: { kind: 'system', id: null },
    action,
    subject: `withdrawal:${before.id}`,
    before: claimOf(before),
    after: { ...claimOf(after), ...more },
  });
}

const claimOf = (row: WithdrawalRow) => ({
  state: row.state,
  version: row.version,
  payout_way: row.payout_way,
  payout_started_at: row.payout_started_at,
});

/** Longer than all calls of one payout together may take: after that nobody is working on it any more. */
const LOST_AFTER_MS = 60_000;

/** Claims from before this instant are lost. */
export const lostBefore = (now: Date): Date => new Date(now.getTime() - LOST_AFTER_MS);

export const isClaimLost = ({ payout_started_at }: WithdrawalRow, now: Date): boolean =>
  payout_started_at !== null && payout_started_at <= lostBefore(now);

/** Locks a withdrawal when it is still as it was read before the gateway was asked; undefined when something changed it. */
export async function lockUnchanged(tx: Tx, seen: WithdrawalRow): Promise<WithdrawalRow | undefined> {
  const withdrawal = await lockWithdrawal(tx, seen.id);
  return withdrawal?.version === seen.version ? withdrawal : undefined;
}

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
async function lockPayable(tx: Tx, id: bigint): Promise<WithdrawalRow | undefined> {
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
