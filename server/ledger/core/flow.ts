import type { LedgerReason } from '#contract/ledger-reasons.ts';
import type { AccountClass } from './account.ts';

/**
 * Every permitted flow (docs/ledger.md, "Flows"). The database stores the same rows in `ledger.flow` and enforces them
 * with a CHECK; `verifyLedger` compares both with this list. No row leads from one member to another, or from a deposit
 * or a principal to an income.
 */
export const flows = [
  ['gateway', 'primary', 'deposit', 'a deposit is credited'],
  [
    'gateway',
    'unallocated',
    'deposit_unallocated',
    'a payment came that cannot be credited yet: underpaid, late or in review',
  ],
  ['unallocated', 'primary', 'deposit_allocated', 'such a payment is credited'],
  ['unallocated', 'gateway', 'deposit_refund', 'such a payment is sent back'],
  ['primary', 'trade_escrow', 'trade_place', 'a trade is placed'],
  ['profit', 'trade_escrow', 'trade_place', 'a trade is placed'],
  ['investment', 'trade_escrow', 'trade_place', 'a plan places its trade'],
  ['trade_escrow', 'primary', 'trade_cancel', 'a queued trade is cancelled'],
  ['trade_escrow', 'profit', 'trade_cancel', 'a queued trade is cancelled'],
  ['trade_escrow', 'investment', 'trade_cancel', "a plan's queued trade is cancelled"],
  ['trade_escrow', 'trade_fees', 'trade_fee', 'a trade opens'],
  ['trade_escrow', 'primary', 'trade_return', 'a trade settles: min(P, N) goes back'],
  ['trade_escrow', 'profit', 'trade_return', 'a trade settles: min(P, N) goes back'],
  ['trade_escrow', 'investment', 'trade_return', "a plan's trade settles: min(P, N) goes back"],
  ['trade_escrow', 'venue', 'trade_loss', 'a trade settles with P < N: the loss N − P'],
  ['venue', 'primary', 'trade_gain', 'a trade settles with P > N: min(P, A) − N'],
  ['venue', 'profit', 'trade_gain', 'a trade settles with P > N: min(P, A) − N'],
  ['venue', 'investment', 'trade_gain', "a plan's trade settles with P > N: min(P, A) − N"],
  ['venue', 'profit', 'trade_profit', 'a trade settles with P > A: P − A − g'],
  ['venue', 'investment', 'trade_profit', 'the trade of a compounding plan settles with P > A: P − A − g'],
  ['venue', 'performance_fees', 'performance_fee', 'a trade settles with P > A: the fee g'],
  ['primary', 'investment', 'plan_invest', 'a plan is created'],
  ['profit', 'investment', 'plan_invest', 'a plan is created'],
  ['investment', 'primary', 'plan_redeem', 'a plan is redeemed'],
  ['trade_fees', 'venue_result', 'execution_cost', "bonus run: what the session's execution cost, before every share"],
  [
    'performance_fees',
    'venue_result',
    'execution_cost',
    "bonus run: what of the session's execution cost trade fees did not cover",
  ],
  ['trade_fees', 'profit', 'referral_bonus', 'bonus run: level 1'],
  ['trade_fees', 'profit', 'level_bonus', 'bonus run: levels 2 to 10'],
  ['performance_fees', 'profit', 'team_profit', 'bonus run: levels 1 to 3'],
  ['trade_fees', 'pool_weekly', 'pool_weekly_fill', "bonus run: the weekly pool's share"],
  ['trade_fees', 'pool_monthly', 'pool_monthly_fill', "bonus run: the monthly pool's share"],
  ['trade_fees', 'pool_rewards', 'pool_rewards_fill', "bonus run: the rewards pool's share"],
  ['trade_fees', 'fee_revenue', 'fee_revenue', 'bonus run: the rest'],
  ['performance_fees', 'fee_revenue', 'fee_revenue', 'bonus run: the rest'],
  ['pool_weekly', 'profit', 'weekly_income', 'the weekly run pays'],
  ['pool_monthly', 'profit', 'monthly_income', 'the monthly run pays'],
  ['pool_rewards', 'profit', 'reward', 'a reward is claimed'],
  ['pool_weekly', 'fee_revenue', 'pool_release', "the weekly run: what nobody gets of the week's fill"],
  ['pool_monthly', 'fee_revenue', 'pool_release', "the monthly run: what nobody gets of the month's fill"],
  ['primary', 'withdrawal_hold', 'withdrawal_hold', 'a withdrawal is requested'],
  ['profit', 'withdrawal_hold', 'withdrawal_hold', 'a withdrawal is requested'],
  ['withdrawal_hold', 'gateway', 'withdrawal_payout', 'a withdrawal is completed: the net amount'],
  ['withdrawal_hold', 'withdrawal_fees', 'withdrawal_fee', 'a withdrawal is completed: the fee'],
  ['withdrawal_hold', 'primary', 'withdrawal_release', 'a withdrawal is rejected, cancelled or failed'],
  ['withdrawal_hold', 'profit', 'withdrawal_release', 'a withdrawal is rejected, cancelled or failed'],
  ['primary', 'adjustments', 'closing_remainder', 'an account is closed: what is left, less than can be withdrawn'],
  ['profit', 'adjustments', 'closing_remainder', 'an account is closed: what is left, less than can be withdrawn'],
  // Gateway and venue are assets, which grow when they are debited: money sent to the venue is venue → gateway.
  ['venue', 'gateway', 'venue_fund', 'treasury: money moves from the gateway to the venue'],
  ['gateway', 'venue', 'venue_return', 'treasury: money moves from the venue to the gateway'],
  ['gateway', 'adjustments', 'capital_in', 'treasury: the owner puts capital in'],
  ['fee_revenue', 'gateway', 'revenue_out', 'treasury: revenue is taken out'],
  ['withdrawal_fees', 'gateway', 'revenue_out', 'treasury: revenue is taken out'],
  ['venue_result', 'venue', 'venue_fee', 'the exchange took a fee or the fill slipped'],
  ['venue', 'venue_result', 'venue_rebate', 'the exchange paid a rebate or the fill was better'],
  ['gateway_result', 'gateway', 'network_fee', 'a payout completes: what the network took beside the amount'],
  ['gateway', 'gateway_result', 'gateway_revaluation', 'the coins that the gateway holds are worth more than booked'],
  ['gateway_result', 'gateway', 'gateway_revaluation', 'they are worth less'],
  ['venue', 'gateway', 'gateway_conversion', 'treasury: coins of the gateway are sold at the venue: what arrived'],
  ['gateway', 'gateway_result', 'gateway_conversion', 'they brought more than they were booked at'],
  ['gateway_result', 'gateway', 'gateway_conversion', 'they brought less'],
  ['adjustments', 'primary', 'correction', 'two operators correct a wallet'],
  ['adjustments', 'profit', 'correction', 'two operators correct a wallet'],
  ['primary', 'adjustments', 'correction', 'two operators correct a wallet'],
  ['profit', 'adjustments', 'correction', 'two operators correct a wallet'],
] as const satisfies readonly (readonly [from: AccountClass, to: AccountClass, reason: LedgerReason, event: string])[];

/** A reason of a transfer. */
export type Reason = LedgerReason;
/** A reason that can be posted; only `reverse` creates reversals. */
export type FlowReason = Exclude<Reason, 'reversal'>;

const allowed = new Set(flows.map(([from, to, reason]) => `${from} ${to} ${reason}`));

/** True of `isFlow('gateway', 'primary', 'deposit')`, false of `isFlow('gateway', 'profit', 'deposit')`. */
export const isFlow = (from: string, to: string, reason: string): boolean => allowed.has(`${from} ${to} ${reason}`);
