import assert from 'node:assert';
import type { OperatorCode } from '#contract/fields.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { operators } from '#server/accounts/index.ts';
import { actingAs, decide, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { lookForPayout } from '../payouts/look-for-payout.ts';
import { type Move, moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import { findWithdrawal, lockWithdrawal, updatePayout, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { isPayer, payerRoles } from './approvals.ts';
import { refuseOwnMember } from './refuse-own-member.ts';

/** Which withdrawal is decided about, as the operator saw it; `otp` for decisions that let money out or give it back. */
export type SeenWithdrawal = { readonly withdrawalId: bigint; readonly version: number; readonly otp?: OperatorCode };

type DecisionRules = {
  /** Why a withdrawal as it stands cannot be decided about like this. */
  readonly refusal: (withdrawal: WithdrawalRow) => RefusalCode | undefined;
  readonly execute: (tx: Tx, withdrawal: WithdrawalRow) => Promise<WithdrawalRow>;
};

/**
 * A decision of an operator about a withdrawal, which must be as they saw it (`decide`), and not their own: neither let out nor
 * called failed once it was paid. Refuses `withdrawal_not_found`, `withdrawal_changed`, what every decision does,
 * `own_withdrawal`, and what this one refuses.
 */
export function decideWithdrawal(
  context: Context,
  actor: OperatorActor,
  { withdrawalId, version, otp }: SeenWithdrawal,
  { refusal, execute }: DecisionRules,
): Promise<WithdrawalRow> {
  const check = (withdrawal: WithdrawalRow | undefined): WithdrawalRow => {
    if (withdrawal === undefined) throw new Refused('withdrawal_not_found');
    if (withdrawal.version !== version) throw new Refused('withdrawal_changed');
    const code = refusal(withdrawal);
    if (code !== undefined) throw new Refused(code);
    return withdrawal;
  };
  return decide(context, actor, {
    operators,
    roles: payerRoles,
    otp,
    precheck: async (db) => check(await findWithdrawal(db, withdrawalId)),
    lock: async (tx) => check(await lockWithdrawal(tx, withdrawalId)),
    execute: async (tx, withdrawal) => {
      await refuseOwnMember(tx, { memberId: withdrawal.member_id }, actor.operatorId, 'own_withdrawal');
      return execute(tx, withdrawal);
    },
  });
}

/** For decisions that leave the state as it is; those that move it are audited by the move. */
export async function auditDecision(
  tx: Tx,
  actor: OperatorActor,
  entry: {
    readonly action: string;
    readonly before: WithdrawalRow;
    readonly after: WithdrawalRow;
    readonly more?: object;
  },
): Promise<void> {
  await writeAudit(tx, {
    ...actingAs(actor),
    action: entry.action,
    subject: `withdrawal:${entry.before.id}`,
    before: handlingOf(entry.before),
    after: { ...handlingOf(entry.after), ...entry.more },
  });
}

const handlingOf = (row: WithdrawalRow) => ({
  state: row.state,
  version: row.version,
  payout_way: row.payout_way,
  handler_id: row.handler_id,
});

/**
 * Says that a payment made by hand has arrived: what was held is paid out of the books and the fee taken.
 *
 * Refuses `withdrawal_state`, and what every decision does.
 */
export function completeWithdrawal(
  context: Context,
  actor: OperatorActor,
  seen: Required<SeenWithdrawal>,
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, seen, {
    refusal: refusalOfEnd,
    execute: (tx, withdrawal) => moveWithdrawal(tx, context, { withdrawal, to: 'completed', ...actingAs(actor) }),
  });
}

/**
 * Says that a payment made by hand came back: the whole amount goes back to its wallet, and no fee is taken.
 *
 * Refuses `withdrawal_state`, and what every decision does.
 */
export function failWithdrawal(
  context: Context,
  actor: OperatorActor,
  seen: Required<SeenWithdrawal> & { readonly reason: string },
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, seen, {
    refusal: refusalOfEnd,
    execute: (tx, withdrawal) =>
      moveWithdrawal(tx, context, { withdrawal, to: 'failed', ...actingAs(actor), note: seen.reason }),
  });
}

/** Of a payout that the gateway has under a name of its own, the gateway says how it ended, and nobody else does. */
const refusalOfEnd = ({ state, payout_id }: WithdrawalRow): RefusalCode | undefined =>
  state === 'sent' && payout_id === null ? undefined : 'withdrawal_state';

/**
 * Rejects a withdrawal that is requested, or approved and that nobody and nothing began to pay; the amount goes back to
 * its wallet and the day's limit, and the member reads the reason.
 *
 * Refuses `withdrawal_state`, and what every decision does.
 */
export function rejectWithdrawal(
  context: Context,
  actor: OperatorActor,
  seen: SeenWithdrawal & { readonly reason: string },
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, seen, {
    refusal: (withdrawal) => (isUnpaid(withdrawal) ? undefined : 'withdrawal_state'),
    execute: (tx, withdrawal) =>
      moveWithdrawal(tx, context, {
        withdrawal,
        to: 'rejected',
        ...actingAs(actor),
        note: seen.reason,
      }),
  });
}

