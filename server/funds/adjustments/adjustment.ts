import type { BodyOf } from '#contract/endpoint.ts';
import { toDollars, toMicros } from '#contract/money.ts';
import { type Adjustment, consoleAdjustments } from '#contract/operator/proposals.ts';
import type { WalletType } from '#contract/rules.ts';
import { type Contact, getMember, listContacts, lockReceiver, nameMember, operators } from '#server/accounts/index.ts';
import {
  type ListedKind,
  listReversals,
  lockProposal,
  type OperatorActor,
  type Proposal,
  plainKind,
  propose,
  showProposal,
} from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { getHouseBalances, post, type Reversal, reverse, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMember } from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { type HouseMoney, isCorrectionCovered } from '../core/house-cover.ts';
import { correctionNotice } from '../core/notices.ts';
import { refuseOwnMember } from '../review/approvals.ts';

type Payload = {
  readonly wallet: WalletType;
  /** Positive into the wallet, negative out of it; text, so that JSON keeps every digit. */
  readonly signedMicros: string;
  /** Where an operator finds the evidence. */
  readonly evidence: string;
  /** The adjustment that it reverses; the amount is then the opposite of that one's. */
  readonly reverses?: { readonly id: string; readonly reference: string; readonly transferId: string };
};
type Shown = Pick<
  Adjustment,
  'transfer_id' | 'reverses' | 'reversed_by' | 'member' | 'wallet_type' | 'amount' | 'evidence'
>;

/**
 * A wallet correction; it takes two operators whatever the amount. A credit is paid from the surplus, never from what
 * other members are owed.
 *
 * Approving refuses `own_proposal` (also to the member themselves), `account_closed`, `not_covered`, and
 * `insufficient_funds` when a debit exceeds the wallet's balance.
 */
export const adjustmentKind: ListedKind<Payload, Shown> = {
  ...plainKind('adjustment'),
  subject: 'adjustment',
  roles: consoleAdjustments.approveAdjustment.access,
  operators,
  refuseApprover: refuseOwnMember,
  execute: async (tx, _context, proposal) => {
    const { payload, reason } = proposal;
    const memberId = proposal.memberId as bigint;
    const signedMicros = BigInt(payload.signedMicros);
    const { isClosed } = await lockReceiver(tx, memberId);
    if (isClosed) throw new Refused('account_closed');
    const transfer = transferOf(proposal, await getMarketTime(tx));
    const transferId = await postCovered(tx, transfer, (house) => isCorrectionCovered(house, signedMicros));
    const { wallet } = payload;
    const reference = proposal.reference as string;
    await notifyMember(tx, { memberId, ...correctionNotice({ reference, wallet, signedMicros, reason }) });
    return { resultId: transferId, logged: { transferId, memberId, wallet, signedMicros } };
  },
  show: async (db, proposals) => {
    const contacts = await listContacts(db, [...new Set(proposals.map(({ memberId }) => memberId as bigint))]);
    const reversals = await listReversals<Payload>(
      db,
      'adjustment',
      proposals.map(({ id }) => id),
    );
    const reversalOf = (id: bigint) => {
      const found = reversals.find(({ payload }) => payload.reverses?.id === id.toString());
      return found ? { ...named(found), state: found.state } : null;
    };
    return proposals.map(({ id, memberId, payload, resultId }) => ({
      member: nameMember(contacts.get(memberId as bigint) as Contact),
      transfer_id: resultId?.toString() ?? null,
      reverses: payload.reverses ? named(payload.reverses) : null,
      reversed_by: reversalOf(id),
      wallet_type: payload.wallet,
      amount: toDollars(BigInt(payload.signedMicros)),
      evidence: payload.evidence,
    }));
  },
};

/**
 * Proposes a wallet correction (docs/product.md, sections 2 and 10), which another operator has to approve.
 *
 * Refuses `not_found`, `account_closed`, and `own_proposal` to the member themselves.
 */
