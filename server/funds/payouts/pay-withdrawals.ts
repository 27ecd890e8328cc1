import { payoutNetworks } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { inRowTransaction } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { Refused } from '#server/refused.ts';
import { findLastRate } from '../coins/move-coins.ts';
import { atEach, chooseGateways } from '../gateways/choose-gateway.ts';
import { type Gateway, OutcomeUnknown, type Payout } from '../gateways/gateway.ts';
import { arePayoutsStopped, refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import { orderOf, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import {
  claimPayout,
  confirmHeld,
  isClaimLost,
  listPayableIds,
  lockUnchanged,
  recordPayout,
  releaseClaim,
  updatePayoutUnits,
} from './claim-payout.ts';

const CHUNK = 100;
/** Delay before a refused order is retried: most refusals are an empty hot wallet. */
const RETRY_AFTER_MS = 60_000;

/**
 * Orders payouts for all approved withdrawals on networks that a gateway pays on (docs/product.md, section 5). Each
 * withdrawal is claimed in a transaction that commits before the gateway is called, so that after a crash it is known
 * that a payout may exist. It is ordered only after a search for an existing payout, and never again once the outcome
 * of an order is unknown: `followPayouts` polls for those.
 *
 * Safe to run by several workers. A withdrawal that cannot be paid does not block the others: its error is thrown after
 * the last one. An unavailable gateway ends its run at once.
 *
 * @returns the number of payouts ordered
 */
export const payWithdrawals = (
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<number> => atEach(gateways, (gateway) => payAt(context, gateway));

async function payAt(context: Context, gateway: Gateway): Promise<number> {
  const networks = payoutNetworks.filter((network) => gateway.canPay(network));
  if (networks.length === 0 || (await arePayoutsStopped(context))) return 0;
  const askedBefore = new Date(context.now().getTime() - RETRY_AFTER_MS);
  const faults = new Faults();
  let ordered = 0;
  let after = 0n;
  let hasMore = true;
  while (hasMore) {
    const ids = await listPayableIds(context.db, { networks, askedBefore, after, limit: CHUNK });
    hasMore = ids.length === CHUNK;
    for (const id of ids) {
      after = id;
      const result = await faults.keep(() => payOne(context, gateway, id));
      if (result === 'ordered') ordered += 1;
      if (result === 'unavailable') {
        hasMore = false;
        break;
      }
    }
  }
  faults.throwAny('Withdrawals that could not be paid');
  return ordered;
}

/** `skipped`: left to another worker or a later run. */
type Result = 'ordered' | 'skipped' | 'unavailable';

async function payOne(context: Context, gateway: Gateway, id: bigint): Promise<Result> {
  const claimed = await claimPayout(context, gateway, id);
  if (claimed === undefined) return 'skipped';
  const earlier = await unlessRefused(gateway.findPayout(orderOf(claimed), claimed.created_at));
  if (earlier instanceof Refused) {
    await releaseClaim(context, claimed, earlier.code);
    return 'unavailable';
  }
  const payout = earlier ?? (await order(context, gateway, claimed));
  if (payout === undefined || !(await recordPayout(context, claimed, payout))) return 'skipped';
  if (payout.state === 'unconfirmed') await confirmHeld(context, gateway, id, payout.id);
  return 'ordered';
}

/**
 * Undefined when nothing was ordered, which releases the claim, or when the outcome is unknown, which keeps the claim
 * for `followPayouts`.
 */
async function order(context: Context, gateway: Gateway, claimed: WithdrawalRow): Promise<Payout | undefined> {
  let isOrdered = false;
  try {
    const units = await convert(context, gateway, claimed);
    if (!(await recheckGuard(context, claimed, units))) return undefined;
    isOrdered = true;
    return await gateway.createPayout({ ...orderOf(claimed), units });
  } catch (error) {
    if (error instanceof OutcomeUnknown) return undefined;
    const isRefused = error instanceof Refused;
    if (isRefused || !isOrdered) await releaseClaim(context, claimed, isRefused ? error.code : 'not_ready');
    if (!isRefused) throw error;
    return undefined;
  }
}

/** The net amount in coins at the rate of now; null where a coin is a dollar. */
async function convert(context: Context, { name, coins }: Gateway, claimed: WithdrawalRow): Promise<string | null> {
  if (coins === undefined) return null;
  return coins.toUnits(orderOf(claimed).amountMicros, await findLastRate(context.db, name));
}

/**
 * Rechecks the payout guard just before the order: a stop or a freeze during the gateway's search still holds the
 * money. False when the claim has expired meanwhile and counts as lost. Stores the coins to be ordered, with which the
 * payout is compared, also when the reply is lost.
 */
function recheckGuard(context: Context, claimed: WithdrawalRow, units: string | null): Promise<boolean> {
  return inRowTransaction(context.db, async (tx) => {
    const withdrawal = await lockUnchanged(tx, claimed);
    if (withdrawal === undefined || isClaimLost(withdrawal, context.now())) return false;
    await refuseUnlessApproved(tx, context, withdrawal);
    if (units !== null) await updatePayoutUnits(tx, withdrawal.id, units);
    return true;
  });
}

const unlessRefused = <T>(call: Promise<T>): Promise<T | Refused> =>
  call.catch((error: unknown) => {
    if (error instanceof Refused) return error;
    throw error;
  });
