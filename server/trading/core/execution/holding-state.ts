import { Decimal } from 'decimal.js';
import { Exact, floorMicros, MICROS } from '../price.ts';

/** What the exchange did in an asset since it began, and what of it the ledger has. */
export type HoldingState = {
  /** Coins it holds. */
  readonly held: string;
  /** Micros of what members' positions moved at their prices that it has answered. */
  readonly membersCash: bigint;
  /** Dollars it moved, exact. */
  readonly venueCash: string;
  /** Micros posted to `venue_result`: markup, and what the residual gained less what it lost. */
  readonly result: bigint;
};

/** Positions of members in an asset. */
export type MemberPositions = {
  /** Coins of open positions. */
  readonly quantity: string;
  /** Micros they moved at members' prices: negative for what was bought. */
  readonly cash: bigint;
  /** Coins of open positions that are sold already, and micros that their members get for them. */
  readonly soldCoins: string;
  readonly soldCash: bigint;
};

/** Coins that the exchange holds beyond those of members; negative: fewer. `residualOf('2', {quantity: '1.5', …}) === '0.5'` */
export const residualOf = (held: string, { quantity, soldCoins }: MemberPositions): string =>
  new Exact(held).minus(quantity).plus(soldCoins).toFixed();

/**
 * The state after a batch. What the exchange moved and members were not charged for is the house's: the markup, and the residual,
 * which stands at the mid. It is rounded so that the ledger never says more than the exchange has.
 *
 * Members bought one coin for 101, the exchange took 100.10 with its fee: `result` grows by 0.90. Of 0.01 coin that members have and
 * the exchange does not, at a mid of 100, a dollar is set aside.
 *
 * @param moved coins and dollars of the batch's order, signed
 */
export function applyMoves(
  state: HoldingState,
  moved: { readonly coins: string; readonly dollars: string },
  members: MemberPositions,
  mid: string,
): HoldingState {
  const held = new Exact(state.held).plus(moved.coins).toFixed();
  const venueCash = new Exact(state.venueCash).plus(moved.dollars);
  const lacking = new Exact(residualOf(held, members)).neg().times(mid).times(MICROS);
  const membersCash =
    members.cash + BigInt(lacking.toDecimalPlaces(0, Decimal.ROUND_CEIL).toFixed(0)) + members.soldCash;
  return { held, membersCash, venueCash: venueCash.toFixed(), result: floorMicros(venueCash) - membersCash };
}
