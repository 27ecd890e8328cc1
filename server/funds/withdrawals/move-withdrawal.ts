import assert from 'node:assert';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMember } from '#server/notify/index.ts';
import { orRefuse } from '#server/refused.ts';
import { moveCoins } from '../coins/move-coins.ts';
import { approvalsMissing, type HoldOutcome, moveOf, withdrawalNotice } from '../core/withdrawal-rules.ts';
import type { Payout } from '../gateways/gateway.ts';
import { lockApprovals } from '../review/approvals.ts';
import {
  insertStep,
  lockDaySum,
  type PayoutFields,
  subtractFromDay,
  updateState,
  type WithdrawalRow,
} from './withdrawal.ts';

export type Move = {
  /** Locked by the caller. */
  readonly withdrawal: WithdrawalRow;
  readonly to: WithdrawalState;
  readonly actor: Actor;
  /** Shown to the member; required for `rejected` and `failed`. */
  readonly note?: string;
  readonly set?: PayoutFields;
  /** Coins and network fee, if the gateway reports them. */
  readonly paid?: Pick<Payout, 'units' | 'networkFeeMicros'>;
  /** Network address of the request, for the audit log. */
  readonly address?: string;
};

/**
 * The only writer of a withdrawal's state (docs/product.md, section 5). In the transaction of the caller, who has
 * locked the row, it writes the state and version, the step shown to the member, the transfers, the daily sum, the
 * audit entry and the notification.
 *
 * $100 at a fee of $1, moved to `completed`: $99 from the hold to the gateway, $1 to `withdrawal_fees`. Moved to
 * `rejected` instead: $100 back to the wallet it came from, and $100 of the daily limit available again.
 *
 * Asserts on every path to `approved` that there are as many valid approvals as the daily sum requires.
 *
 * @throws Refused withdrawal_state for a transition that is not allowed
 */
export async function moveWithdrawal(tx: Tx, context: Context, move: Move): Promise<WithdrawalRow> {
  const { withdrawal: before, to, actor } = move;
  const set = move.set ?? {};
  const payoutWay = set.payoutWay === undefined ? before.payout_way : set.payoutWay;
  const outcome = orRefuse(moveOf({ state: before.state, payoutWay }, to), 'withdrawal_state');
  if (to === 'approved') await assertApproved(tx, before);

  const now = context.now();
  const note = move.note ?? null;
  const after = await updateState(tx, before, { ...set, state: to, note }, now);
  await insertStep(tx, { withdrawalId: after.id, state: to, note, now });
  if (outcome === 'released') await subtractFromDay(tx, after.member_id, after.requested_on, after.amount_micros);
  const marketAt = await getMarketTime(tx);
  if (outcome === 'paid') await moveCoinsOf(tx, context, after, move.paid?.units);
  await post(tx, [...transfersOf(after, outcome, marketAt), ...networkFeeOf(after, move, marketAt)]);
  await writeAudit(tx, {
    actor,
    action: `withdrawal.${to}`,
    subject: `withdrawal:${after.id}`,
    before: auditedOf(before),
    after: auditedOf(after),
    address: move.address,
  });
  await notifyMember(tx, { memberId: after.member_id, ...withdrawalNotice(after) });
  return after;
}

/**
 * Bitcoin paid by hand leaves the gateway's wallet as well. A payout that a person says has arrived counts with the
 * coins that were ordered.
 */
async function moveCoinsOf(tx: Tx, { config, now }: Context, row: WithdrawalRow, paid?: string | null): Promise<void> {
  const byHand = row.network === 'BTC' ? config.payments.find((name) => name === 'btcpay') : undefined;
  const isByHand = row.payout_way === 'hand';
  const gateway = isByHand ? byHand : row.gateway;
  if (!gateway) return;
  const micros = -(row.amount_micros - row.fee_micros);
  const [transaction, units] = isByHand ? [null, null] : [row.transaction, paid ?? row.payout_units];
  const move = { kind: 'payout', reference: row.reference, transaction, units: units && `-${units}`, micros } as const;
  await moveCoins(tx, gateway, move, now());
}

/** Key of the transfer that books the network fee of a payout in dollars. */
export const networkFeeKey = (withdrawalId: bigint): string => `network-fee/withdrawal/${withdrawalId}`;

/** The network fee, if the gateway reported it with the payout. */
function networkFeeOf(row: WithdrawalRow, { paid }: Move, marketAt: Date): Transfer[] {
  const amountMicros = paid?.networkFeeMicros ?? 0n;
  if (amountMicros === 0n) return [];
  const [from, to] = [{ class: 'gateway_result' }, { class: 'gateway' }] as const;
  const key = networkFeeKey(row.id);
  return [{ key, from, to, amountMicros, reason: 'network_fee', reference: row.reference, marketAt }];
}

async function assertApproved(tx: Tx, withdrawal: WithdrawalRow): Promise<void> {
  const daySumMicros = await lockDaySum(tx, withdrawal.member_id, withdrawal.requested_on);
  const approvals = await lockApprovals(tx, withdrawal.id);
  const missing = approvalsMissing({ isApproved: false, daySumMicros, approvals });
  assert(missing === 0, `withdrawal ${withdrawal.id} lacks ${missing} approvals`);
}

/** Keys name the withdrawal and its outcome, so that no outcome can be booked twice. */
function transfersOf(row: WithdrawalRow, outcome: HoldOutcome, marketAt: Date): Transfer[] {
  const hold = { memberId: row.member_id, class: 'withdrawal_hold' } as const;
  const about = { from: hold, reference: row.reference, marketAt };
  if (outcome === 'released') {
    const to = { memberId: row.member_id, class: row.wallet };
    const key = `withdrawal/${row.id}/release`;
    return [{ ...about, key, to, amountMicros: row.amount_micros, reason: 'withdrawal_release' }];
  }
  if (outcome === 'kept') return [];
  const payout: Transfer = {
    ...about,
    key: `withdrawal/${row.id}/payout`,
    to: { class: 'gateway' },
    amountMicros: row.amount_micros - row.fee_micros,
    reason: 'withdrawal_payout',
  };
  const fee: Transfer = {
    ...about,
    key: `withdrawal/${row.id}/fee`,
    to: { class: 'withdrawal_fees' },
    amountMicros: row.fee_micros,
    reason: 'withdrawal_fee',
  };
  return row.fee_micros > 0n ? [payout, fee] : [payout];
}

const auditedOf = (row: WithdrawalRow) => ({
  state: row.state,
  version: row.version,
  payout_way: row.payout_way,
  handler_id: row.handler_id,
  payout_id: row.payout_id,
  transaction: row.transaction,
  note: row.note,
});