export function proposeAdjustment(
  context: Context,
  actor: OperatorActor,
  input: BodyOf<typeof consoleAdjustments.proposeAdjustment>,
  once?: Once,
): Promise<Adjustment> {
  const { wallet_type: wallet, amount, reason, evidence } = input;
  const payload = { wallet, signedMicros: toMicros(amount).toString(), evidence };
  return runOnce(context.db, once, (tx) =>
    proposeFor(tx, context, actor, { memberId: BigInt(input.member_id), payload, reason }),
  );
}

/**
 * Proposes to reverse a posted adjustment (docs/ledger.md, "Reversals"), which another operator has to approve.
 *
 * Refuses `not_found`, `adjustment_not_reversible` for one that is not posted, is reversed or is a reversal, and what
 * `proposeAdjustment` refuses.
 */
export function reverseAdjustment(
  context: Context,
  actor: OperatorActor,
  { id, reason, evidence }: BodyOf<typeof consoleAdjustments.reverseAdjustment> & { readonly id: bigint },
  once?: Once,
): Promise<Adjustment> {
  return runOnce(context.db, once, async (tx) => {
    const reversed = orRefuse(await lockProposal<Payload>(tx, 'adjustment', id), 'not_found');
    const { memberId, reference, resultId, payload } = reversed;
    const isReversal = payload.reverses !== undefined;
    if (resultId === null || isReversal || (await listReversals(tx, 'adjustment', [id])).length > 0)
      throw new Refused('adjustment_not_reversible');
    return proposeFor(tx, context, actor, {
      memberId: memberId as bigint,
      reason,
      payload: {
        wallet: payload.wallet,
        signedMicros: (-BigInt(payload.signedMicros)).toString(),
        evidence,
        reverses: { id: id.toString(), reference: reference as string, transferId: resultId.toString() },
      },
    });
  });
}

async function proposeFor(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  draft: { readonly memberId: bigint; readonly payload: Payload; readonly reason: string },
): Promise<Adjustment> {
  const { memberId } = draft;
  const member = await getMember(tx, memberId);
  if (member.isCompany) throw new Refused('not_found');
  if (member.closedAt !== null) throw new Refused('account_closed');
  await refuseOwnMember(tx, { memberId }, actor.operatorId);
  return showProposal(tx, adjustmentKind, await propose(tx, context, adjustmentKind, actor, draft));
}

function transferOf(
  { id, reference, memberId, payload, reason }: Proposal<Payload>,
  marketAt: Date,
): Transfer | Reversal {
  const about = { reference: reference as string, marketAt, note: reason };
  const wallet = { memberId: memberId as bigint, class: payload.wallet } as const;
  const house = { class: 'adjustments' } as const;
  const signedMicros = BigInt(payload.signedMicros);
  const isGiven = signedMicros > 0n;
  const agreed = {
    from: isGiven ? house : wallet,
    to: isGiven ? wallet : house,
    amountMicros: isGiven ? signedMicros : -signedMicros,
  };
  if (payload.reverses === undefined)
    return { ...about, ...agreed, key: `adjustment/${id}/correction`, reason: 'correction' };
  const transferId = BigInt(payload.reverses.transferId);
  return { ...about, key: `adjustment/${id}/reversal`, transferId, agreed };
}

const named = ({ id, reference }: { id: bigint | string; reference: string | null }) => ({
  id: id.toString(),
  reference: reference as string,
});

/**
 * Posts or reverses a transfer of house money approved by two operators, if it is covered. An advisory lock serializes such
 * transfers until commit, so that a surplus is not spent twice. Refuses `not_covered`.
 *
 * @returns the id of the transfer
 */
export async function postCovered(
  tx: Tx,
  transfer: Transfer | Reversal,
  isCovered: (house: HouseMoney) => boolean,
): Promise<bigint> {
  await execute(tx)`select pg_advisory_xact_lock(hashtextextended('operator.house_money', 0))`;
  if (!isCovered(await getHouseBalances(tx))) throw new Refused('not_covered');
  const [posted] = 'transferId' in transfer ? [await reverse(tx, transfer)] : await post(tx, [transfer]);
  return (posted as { id: bigint }).id;
}