const isUnpaid = ({ state, payout_way }: WithdrawalRow) =>
  state === 'requested' || (state === 'approved' && payout_way === null);

/**
 * Takes an approved withdrawal to pay it by hand: from its commit on nobody else and no job pays it (docs/product.md,
 * section 5).
 *
 * Refuses `withdrawal_state`, what the payout guard refuses, `approvals_missing`, and what every decision does.
 */
export function takeWithdrawal(
  context: Context,
  actor: OperatorActor,
  seen: Required<SeenWithdrawal>,
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, seen, {
    refusal: ({ state, payout_way }) => (state === 'approved' && payout_way === null ? undefined : 'withdrawal_state'),
    execute: async (tx, before) => {
      await refuseUnlessApproved(tx, context, before);
      const set = { payoutWay: 'hand', handlerId: actor.operatorId } as const;
      const after = await updatePayout(tx, before, set, context.now());
      await auditDecision(tx, actor, { action: 'withdrawal.take', before, after });
      return after;
    },
  });
}

/**
 * Gives it back unpaid. Refuses `withdrawal_state`, `not_allowed` to others while who took it may pay, and what every decision
 * does.
 */
export function returnWithdrawal(context: Context, actor: OperatorActor, seen: SeenWithdrawal): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, seen, {
    refusal: refusalOfHand,
    execute: async (tx, before) => {
      await refuseOthers(tx, before, actor);
      const after = await updatePayout(tx, before, { payoutWay: null, handlerId: null }, context.now());
      await auditDecision(tx, actor, { action: 'withdrawal.return', before, after });
      return after;
    },
  });
}

/**
 * Says that it was paid, with the hash of the payment. Neither a freeze nor the switch stands in the way any more: the
 * money has left. Refuses `withdrawal_state`, `not_allowed` to others while who took it may pay, and what every decision does.
 */
export function sendWithdrawal(
  context: Context,
  actor: OperatorActor,
  seen: SeenWithdrawal & { readonly transaction: string },
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, seen, {
    refusal: refusalOfHand,
    execute: async (tx, withdrawal) => {
      await refuseOthers(tx, withdrawal, actor);
      return moveWithdrawal(tx, context, {
        withdrawal,
        to: 'sent',
        ...actingAs(actor),
        set: { transaction: seen.transaction },
      });
    },
  });
}

const refusalOfHand = ({ state, payout_way }: WithdrawalRow): RefusalCode | undefined =>
  state === 'approved' && payout_way === 'hand' ? undefined : 'withdrawal_state';

/** What somebody took who was disabled, reset or moved to another role since would otherwise stay held for ever. */
async function refuseOthers(
  tx: Tx,
  { handler_id: handlerId }: WithdrawalRow,
  { operatorId }: OperatorActor,
): Promise<void> {
  assert(handlerId !== null, 'what is paid by hand has been taken by somebody');
  if (handlerId !== operatorId && (await isPayer(tx, handlerId))) throw new Refused('not_allowed');
}

export type Resolution = Required<SeenWithdrawal> &
  (
    | { readonly outcome: 'sent' | 'completed'; readonly transaction: string }
    | { readonly outcome: 'failed'; readonly reason: string }
  );

/**
 * Decides about a payout whose outcome is unknown, by a person who looked at the gateway (docs/product.md, section 5).
 * Before one is declared to have never left, the worker asks the gateway once more: when it has the payout after all, that
 * is written down and the decision refused, because the money would be both on its way and back in the wallet.
 *
 * Refuses `withdrawal_state`, `gateway_unavailable` when the gateway cannot be asked, and what every decision does.
 *
 * @param waitMs for the worker
 */
export async function resolveWithdrawal(
  context: Context,
  actor: OperatorActor,
  resolution: Resolution,
  waitMs?: number,
): Promise<WithdrawalRow> {
  if (resolution.outcome === 'failed') await refuseFound(context, resolution, waitMs);
  return decideWithdrawal(context, actor, resolution, {
    refusal: ({ state }) => (state === 'uncertain' ? undefined : 'withdrawal_state'),
    execute: (tx, withdrawal) => moveWithdrawal(tx, context, moveOf(withdrawal, actor, resolution)),
  });
}

/** A gateway that was taken out of service cannot be asked: then the person's word stands. */
async function refuseFound(context: Context, resolution: Resolution, waitMs: number | undefined): Promise<void> {
  const { db, config } = context;
  const seen = await findWithdrawal(db, resolution.withdrawalId);
  if (seen?.state !== 'uncertain' || seen.version !== resolution.version) return;
  if (!config.payments.some((name) => name === seen.gateway)) return;
  const answer = await lookForPayout(context, seen.id, waitMs);
  if (answer === 'found') throw new Refused('withdrawal_changed');
  if (answer === 'unavailable') throw new Refused('gateway_unavailable');
}

function moveOf(withdrawal: WithdrawalRow, actor: OperatorActor, resolution: Resolution): Move {
  const about = { withdrawal, ...actingAs(actor) };
  if (resolution.outcome === 'failed') return { ...about, to: 'failed', note: resolution.reason };
  return { ...about, to: resolution.outcome, set: { transaction: resolution.transaction } };
}
