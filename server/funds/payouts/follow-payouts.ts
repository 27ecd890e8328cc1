import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { atEach, chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway, Payout } from '../gateways/gateway.ts';
import { type Move, moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import {
  confirmSent,
  listDuePayouts,
  listOtherGateways,
  lockUnchanged,
  lostBefore,
  takeFound,
  updatePayoutCheckedAt,
} from './claim-payout.ts';

const CHUNK = 100;
const CANCELLED = english.t`The payment gateway cancelled the payout.`;

/**
 * Asks the gateway what became of payouts (docs/product.md, section 5): of those it has, whether they are completed or
 * were cancelled; of claims that a crash or a silent gateway left behind, whether a payout carries their reference.
 * Found, it was sent. Not found proves nothing, because the order may still be on its way: the withdrawal becomes
 * `uncertain`, is never ordered again, and is looked for on and on, until it is found or a person decides.
 *
 * May be run by any number of workers: what was asked before somebody else changed the withdrawal is thrown away. A
 * gateway that is away ends the run at once, and the next one begins with those that were not asked about.
 *
 * @returns how many withdrawals moved on
 * @throws Error when payouts are under way at a gateway that is not among these: nobody asks about them
 */
export async function followPayouts(
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> {
  const moved = await atEach(gateways, (gateway) => followAt(context, gateway));
  const left = await listOtherGateways(
    context.db,
    gateways.map(({ name }) => name),
  );
  if (left.length > 0) throw new Error(`payouts are under way at ${left.join(', ')}, which PAYMENTS does not name`);
  return moved;
}

async function followAt(context: Context, gateway: Gateway): Promise<number> {
  const faults: unknown[] = [];
  let moved = 0;
  let after = 0n;
  let isGoingOn = true;
  while (isGoingOn) {
    const now = context.now();
    const about = { gateway: gateway.name, claimedBefore: lostBefore(now), now, after, limit: CHUNK };
    const due = await listDuePayouts(context.db, about);
    isGoingOn = due.length === CHUNK;
    for (const withdrawal of due) {
      after = withdrawal.id;
      try {
        if (await followOne(context, gateway, withdrawal)) moved += 1;
      } catch (error) {
        faults.push(error);
        if (!(error instanceof Refused)) continue;
        isGoingOn = false;
        break;
      }
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `Payouts that could not be followed: ${faults.length}`);
  return moved;
}

/** The time of the look is written before the gateway is asked, so that one which does not answer is not asked at once again. */
async function followOne(context: Context, gateway: Gateway, seen: WithdrawalRow): Promise<boolean> {
  await updatePayoutCheckedAt(context.db, seen.id, context.now());
  const { payout_id, reference, created_at: since } = seen;
  const payout = await (payout_id === null ? gateway.findPayout(reference, since) : gateway.getPayout(payout_id));
  if (payout !== undefined && seen.state !== 'sent') return takeFound(context, seen, payout);
  if (payout?.state === 'unconfirmed') await confirmSent(context, gateway, seen.id, payout.id);
  const next = payout === undefined ? whenMissing(seen) : whenSent(payout);
  if (next === undefined) return false;
  if (next.to === 'uncertain') context.log.warn({ withdrawal: reference }, 'payout outcome unknown');
  return inTransaction(context.db, async (tx) => {
    const withdrawal = await lockUnchanged(tx, seen);
    if (withdrawal === undefined) return false;
    await moveWithdrawal(tx, context, { ...next, withdrawal, actor: { kind: 'system', id: null } });
    return true;
  });
}

type Next = Pick<Move, 'to' | 'note' | 'set' | 'paid'>;

function whenMissing({ state, payout_id, reference }: WithdrawalRow): Next | undefined {
  if (state === 'sent') throw new Error(`the gateway no longer knows payout ${payout_id} of ${reference}`);
  return state === 'approved' ? { to: 'uncertain' } : undefined;
}

function whenSent(payout: Payout): Next | undefined {
  const { state, transaction } = payout;
  if (state === 'cancelled') return { to: 'failed', note: CANCELLED };
  if (state !== 'completed') return undefined;
  return { to: 'completed', set: transaction === null ? {} : { transaction }, paid: payout };
}
