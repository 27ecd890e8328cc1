import { Decimal } from 'decimal.js';
import { Exact, floorMicros, MICROS } from '../price.ts';

/** What the exchange has traded in an asset since the start, and how much of it is in the ledger. */
export type HoldingState = {
  /** Coins held. */
  readonly held: string;
  /** Micros that members' positions moved at their prices and that the exchange has matched. */
  readonly membersCash: bigint;
  /** Net dollars moved, exact. */
  readonly venueCash: string;
  /** Micros posted to `venue_result`: markup, and gains less losses of the residual. */
  readonly result: bigint;
};

/** Members' positions in an asset. */
export type MemberPositions = {
  /** Coins of open positions. */
  readonly quantity: string;
  /** Micros moved at members' prices: negative for purchases. */
  readonly cash: bigint;
  /** Coins of open positions that are already sold, and the micros that their members receive. */
  readonly soldCoins: string;
  readonly soldCash: bigint;
};

/**
 * Coins that the exchange holds beyond members' coins; negative for a shortfall. Held 2 of which members have 1.5:
 * `0.5`.
 */
export const residualOf = (held: string, { quantity, soldCoins }: MemberPositions): string =>
  new Exact(held).minus(quantity).plus(soldCoins).toFixed();

/**
 * The state after a batch. What the exchange moved and members were not charged for belongs to the house: the markup,
 * and the residual valued at the mid. Rounded so that the ledger never shows more than the exchange has.
 *
 * Members bought one coin for 101, and the exchange charged 100.10 with its fee: `result` grows by 0.90. For 0.01 coin
 * that members have and the exchange does not, at a mid of 100, one dollar is set aside.
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
