import assert from 'node:assert';
import type { RefusalCode } from '#contract/refusals.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Withdrawer } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { getBalances } from '#server/ledger/index.ts';
import { amountRefusal, utcDayOf, withdrawalFeeOf } from '../core/withdrawal-rules.ts';
import type { AddressRow } from './payout-address-sql.ts';
import { findDaySum } from './withdrawal-day-sql.ts';
import { findBar } from './withdrawal-gate.ts';

/** What a member asks for. */
export type WithdrawalOrder = {
  readonly memberId: bigint;
  readonly amountMicros: bigint;
  readonly wallet: WalletType;
};

/** Where it would go to and what it would cost, or the first thing that is against it. */
export type Checked =
  | { readonly refusal: RefusalCode }
  | {
      readonly refusal: undefined;
      readonly address: AddressRow;
      readonly feeMicros: bigint;
      readonly feePlanId: number;
    };

/**
 * Looks at an order before a code is mailed for it, before a try at the code is counted, and again under the locks of
 * the request: first what stands in the member's way in the order of `withdrawalBars`, then the limits, then the
 * wallet. A member's own limits and pauses are not looked at: they never keep money in (docs/product.md, section 8).
 */
export async function checkWithdrawal(
  db: Db,
  context: Context,
  withdrawer: Withdrawer,
  order: WithdrawalOrder,
): Promise<Checked> {
  const { memberId, amountMicros, wallet } = order;
  const { bar, address } = await findBar(db, context, memberId, withdrawer);
  if (bar !== undefined) return { refusal: bar.code };
  assert(address !== undefined, 'without an address there is a bar');

  const { current } = await findFeePlans(db);
  const feeMicros = withdrawalFeeOf(amountMicros, {
    bps: current.withdrawalFeeBps,
    minimumMicros: current.withdrawalFeeMin,
  });
  const refusal = amountRefusal(amountMicros, feeMicros, await findDaySum(db, memberId, utcDayOf(context.now())));
  if (refusal !== undefined) return { refusal };
  if ((await getBalances(db, memberId))[wallet] < amountMicros) return { refusal: 'insufficient_funds' };
  return { refusal: undefined, address, feeMicros, feePlanId: current.id };
}
