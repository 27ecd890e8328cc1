import { payoutNetworks } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { findLastRate } from '../coins/move-coins.ts';
import { atEach, chooseGateways } from '../gateways/choose-gateway.ts';
import { type Gateway, OutcomeUnknown, type Payout } from '../gateways/gateway.ts';
import { arePayoutsOff, refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import {
  claimPayout,
  confirmSent,
  isClaimLost,
  listPayableIds,
  lockUnchanged,
  orderOf,
  releaseClaim,
  takeFound,
} from './claim-payout.ts';

const CHUNK = 100;
/** One that the gateway refused is ordered again after this long: most refusals are an empty hot wallet. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Orders the payout of everything that is approved and on a network the gateway pays to (docs/product.md, section 5).
 * Each withdrawal is claimed in a transaction that ends before the gateway is asked, so that whoever comes after a
 * crash knows that a payout may exist; it is ordered only after the gateway was asked whether it has one already, and
 * never again once nobody knows what became of an order: `followPayouts` looks for those.
 *
 * Any number of workers may do this at the same time. One withdrawal that cannot be paid does not keep the others
 * waiting: a fault ends the run with an error after the last of them. A gateway that is away ends it at once.
 *
 * @returns how many payouts were ordered
 */
export const payWithdrawals = (
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> => atEach(gateways, (gateway) => payAt(context, gateway));

async function payAt(context: Context, gateway: Gateway): Promise<number> {
  const networks = payoutNetworks.filter((network) => gateway.canPay(network));
  if (networks.length === 0 || (await arePayoutsOff(context))) return 0;
  const askedBefore = new Date(context.now().getTime() - AGAIN_AFTER_MS);
  const faults: unknown[] = [];
  let ordered = 0;
  let after = 0n;
  let isGoingOn = true;
  while (isGoingOn) {
    const ids = await listPayableIds(context.db, { networks, askedBefore, after, limit: CHUNK });
    isGoingOn = ids.length === CHUNK;
    for (const id of ids) {
      after = id;
      const result = await payOne(context, gateway, id).catch((error: unknown) => {
        faults.push(error);
      });
      if (result === 'ordered') ordered += 1;
      if (result === 'away') {
        isGoingOn = false;
        break;
      }
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `Withdrawals that could not be paid: ${faults.length}`);
  return ordered;
}

/** `left` for somebody else or for later. */
type Result = 'ordered' | 'left' | 'away';

async function payOne(context: Context, gateway: Gateway, id: bigint): Promise<Result> {
  const claimed = await claimPayout(context, gateway, id);
  if (claimed === undefined) return 'left';
  const earlier = await unlessRefused(gateway.findPayout(claimed.reference, claimed.created_at));
  if (earlier instanceof Refused) {
    await releaseClaim(context, claimed, earlier.code);
    return 'away';
  }
  const payout = earlier ?? (await order(context, gateway, claimed));
  if (payout === undefined || !(await takeFound(context, claimed, payout))) return 'left';
  if (payout.state === 'unconfirmed') await confirmSent(context, gateway, id, payout.id);
  return 'ordered';
}

/**
 * Undefined when nothing was ordered, and then the claim is taken back; or when nobody knows, and then it stays, and
 * what became of it is looked for.
 */
async function order(context: Context, gateway: Gateway, claimed: WithdrawalRow): Promise<Payout | undefined> {
  try {
    if (!(await passAgain(context, claimed))) return undefined;
    const lastRate = await findLastRate(context.db, gateway.name);
    return await gateway.createPayout({ ...orderOf(claimed), lastRate });
  } catch (error) {
    if (error instanceof OutcomeUnknown) return undefined;
    if (!(error instanceof Refused)) throw error;
    await releaseClaim(context, claimed, error.code);
    return undefined;
  }
}

/**
 * The payout guard a second time, as late as can be: a stop or a freeze while the gateway was looking still holds the money.
 * False when that took so long that others had to count the claim as lost.
 */
function passAgain(context: Context, claimed: WithdrawalRow): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const withdrawal = await lockUnchanged(tx, claimed);
    if (withdrawal === undefined || isClaimLost(withdrawal, context.now())) return false;
    await refuseUnlessApproved(tx, context, withdrawal);
    return true;
  });
}

const unlessRefused = <T>(answer: Promise<T>): Promise<T | Refused> =>
  answer.catch((error: unknown) => {
    if (error instanceof Refused) return error;
    throw error;
  });
