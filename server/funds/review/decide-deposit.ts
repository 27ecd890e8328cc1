import type { OperatorCode } from '#contract/fields.ts';
import { lockReceiver, operators } from '#server/accounts/index.ts';
import { actingAs, decide, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMember } from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { moveCoins } from '../coins/move-coins.ts';
import {
  type DecidedDeposit,
  type DepositDecision,
  decideReviewed,
  decisionNotice,
  type ReviewedDeposit,
} from '../core/deposit-decision.ts';
import { followDeposit } from '../deposits/follow-deposit.ts';
import { type DepositRow, findDeposit, lockDeposit, updateDecided } from '../deposits/sql.ts';
import { chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { payerRoles, refuseOwnMember } from './approvals.ts';

export type DepositReview = {
  readonly decision: DepositDecision;
  /** Version of the deposit that the operator saw. */
  readonly version: number;
  /** Sent to the member. */
  readonly reason: string;
  /** Transaction hash of a refund. */
  readonly transaction?: string;
  /** Second factor; required for every decision that moves money. */
  readonly otp?: OperatorCode;
};

/**
 * An operator's decision on a deposit in review (docs/product.md, section 4): credits the held amount, records its
 * refund at the gateway, or closes the deposit when nothing is held. State, money, note, notification and audit are
 * written in one transaction, at most once: the decision is refused if the deposit has changed since the operator saw
 * it.
 *
 * Refuses `deposit_not_found`, `deposit_changed`, `deposit_not_in_review`, `deposit_holds_nothing`,
 * `deposit_holds_money`, `deposit_reversed`, whatever `decide` refuses, `own_deposit` to the member themselves, and
 * for a credit `gateway_unavailable`, and `account_closed` to a closed account.
 */
export async function decideDeposit(
  context: Context,
  actor: OperatorActor,
  depositId: bigint,
  review: DepositReview,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<DepositRow> {
  if (review.decision === 'credit') await refuseReversed(context, gateways, depositId, review.version);
  return decide(context, actor, {
    operators,
    roles: payerRoles,
    otp: review.otp,
    precheck: async (db) => {
      const deposit = orRefuse(await findDeposit(db, depositId), 'deposit_not_found');
      getDecided(deposit, review);
    },
    lock: async (tx) => {
      const deposit = orRefuse(await lockDeposit(tx, depositId, review.version), 'deposit_changed');
      return { deposit, decided: getDecided(deposit, review) };
    },
    execute: (tx, locked) => applyDecision(context, tx, { ...locked, actor, review }),
  });
}

/**
 * Follows the deposit once more before its money is credited: the job stops asking a while after the invoice expired. A
 * gateway that is no longer configured cannot be asked; then the operator's decision stands.
 */
async function refuseReversed(
  context: Context,
  gateways: readonly Gateway[],
  depositId: bigint,
  version: number,
): Promise<void> {
  const seen = await findDeposit(context.db, depositId);
  const gateway = gateways.find(({ name }) => name === seen?.gateway);
  if (seen?.state !== 'review' || seen.version !== version || gateway === undefined) return;
  await followDeposit(context, gateway, depositId);
  const deposit = await findDeposit(context.db, depositId);
  if (deposit !== undefined && decideReviewed(reviewedOf(deposit), 'credit') === 'deposit_reversed')
    throw new Refused('deposit_reversed');
}

async function applyDecision(
  context: Context,
  tx: Tx,
  { deposit, decided, actor, review }: Omit<Decided, 'after' | 'isClosed'>,
): Promise<DepositRow> {
  const { isClosed } = await lockReceiver(tx, deposit.member_id);
  await refuseOwnMember(tx, { memberId: deposit.member_id }, actor.operatorId, 'own_deposit');
  if (isClosed && decided.creditMicros > 0n) throw new Refused('account_closed');
  const after = await updateDecided(tx, { id: deposit.id, ...decided, note: review.reason, now: context.now() });
  const refund = { kind: 'refund', reference: deposit.reference, units: null, micros: -decided.refundMicros } as const;
  if (decided.refundMicros > 0n) await moveCoins(tx, deposit.gateway, refund, context.now());
  await post(tx, transfersOf(deposit, decided, review, await getMarketTime(tx)));
  await recordDecision(tx, { deposit, after, decided, actor, review, isClosed });
  return after;
}

/** Also checked before the second factor: a stale page should not consume a single-use code. */
function getDecided(deposit: DepositRow, { version, decision }: DepositReview): DecidedDeposit {
  if (deposit.version !== version) throw new Refused('deposit_changed');
  const decided = decideReviewed(reviewedOf(deposit), decision);
  if (typeof decided === 'string') throw new Refused(decided);
  return decided;
}

const reviewedOf = (row: DepositRow): ReviewedDeposit => ({
  state: row.state,
  bookedMicros: row.booked_micros,
  paidMicros: row.paid_micros,
  creditedMicros: row.credited_micros,
  refundedMicros: row.refunded_micros,
});

/** The keys contain the booked amount, like those of the holds, so that a later hold has its own keys. */
function transfersOf(
  deposit: DepositRow,
  { creditMicros, refundMicros }: DecidedDeposit,
  { reason, transaction }: DepositReview,
  marketAt: Date,
): Transfer[] {
  const about = { from: { class: 'unallocated' }, reference: deposit.reference, marketAt } as const;
  const credit: Transfer = {
    ...about,
    key: `deposit/${deposit.id}/allocated/${deposit.booked_micros}`,
    to: { memberId: deposit.member_id, class: 'primary' },
    amountMicros: creditMicros,
    reason: 'deposit_allocated',
    note: reason,
  };
  const refund: Transfer = {
    ...about,
    key: `deposit/${deposit.id}/refund/${deposit.booked_micros}`,
    to: { class: 'gateway' },
    amountMicros: refundMicros,
    reason: 'deposit_refund',
    note: transaction,
  };
  return [credit, refund].filter((transfer) => transfer.amountMicros > 0n);
}

type Decided = {
  readonly deposit: DepositRow;
  readonly after: DepositRow;
  readonly decided: DecidedDeposit;
  readonly actor: OperatorActor;
  readonly review: DepositReview;
  /** A closed account is not notified. */
  readonly isClosed: boolean;
};

async function recordDecision(tx: Tx, { deposit, after, decided, actor, review, isClosed }: Decided): Promise<void> {
  const { reason, transaction } = review;
  await writeAudit(tx, {
    ...actingAs(actor),
    action: `deposit.${review.decision}`,
    subject: `deposit:${deposit.id}`,
    before: amountsOf(deposit),
    after: { ...amountsOf(after), reason, transaction },
  });
  if (isClosed) return;
  await notifyMember(tx, {
    memberId: deposit.member_id,
    ...decisionNotice(deposit, decided, { reason, transaction }),
  });
}

const amountsOf = (row: DepositRow) => ({
  state: row.state,
  booked_micros: row.booked_micros,
  credited_micros: row.credited_micros,
  refunded_micros: row.refunded_micros,
});
