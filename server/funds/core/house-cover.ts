import { MAX_DOLLARS, MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';

/** Balances of the house, credits less debits: what gateway and venue hold is theirs with the sign turned. */
export type HouseMoney = Readonly<
  Record<
    'gateway' | 'venue' | 'fee_revenue' | 'withdrawal_fees' | 'venue_result' | 'gateway_result' | 'adjustments',
    bigint
  >
>;

/** What is left for the house (docs/product.md, section 1). */
export const surplusOf = (house: HouseMoney): bigint =>
  house.fee_revenue + house.withdrawal_fees + house.venue_result + house.gateway_result + house.adjustments;

/**
 * Whether a correction is covered: what members get comes out of the surplus, or they would be owed more than is held. With
 * a surplus of 10 $ a correction of 10 $ is, one of 10.01 $ is not; one that takes from a member always is.
 */
export const isCorrectionCovered = (house: HouseMoney, signedMicros: bigint): boolean =>
  signedMicros <= 0n || signedMicros <= surplusOf(house);

/** Half of what an amount in a reply can be: the other half is room for what members deposit. */
const MAX_ASSETS_WITH_CAPITAL = (BigInt(MAX_DOLLARS) * MICROS_PER_DOLLAR) / 2n;

/**
 * Whether all that is held can still be shown with this capital. No amount above 9·10⁹ dollars can, and every page of the house's
 * money would fail. With 4.4·10⁹ dollars held, 10⁸ more can be added, 2·10⁸ cannot.
 */
export const isCapitalShown = (house: Pick<HouseMoney, 'gateway' | 'venue'>, amountMicros: bigint): boolean =>
  amountMicros - house.gateway - house.venue <= MAX_ASSETS_WITH_CAPITAL;

/**
 * Whether a move of the house's money is covered: nothing leaves a place that does not hold it, and revenue leaves only as
 * far as there is a surplus. With 100 $ at the gateway, 30 $ of revenue and a surplus of 20 $, 20 $ can be taken out.
 */
export function isMoveCovered(
  house: HouseMoney,
  move: {
    readonly kind: Exclude<TreasuryKind, 'coin_sale'>;
    readonly source: RevenueAccount | null;
    readonly amountMicros: bigint;
  },
): boolean {
  const { kind, source, amountMicros } = move;
  if (kind === 'capital_in') return true;
  if (kind === 'venue_return') return amountMicros <= -house.venue;
  const isAtGateway = amountMicros <= -house.gateway;
  if (kind === 'venue_fund') return isAtGateway;
  return isAtGateway && source !== null && amountMicros <= house[source] && amountMicros <= surplusOf(house);
}
