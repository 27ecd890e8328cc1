import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { english } from '#contract/texts.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, listRows, listValues } from '#server/db/rows.ts';
import { inBatchTransaction, inRowTransaction, inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { Gateway, Payout } from '../gateways/gateway.ts';
import { type Move, moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import {
  lockWithdrawal,
  orderOf,
  updatePayout,
  type WithdrawalRow,
  withdrawalColumns,
} from '../withdrawals/withdrawal.ts';

/**
 * Claims a withdrawal for the gateway: once committed, a payout may exist there. Undefined when it is no longer
 * payable, another worker holds it, or the payout guard refuses it for now.
 */
export async function claimPayout(context: Context, gateway: Gateway, id: bigint): Promise<WithdrawalRow | undefined> {
  try {
    return await inRowTransaction(context.db, async (tx) => {
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
 * Releases a claim after which certainly nothing was ordered: the withdrawal is approved as before, to be paid later or
 * by hand.
 */
export function releaseClaim(context: Context, claimed: WithdrawalRow, why: RefusalCode): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const before = await lockUnchanged(tx, claimed);
    if (before === undefined) return;
    const now = context.now();
    const after = await updatePayout(tx, before, { payoutWay: null, gateway: null, payoutStartedAt: null }, now);
    await updatePayoutCheckedAt(tx, before.id, now);
    await updatePayoutUnits(tx, before.id, null);
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

/**
 * Confirms a payout that is recorded and held by the gateway until confirmed, and records it as sent. Only then does
 * money leave, so the payout guard is checked; a refused payout stays as it is until it passes or the gateway cancels
 * it.
 *
 * @returns whether the withdrawal has changed
 */
export async function confirmHeld(context: Context, gateway: Gateway, id: bigint, payoutId: string): Promise<boolean> {
  try {
    const withdrawal = await inRowTransaction(context.db, async (tx) => {
      const locked = await lockWithdrawal(tx, id);
      // One that was uncertain before is already `sent`.
      const isPaying = locked?.state === 'approved' || locked?.state === 'sent';
      if (!isPaying || locked.payout_id !== payoutId) return undefined;
      await refuseUnlessApproved(tx, context, locked);
      return locked;
    });
    if (withdrawal === undefined) return false;
    const order = orderOf(withdrawal);
    await gateway.confirmPayout?.(payoutId, order);
    const payout = await gateway.getPayout(payoutId, order);
    return payout !== undefined && isNews(withdrawal, payout) && (await recordPayout(context, withdrawal, payout));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

/** Longer than all calls of one payout can take together: after this its worker is gone. */
const LOST_AFTER_MS = 60_000;

/** Claims up to this instant are lost. */
export const lostBefore = (now: Date): Date => new Date(now.getTime() - LOST_AFTER_MS);

export const isClaimLost = ({ payout_started_at }: WithdrawalRow, now: Date): boolean =>
  payout_started_at !== null && payout_started_at <= lostBefore(now);

/** Locks a withdrawal read before the gateway was called; undefined when its version has changed since. */
export async function lockUnchanged(tx: Tx, snapshot: WithdrawalRow): Promise<WithdrawalRow | undefined> {
  const withdrawal = await lockWithdrawal(tx, snapshot.id);
  return withdrawal?.version === snapshot.version ? withdrawal : undefined;
}

/** Approved, unclaimed, and not refused by the gateway since `askedBefore`; after an id, in id order. */
export const listPayableIds = (
  db: Db,
  filter: {
    readonly networks: readonly PayoutNetwork[];
    readonly askedBefore: Date;
    readonly after: bigint;
    readonly limit: number;
  },
) =>
  listValues(db)<bigint>`
    select id from funds.withdrawal
    where state = 'approved' and payout_way is null and network = any(${filter.networks}::text[])
      and (checked_at is null or checked_at <= ${filter.askedBefore}) and id > ${filter.after}
    order by id limit ${filter.limit}`;

/** Undefined when it is no longer payable, or another transaction holds it. */
const lockPayable = (tx: Tx, id: bigint) =>
  findRow(tx)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal
    where id = ${id} and state = 'approved' and payout_way is null for update skip locked`;

/**
 * Payouts of this gateway due for a check, after an id, in id order: claims older than `claimedBefore` or with a gateway
 * id, sent ones with a gateway id, and uncertain ones. A payout is polled after 5 seconds, then ever less often, down to every 10 minutes.
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
  return listRows(db)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal
    where state in ('approved', 'sent', 'uncertain') and payout_way = 'gateway' and gateway = ${filter.gateway}
      and (state = 'uncertain' or payout_id is not null or state = 'approved' and payout_started_at <= ${filter.claimedBefore})
      and coalesce(checked_at, updated_at) <= ${now}::timestamptz
        - least(interval '10 minutes', greatest(interval '5 seconds', (${now}::timestamptz - updated_at) / 10))
      and id > ${filter.after}
    order by id limit ${filter.limit}`;
}

/** Payouts in progress at other gateways, last checked or changed by this instant, in id order. */
export const listLeftPayouts = (db: Db, filter: { names: readonly string[]; since: Date; limit: number }) =>
  listRows(db)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal
    where ${isInProgress} and gateway <> all(${filter.names}::text[])
      and greatest(checked_at, updated_at) <= ${filter.since}
    order by id limit ${filter.limit}`;

/** Except uncertain ones, which an operator resolves. */
const isInProgress = sql`((state = 'approved' or state = 'sent' and payout_id is not null) and payout_way = 'gateway')`;

/** Other gateways with payouts in progress. */
export const listOtherGateways = (db: Db, names: readonly string[]): Promise<string[]> =>
  listValues(db)`
    select distinct gateway from funds.withdrawal
    where ${isInProgress} and gateway <> all(${names}::text[])
    order by gateway`;

/** Does not increment the version: it is no change that matters to a decision. */
export const updatePayoutUnits = (tx: Tx, id: bigint, units: string | null) =>
  execute(tx)`update funds.withdrawal set payout_units = ${units}::numeric where id = ${id}`;

/** Does not increment the version either. */
export const updatePayoutCheckedAt = (db: Db, id: bigint, now: Date) =>
  execute(db)`update funds.withdrawal set checked_at = ${now} where id = ${id}`;

export const logUncertain = ({ log }: Context, { reference }: WithdrawalRow): void =>
  log.warn({ withdrawal: reference }, 'payout outcome unknown');

/** A payout whose transaction was ever seen may have been paid, even if the gateway now says that it was cancelled. */
const stateOf = ({ transaction }: WithdrawalRow, payout: Payout): Payout['state'] =>
  payout.state === 'cancelled' && (payout.transaction ?? transaction) !== null ? 'uncertain' : payout.state;

/** Whether a payout reports something that its withdrawal does not record yet, other than its completion. */
export function isNews(withdrawal: WithdrawalRow, payout: Payout): boolean {
  const { state, payout_id, transaction } = withdrawal;
  const isOnItsWay = payout.state === 'waiting' && transaction === null && payout.transaction !== null;
  switch (stateOf(withdrawal, payout)) {
    case 'cancelled':
      return true;
    case 'uncertain':
      return state !== 'uncertain' || payout.id !== payout_id || (payout.transaction ?? transaction) !== transaction;
    case 'unconfirmed':
      return state === 'approved' ? payout.id !== payout_id : state !== 'sent';
    default:
      return state !== 'sent' || isOnItsWay;
  }
}

/** Where a payout moves its withdrawal, unless it was sent as ordered. */
const unsent: Readonly<Partial<Record<Payout['state'], Pick<Move, 'to' | 'note'>>>> = {
  uncertain: { to: 'uncertain' },
  cancelled: { to: 'failed', note: english.t`The payment gateway cancelled the payout.` },
};

/**
 * Records that the gateway has the payout of a withdrawal, whether just ordered or found by its reference: moves the
 * withdrawal to `sent`, to `uncertain` when a person has to look at it, or to `failed` when it was cancelled. An
 * approved one stays so while the gateway waits for the confirmation. Its completion is polled later.
 *
 * @returns false when the withdrawal has changed since it was read
 */
export function recordPayout(context: Context, snapshot: WithdrawalRow, payout: Payout): Promise<boolean> {
  const record = async (tx: Tx) => {
    const withdrawal = await lockUnchanged(tx, snapshot);
    if (withdrawal === undefined) return false;
    const set = { payoutId: payout.id, transaction: payout.transaction ?? withdrawal.transaction };
    const isHeld = payout.state === 'unconfirmed' && withdrawal.state === 'approved';
    const next = isHeld ? { to: withdrawal.state } : (unsent[stateOf(withdrawal, payout)] ?? { to: 'sent' });
    if (next.to !== withdrawal.state) {
      if (next.to === 'uncertain') logUncertain(context, withdrawal);
      await moveWithdrawal(tx, context, { withdrawal, ...next, actor: { kind: 'system', id: null }, set });
    } else {
      const after = await updatePayout(tx, withdrawal, set, context.now());
      await audit(tx, 'withdrawal.payout_found', withdrawal, after, set);
    }
    return true;
  };
  return inBatchTransaction(context.db, record);
}
