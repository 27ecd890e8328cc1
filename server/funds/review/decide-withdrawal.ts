import assert from 'node:assert';
import type { OperatorCode } from '#contract/fields.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { operators } from '#server/accounts/index.ts';
import { actingAs, decide, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { searchPayout } from '../payouts/search-payout.ts';
import { type Move, moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import { findWithdrawal, lockWithdrawal, updatePayout, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { isPayer, payerRoles, refuseOwnMember } from './approvals.ts';

/** A withdrawal and the version that the operator saw; `otp` for decisions that pay out or return money. */
export type DecisionInput = { readonly withdrawalId: bigint; readonly version: number; readonly otp?: OperatorCode };

type DecisionRules = {
  /** Why this decision is not possible in the withdrawal's current state. */
  readonly refusal: (withdrawal: WithdrawalRow) => RefusalCode | undefined;
  readonly execute: (tx: Tx, withdrawal: WithdrawalRow) => Promise<WithdrawalRow>;
};

/**
 * An operator's decision on a withdrawal. It must be unchanged since they saw it, and not their own, so that nobody
 * approves their own or declares it failed after it was paid. Refuses `withdrawal_not_found`, `withdrawal_changed`,
 * whatever `decide` refuses, `own_withdrawal`, and what the rules refuse.
 */
export function decideWithdrawal(
  context: Context,
  actor: OperatorActor,
  { withdrawalId, version, otp }: DecisionInput,
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

/** For decisions that keep the state; `moveWithdrawal` audits the others. */
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

/** What a decision executes with, besides the withdrawal. */
type Given<Input> = { readonly context: Context; readonly actor: OperatorActor; readonly input: Input };

/** A decision that is possible where `refusal` has none, and that refuses whatever `decideWithdrawal` refuses. */
const decision =
  <Input extends DecisionInput>(
    refusal: DecisionRules['refusal'],
    execute: (tx: Tx, withdrawal: WithdrawalRow, given: Given<Input>) => Promise<WithdrawalRow>,
  ) =>
  (context: Context, actor: OperatorActor, input: Input): Promise<WithdrawalRow> =>
    decideWithdrawal(context, actor, input, {
      refusal,
      execute: (tx, withdrawal) => execute(tx, withdrawal, { context, actor, input }),
    });

const onlyIf =
  (isPossible: (withdrawal: WithdrawalRow) => boolean): DecisionRules['refusal'] =>
  (withdrawal) =>
    isPossible(withdrawal) ? undefined : 'withdrawal_state';

/** A payout with a gateway id is only completed or failed by the gateway. */
const isSentByHand = onlyIf(({ state, payout_id }) => state === 'sent' && payout_id === null);
const isClaimed = onlyIf(({ state, payout_way }) => state === 'approved' && payout_way === 'hand');

/**
 * Records that a payment made by hand has arrived: books the payout and the fee from the hold. Refuses
 * `withdrawal_state`.
 */
export const completeWithdrawal = decision<Required<DecisionInput>>(
  isSentByHand,
  (tx, withdrawal, { context, actor }) =>
    moveWithdrawal(tx, context, { withdrawal, to: 'completed', ...actingAs(actor) }),
);

/**
 * Records that a payment made by hand was returned: the whole amount goes back to its wallet, without a fee. Refuses
 * `withdrawal_state`.
 */
export const failWithdrawal = decision<Required<DecisionInput> & { readonly reason: string }>(
  isSentByHand,
  (tx, withdrawal, { context, actor, input }) =>
    moveWithdrawal(tx, context, { withdrawal, to: 'failed', ...actingAs(actor), note: input.reason }),
);

/**
 * Rejects a withdrawal that is requested, or approved and not yet being paid. The amount goes back to its wallet and to
 * the daily limit, and the member is sent the reason. Refuses `withdrawal_state`.
 */
export const rejectWithdrawal = decision<DecisionInput & { readonly reason: string }>(
  onlyIf(({ state, payout_way }) => state === 'requested' || (state === 'approved' && payout_way === null)),
  (tx, withdrawal, { context, actor, input }) =>
    moveWithdrawal(tx, context, { withdrawal, to: 'rejected', ...actingAs(actor), note: input.reason }),
);

/**
 * Claims an approved withdrawal to pay it by hand: once committed, no other operator and no job pays it
 * (docs/product.md, section 5). Refuses `withdrawal_state`, what the payout guard refuses, `approvals_missing`.
 */
export const takeWithdrawal = decision<Required<DecisionInput>>(
  onlyIf(({ state, payout_way }) => state === 'approved' && payout_way === null),
  async (tx, before, { context, actor }) => {
    await refuseUnlessApproved(tx, context, before);
    const set = { payoutWay: 'hand', handlerId: actor.operatorId } as const;
    const after = await updatePayout(tx, before, set, context.now());
    await auditDecision(tx, actor, { action: 'withdrawal.take', before, after });
    return after;
  },
);

/**
 * Releases the claim without a payment. Refuses `withdrawal_state`, `not_allowed` to others while the claimant may
 * approve payouts.
 */
export const returnWithdrawal = decision(isClaimed, async (tx, before, { context, actor }) => {
  await refuseOtherHandlers(tx, before, actor);
  const after = await updatePayout(tx, before, { payoutWay: null, handlerId: null }, context.now());
  await auditDecision(tx, actor, { action: 'withdrawal.return', before, after });
  return after;
});

/**
 * Records the payment with its transaction hash. Neither a freeze nor the payout switch blocks this, as the money has
 * left. Refuses `withdrawal_state`, `not_allowed` to others while the claimant may approve payouts.
 */
export const sendWithdrawal = decision<DecisionInput & { readonly transaction: string }>(
  isClaimed,
  async (tx, withdrawal, { context, actor, input: { transaction } }) => {
    await refuseOtherHandlers(tx, withdrawal, actor);
    return moveWithdrawal(tx, context, { withdrawal, to: 'sent', ...actingAs(actor), set: { transaction } });
  },
);

/**
 * A claim lapses when its operator is disabled, reset or moved to another role; otherwise it would never be released.
 */
async function refuseOtherHandlers(
  tx: Tx,
  { handler_id: handlerId }: WithdrawalRow,
  { operatorId }: OperatorActor,
): Promise<void> {
  assert(handlerId !== null, 'a withdrawal paid by hand has a handler');
  if (handlerId !== operatorId && (await isPayer(tx, handlerId))) throw new Refused('not_allowed');
}

export type Resolution = Required<DecisionInput> &
  (
    | { readonly outcome: 'sent' | 'completed'; readonly transaction: string }
    | { readonly outcome: 'failed'; readonly reason: string }
  );

/**
 * Resolves a payout whose outcome is unknown, after an operator has checked the gateway (docs/product.md, section 5).
 * Before a payout is declared as never sent, the worker searches the gateway once more. If it finds the payout, that is
 * recorded and the decision refused, or the money would be both in transit and back in the wallet.
 *
 * Refuses `withdrawal_state`, `gateway_unavailable` when the gateway cannot be searched, and whatever
 * `decideWithdrawal` refuses.
 *
 * @param waitMs how long to wait for the worker
 */
export async function resolveWithdrawal(
  context: Context,
  actor: OperatorActor,
  resolution: Resolution,
  waitMs?: number,
): Promise<WithdrawalRow> {
  if (resolution.outcome === 'failed') await refuseFound(context, resolution, waitMs);
  return decideWithdrawal(context, actor, resolution, {
    refusal: onlyIf(({ state }) => state === 'uncertain'),
    execute: (tx, withdrawal) => moveWithdrawal(tx, context, moveOf(withdrawal, actor, resolution)),
  });
}

/** A gateway that is no longer configured cannot be searched; then the operator's decision stands. */
async function refuseFound(context: Context, resolution: Resolution, waitMs: number | undefined): Promise<void> {
  const { db, config } = context;
  const withdrawal = await findWithdrawal(db, resolution.withdrawalId);
  if (withdrawal?.state !== 'uncertain' || withdrawal.version !== resolution.version) return;
  if (!config.payments.some((name) => name === withdrawal.gateway)) return;
  const result = await searchPayout(context, withdrawal.id, waitMs);
  if (result === 'found') throw new Refused('withdrawal_changed');
  if (result === 'unavailable') throw new Refused('gateway_unavailable');
}

function moveOf(withdrawal: WithdrawalRow, actor: OperatorActor, resolution: Resolution): Move {
  const about = { withdrawal, ...actingAs(actor) };
  if (resolution.outcome === 'failed') return { ...about, to: 'failed', note: resolution.reason };
  // A payout that was sent otherwise is no longer asked for at the gateway.
  return { ...about, to: resolution.outcome, set: { transaction: resolution.transaction, payoutId: null } };
}
