import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import { withdrawalRules } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { dayLimitMicros, utcDayOf } from '../core/withdrawal-rules.ts';
import { readWithdrawer, showAddress } from './payout-address-sql.ts';
import { findEligibility, findPayoutSwitch } from './payout-guard.ts';
import { findDaySum } from './withdrawal-sql.ts';

/** What a member has to know before asking for a withdrawal (docs/product.md, section 5). */
export async function getWithdrawalTerms(context: Context, memberId: bigint): Promise<WithdrawalTerms> {
  const { db, config } = context;
  const { bar, address, usableFrom } = await findEligibility(db, context, memberId, await readWithdrawer(db, memberId));
  const { current } = await findFeePlans(db);
  const usedMicros = await findDaySum(db, memberId, utcDayOf(context.now()));
  const { stopped_at: stoppedAt } = await findPayoutSwitch(db);
  return {
    minimum: withdrawalRules.minimumDollars,
    day_limit: withdrawalRules.dayLimitDollars,
    day_left: toDollars(dayLimitMicros - usedMicros),
    fee_bps: current.withdrawalFeeBps,
    fee_minimum: toDollars(current.withdrawalFeeMin),
    address: address === undefined || usableFrom === null ? null : showAddress(address, usableFrom),
    bar: bar === undefined ? null : { code: bar.code, until: bar.until?.toISOString() ?? null },
    payouts_stopped: stoppedAt !== null,
    simulated: config.payments === 'sandbox',
  };
}
