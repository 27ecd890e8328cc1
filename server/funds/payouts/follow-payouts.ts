import type { Context } from '#server/context.ts';
import { inRowTransaction } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { Refused } from '#server/refused.ts';
import { atEach, chooseGateways, GATEWAY_GONE_AFTER_MS } from '../gateways/choose-gateway.ts';
import type { Gateway, Payout } from '../gateways/gateway.ts';
import { type Move, moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { orderOf, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import {
  confirmHeld,
  isClaimLost,
  isNews,
  listDuePayouts,
  listLeftPayouts,
  listOtherGateways,
  lockUnchanged,
  logUncertain,
  lostBefore,
  recordPayout,
  updatePayoutCheckedAt,
} from './claim-payout.ts';

const CHUNK = 100;

/**
 * Polls the gateways for the outcome of payouts (docs/product.md, section 5): whether those they have are completed or
 * cancelled, and whether claims left behind by a crash or a timeout have a payout with their reference. If found, it
 * was sent. Not found proves nothing, as the order may still be in transit: the withdrawal becomes `uncertain`, is
 * never ordered again, and is polled until it is found or an operator resolves it. So does one whose payout is not as
 * ordered.
 *
 * A payout at a gateway that is not configured becomes `uncertain` as well, a week after its last check.
 *
 * Safe to run by several workers: a reply is discarded when the withdrawal has changed since it was read. An
 * unavailable gateway ends its run at once, and the next run starts with the payouts not yet checked.
 *
 * @returns how many withdrawals changed state
 * @throws Error when payouts are in progress at such a gateway
 */
export async function followPayouts(
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> {
  const faults = new Faults();
  const moved = await faults.keep(() => atEach(gateways, (gateway) => followAt(context, gateway)));
  const names = gateways.map(({ name }) => name);
  const handedOver = await faults.keep(() => handOverLeft(context, names));
  faults.throwAny();
  const left = await listOtherGateways(context.db, names);
  if (left.length > 0) throw new Error(`payouts are under way at ${left.join(', ')}, which PAYMENTS does not name`);
  return (moved ?? 0) + (handedOver ?? 0);
}

/** The rest of more than one chunk is for the next run. */
async function handOverLeft(context: Context, names: readonly string[]): Promise<number> {
  const since = new Date(context.now().getTime() - GATEWAY_GONE_AFTER_MS);
  let moved = 0;
  for (const snapshot of await listLeftPayouts(context.db, { names, since, limit: CHUNK })) {
    logUncertain(context, snapshot);
    if (await moveUnchanged(context, snapshot, { to: 'uncertain' })) moved += 1;
  }
  return moved;
}

async function followAt(context: Context, gateway: Gateway): Promise<number> {
  const faults = new Faults();
  let moved = 0;
  let after = 0n;
  let hasMore = true;
  while (hasMore) {
    const now = context.now();
    const about = { gateway: gateway.name, claimedBefore: lostBefore(now), now, after, limit: CHUNK };
    const due = await listDuePayouts(context.db, about);
    hasMore = due.length === CHUNK;
    for (const withdrawal of due) {
      after = withdrawal.id;
      if (await faults.keep(() => followOne(context, gateway, withdrawal))) moved += 1;
      if (faults.last instanceof Refused) {
        hasMore = false;
        break;
      }
    }
  }
  faults.throwAny('Payouts that could not be followed');
  return moved;
}

/** Stores the time of the check before the call, so that a payout whose check times out is not retried at once. */
async function followOne(context: Context, gateway: Gateway, snapshot: WithdrawalRow): Promise<boolean> {
  await inRowTransaction(context.db, (tx) => updatePayoutCheckedAt(tx, snapshot.id, context.now()));
  const { payout_id, created_at: since } = snapshot;
  const order = orderOf(snapshot);
  const payout = await (payout_id === null ? gateway.findPayout(order, since) : gateway.getPayout(payout_id, order));
  if (payout !== undefined && isNews(snapshot, payout)) return recordPayout(context, snapshot, payout);
  if (payout?.state === 'unconfirmed') return confirmHeld(context, gateway, snapshot.id, payout.id);
  const next = payout === undefined ? whenMissing(context, snapshot) : whenSent(payout);
  return next !== undefined && moveUnchanged(context, snapshot, next);
}

type Next = Pick<Move, 'to' | 'set' | 'paid'>;

/** False when the withdrawal has changed since it was read. */
const moveUnchanged = (context: Context, snapshot: WithdrawalRow, next: Next): Promise<boolean> =>
  inRowTransaction(context.db, async (tx) => {
    const withdrawal = await lockUnchanged(tx, snapshot);
    if (withdrawal === undefined) return false;
    await moveWithdrawal(tx, context, { ...next, withdrawal, actor: { kind: 'system', id: null } });
    return true;
  });

/** A gateway may not list a new payout at once. */
function whenMissing(context: Context, snapshot: WithdrawalRow): Next | undefined {
  if (snapshot.state === 'uncertain' || !isClaimLost(snapshot, context.now())) return undefined;
  logUncertain(context, snapshot);
  return { to: 'uncertain' };
}

function whenSent(payout: Payout): Next | undefined {
  const { state, transaction } = payout;
  if (state !== 'completed') return undefined;
  return { to: 'completed', set: transaction === null ? {} : { transaction }, paid: payout };
}
