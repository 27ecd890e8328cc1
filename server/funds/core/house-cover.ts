import { MAX_DOLLARS, MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';

/** House balances, credits less debits: assets at gateway and venue are therefore negative. */
export type HouseMoney = Readonly<
  Record<
    'gateway' | 'venue' | 'fee_revenue' | 'withdrawal_fees' | 'venue_result' | 'gateway_result' | 'adjustments',
    bigint
  >
>;

/** The house's surplus (docs/product.md, section 1). */
export const surplusOf = (house: HouseMoney): bigint =>
  house.fee_revenue + house.withdrawal_fees + house.venue_result + house.gateway_result + house.adjustments;

/**
 * Whether a correction is covered: a credit to a member must not exceed the surplus, or liabilities would exceed
 * assets. With a surplus of $10, a credit of $10 is covered and one of $10.01 is not; a debit always is.
 */
export const isCorrectionCovered = (house: HouseMoney, signedMicros: bigint): boolean =>
  signedMicros <= 0n || signedMicros <= surplusOf(house);

/** Half of the largest amount that a request can contain; the other half leaves room for members' deposits. */
const MAX_ASSETS_WITH_CAPITAL = (BigInt(MAX_DOLLARS) * MICROS_PER_DOLLAR) / 2n;

/**
 * Whether total assets stay displayable with this capital. Replies cannot contain larger amounts than `MAX_DOLLARS`
 * exactly, so every page of house money would fail. With 4.2·10⁹ dollars held, 5·10⁷ more can be added, 10⁸ cannot.
 */
export const canShowCapital = (house: Pick<HouseMoney, 'gateway' | 'venue'>, amountMicros: bigint): boolean =>
  amountMicros - house.gateway - house.venue <= MAX_ASSETS_WITH_CAPITAL;

/**
 * Whether a treasury move is covered: its source must hold the money, and revenue can only be withdrawn up to the
 * surplus. With $100 at the gateway, $30 of revenue and a surplus of $20, $20 can be withdrawn.
 *
 * @param move `coinMicros` of the gateway are booked for coins: only their sale moves them
 */
export function isMoveCovered(
  house: HouseMoney,
  move: {
    readonly kind: Exclude<TreasuryKind, 'coin_sale'>;
    readonly source: RevenueAccount | null;
    readonly amountMicros: bigint;
    readonly coinMicros: bigint;
  },
): boolean {
  const { kind, source, amountMicros, coinMicros } = move;
  if (kind === 'capital_in') return true;
  if (kind === 'venue_return') return amountMicros <= -house.venue;
  const isAtGateway = amountMicros <= -house.gateway - coinMicros;
  if (kind === 'venue_fund') return isAtGateway;
  return isAtGateway && source !== null && amountMicros <= house[source] && amountMicros <= surplusOf(house);
}
