import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { findUnfinished } from '../session/closing-sql.ts';

/**
 * A step of closing an account (docs/product.md, section 8). Refusals: `closing_trades` while a trade is queued or
 * open, `closing_plans` until every plan is redeemed. What is placed at this very moment takes money out of a wallet,
 * which the closing sees in the accounts.
 */
export async function refuseUnfinished(tx: Tx, memberId: bigint): Promise<void> {
  const { hasTrade, hasPlan } = await findUnfinished(tx, memberId);
  if (hasPlan) throw new Refused('closing_plans');
  if (hasTrade) throw new Refused('closing_trades');
}
