import { consoleAdjustments } from '#contract/operator/proposals.ts';
import { findOperator, getMember, lockReceiver } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { getHouseBalances, post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { correctionNotice } from '../core/correction-notice.ts';
import { isCorrectionCovered } from '../core/cover.ts';
import { actingAs, byAnother, type Decider, decideProposal, type Verdict } from '../proposal-decision.ts';
import { lockHouseMoney } from '../proposal-sql.ts';
import { type AdjustmentRow, findAdjustment, lockAdjustment, updateAdjustment } from './adjustment-sql.ts';

/**
 * Approves a correction that another operator proposed, and posts it: always two people, whatever the amount. Money for a
 * member comes out of the surplus and never out of what others are owed.
 *
 * Refuses what every decision does, `own_proposal` also to who is the member themselves, `account_closed`, `not_covered`,
 * and `insufficient_funds` when the wallet does not have what is taken.
 */
export function approveAdjustment(
  context: Context,
  decider: Decider,
  verdict: Required<Verdict>,
): Promise<AdjustmentRow> {
  return decideProposal(context, decider, verdict, {
    find: findAdjustment,
    lock: lockAdjustment,
    who: byAnother,
    roles: consoleAdjustments.approveAdjustment.access,
    restsOnProposer: true,
    carryOut: async (tx, row) => {
      await refuseOwnWallet(tx, row, decider);
      const transferId = await postCorrection(tx, row);
      const after = await updateAdjustment(tx, {
        id: row.id,
        state: 'posted',
        by: decider.operatorId,
        now: context.now(),
        transferId,
      });
      await writeAudit(tx, {
        ...actingAs(decider),
        action: 'adjustment.approve',
        subject: `adjustment:${row.id}`,
        before: { state: row.state },
        after: {
          state: after.state,
          transferId,
          memberId: row.member_id,
          wallet: row.wallet,
          signedMicros: row.signed_micros,
        },
      });
      await notifyMember(tx, { memberId: row.member_id, ...correctionNotice(row) });
      return after;
    },
  });
}

/** Operators have no wallets; who is also a member is known by the mail address of both accounts. */
async function refuseOwnWallet(tx: Tx, row: AdjustmentRow, { operatorId }: Decider): Promise<void> {
  const [member, operator] = [await getMember(tx, row.member_id), await findOperator(tx, operatorId)];
  if (operator?.email.toLowerCase() === member.email.toLowerCase()) throw new Refused('own_proposal');
}

async function postCorrection(tx: Tx, row: AdjustmentRow): Promise<bigint> {
  const { isClosed } = await lockReceiver(tx, row.member_id);
  if (isClosed) throw new Refused('account_closed');
  await lockHouseMoney(tx);
  if (!isCorrectionCovered(await getHouseBalances(tx), row.signed_micros)) throw new Refused('not_covered');
  const [posted] = await post(tx, [transferOf(row, await getMarketTime(tx))]);
  return (posted as { id: bigint }).id;
}

function transferOf(row: AdjustmentRow, marketAt: Date): Transfer {
  const wallet = { memberId: row.member_id, class: row.wallet } as const;
  const house = { class: 'adjustments' } as const;
  const isGiven = row.signed_micros > 0n;
  return {
    key: `adjustment/${row.id}/correction`,
    from: isGiven ? house : wallet,
    to: isGiven ? wallet : house,
    amountMicros: isGiven ? row.signed_micros : -row.signed_micros,
    reason: 'correction',
    reference: row.reference,
    marketAt,
    note: row.reason,
  };
}
