import { consoleTreasury } from '#contract/operator/proposals.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { getHouseBalances, post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { isMoveCovered } from '../core/cover.ts';
import { actingAs, byAnother, type Decider, decideProposal, type Verdict } from '../proposal-decision.ts';
import { lockHouseMoney } from '../proposal-sql.ts';
import { findTreasuryMove, lockTreasuryMove, type TreasuryMoveRow, updateTreasuryMove } from './treasury-move-sql.ts';

/**
 * Approves a move that another operator recorded, and books it. Refuses what every decision does, and `not_covered` when
 * the place it leaves does not hold it, or the house would take out more than its surplus.
 */
export function approveTreasuryMove(
  context: Context,
  decider: Decider,
  verdict: Required<Verdict>,
): Promise<TreasuryMoveRow> {
  return decideProposal(context, decider, verdict, {
    find: findTreasuryMove,
    lock: lockTreasuryMove,
    who: byAnother,
    roles: consoleTreasury.approveTreasuryMove.access,
    restsOnProposer: true,
    carryOut: async (tx, row) => {
      const transferId = await postMove(tx, row);
      const after = await updateTreasuryMove(tx, {
        id: row.id,
        state: 'posted',
        by: decider.operatorId,
        now: context.now(),
        transferId,
      });
      await writeAudit(tx, {
        ...actingAs(decider),
        action: 'treasury.approve',
        subject: `treasury_move:${row.id}`,
        before: { state: row.state },
        after: { state: after.state, transferId, kind: row.kind, source: row.source, amountMicros: row.amount_micros },
      });
      return after;
    },
  });
}

async function postMove(tx: Tx, row: TreasuryMoveRow): Promise<bigint> {
  await lockHouseMoney(tx);
  const house = await getHouseBalances(tx);
  if (!isMoveCovered(house, { ...row, amountMicros: row.amount_micros })) throw new Refused('not_covered');
  const [posted] = await post(tx, [
    {
      key: `treasury/${row.id}/move`,
      ...endsOf(row),
      amountMicros: row.amount_micros,
      reason: row.kind,
      reference: row.reference,
      marketAt: await getMarketTime(tx),
      note: `${row.transaction}: ${row.reason}`,
    },
  ]);
  return (posted as { id: bigint }).id;
}

/** Gateway and venue are assets, which grow when they are debited: money sent to the venue goes from `venue` to `gateway`. */
function endsOf({ kind, source }: TreasuryMoveRow): Pick<Transfer, 'from' | 'to'> {
  if (kind === 'venue_fund') return { from: { class: 'venue' }, to: { class: 'gateway' } };
  if (kind === 'venue_return') return { from: { class: 'gateway' }, to: { class: 'venue' } };
  if (kind === 'capital_in') return { from: { class: 'gateway' }, to: { class: 'adjustments' } };
  return { from: { class: source ?? 'fee_revenue' }, to: { class: 'gateway' } };
}
