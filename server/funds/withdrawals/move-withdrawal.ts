import assert from 'node:assert';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { moveCoins } from '../coins/move-coins.ts';
import { approvalsMissing, type HoldOutcome, moveOf, withdrawalNotice } from '../core/withdrawal-rules.ts';
import type { Payout } from '../gateways/gateway.ts';
import { lockApprovals } from '../review/approvals.ts';
import {
  insertStep,
  lockDaySum,
  type PayoutFields,
  takeFromDay,
  updateState,
  type WithdrawalRow,
} from './withdrawal.ts';

export type Move = {
  /** As the caller has locked it. */
  readonly withdrawal: WithdrawalRow;
  readonly to: WithdrawalState;
  readonly actor: Actor;
  /** For the member to read; needed for `rejected` and `failed`. */
  readonly note?: string;
  readonly set?: PayoutFields;
  /** How it was paid, where the gateway says so. */
  readonly paid?: Pick<Payout, 'units' | 'networkFeeMicros'>;
  /** Network address of the request, for the audit log. */
  readonly address?: string;
};

/**
 * The only writer of a withdrawal's state (docs/product.md, section 5). In the transaction of the caller, who has
 * locked the row: the state and its version, the step the member reads, the transfers that follow from it, the sum of
 * the day, the audit entry, and what the member is told.
 *
 * $100 at a fee of $1, moved to `completed`: $99 from the hold to the gateway, $1 to `withdrawal_fees`. Moved to
 * `rejected` instead: $100 back to the wallet it came from, and $100 more of the day's limit left.
 *
 * As many approvals that count must have been written as the sum of the day asks for: that rule is checked here, where
 * every way to `approved` ends.
 *
 * @throws Refused withdrawal_state when it cannot move there from where it is
 */
export async function moveWithdrawal(tx: Tx, context: Context, move: Move): Promise<WithdrawalRow> {
  const { withdrawal: before, to, actor } = move;
  const set = move.set ?? {};
  const payoutWay = set.payoutWay === undefined ? before.payout_way : set.payoutWay;
  const fate = moveOf({ state: before.state, payoutWay }, to);
  if (fate === undefined) throw new Refused('withdrawal_state');
  if (to === 'approved') await assertApproved(tx, before);

  const now = context.now();
  const note = move.note ?? null;
  const after = await updateState(tx, before, { ...set, state: to, note }, now);
  await insertStep(tx, { withdrawalId: after.id, state: to, note, now });
  if (fate === 'released') await takeFromDay(tx, after.member_id, after.requested_on, after.amount_micros);
  const marketAt = await getMarketTime(tx);
  if (fate === 'paid') await moveCoinsOf(tx, context, after, move.paid?.units ?? null);
  await post(tx, [...transfersOf(after, fate, marketAt), ...networkFeeOf(after, move, marketAt)]);
  await writeAudit(tx, {
    actor,
    action: `withdrawal.${to}`,
    subject: `withdrawal:${after.id}`,
    before: tell(before),
    after: tell(after),
    address: move.address,
  });
  await notifyMember(tx, { memberId: after.member_id, ...withdrawalNotice(after) });
  return after;
}

/** Bitcoin that is paid by hand is the gateway's, too. */
async function moveCoinsOf(tx: Tx, { config, now }: Context, row: WithdrawalRow, units: string | null): Promise<void> {
  const byHand = row.network === 'BTC' ? config.payments.find((name) => name === 'btcpay') : undefined;
  const gateway = row.payout_way === 'hand' ? byHand : row.gateway;
  if (!gateway) return;
  const micros = -(row.amount_micros - row.fee_micros);
  const transaction = row.payout_way === 'hand' ? null : row.transaction;
  const move = { kind: 'payout', reference: row.reference, transaction, units: units && `-${units}`, micros } as const;
  await moveCoins(tx, gateway, move, now());
}

/** Of the transfer that books what the network took of a payout in dollars. */
export const networkFeeKey = (withdrawalId: bigint): string => `network-fee/withdrawal/${withdrawalId}`;

/** What the network took of ours, where the gateway said so with the payout. */
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

/** Each key belongs to the withdrawal and its one end, so that no end can be booked twice. */
function transfersOf(row: WithdrawalRow, fate: HoldOutcome, marketAt: Date): Transfer[] {
  const hold = { memberId: row.member_id, class: 'withdrawal_hold' } as const;
  const about = { from: hold, reference: row.reference, marketAt };
  if (fate === 'released') {
    const to = { memberId: row.member_id, class: row.wallet };
    const key = `withdrawal/${row.id}/release`;
    return [{ ...about, key, to, amountMicros: row.amount_micros, reason: 'withdrawal_release' }];
  }
  if (fate === 'kept') return [];
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

const tell = (row: WithdrawalRow) => ({
  state: row.state,
  version: row.version,
  payout_way: row.payout_way,
  handler_id: row.handler_id,
  payout_id: row.payout_id,
  transaction: row.transaction,
  note: row.note,
});
