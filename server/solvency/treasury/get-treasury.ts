import { dollarsOrNull, toDollars } from '#contract/money.ts';
import type { Treasury } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { type BalanceSheet, sumWaitingRewards } from '#server/income/index.ts';
import { listResiduals } from '#server/trading/index.ts';
import type { Holding } from '../core/counted-assets.ts';
import { readCover } from '../get-reported.ts';
import { showAtGateway, showResidual } from '../show-solvency.ts';

const pools = ['pool_weekly', 'pool_monthly', 'pool_rewards'] as const;

/** Gateway and venue assets by the ledger and as reported, house accounts, pools, and residuals. */
export async function getTreasury(context: Context): Promise<Treasury> {
  const { sheet, gateway, venue } = await readCover(context);
  const [rewards, residuals] = await Promise.all([sumWaitingRewards(context.db), listResiduals(context)]);
  const amountOf = (name: string) => toDollars(microsOf(sheet, name));
  return {
    simulated: context.config.mode === 'paper',
    at: context.now().toISOString(),
    gateway: showHolding(gateway),
    venue: showHolding(venue),
    ...(await showAtGateway(context, gateway)),
    unallocated: amountOf('unallocated'),
    fee_revenue: amountOf('fee_revenue'),
    withdrawal_fees: amountOf('withdrawal_fees'),
    venue_result: amountOf('venue_result'),
    gateway_result: amountOf('gateway_result'),
    adjustments: amountOf('adjustments'),
    surplus: toDollars(sheet.surplus),
    pools: pools.map((account) => ({
      account,
      balance: amountOf(account),
      owed: account === 'pool_rewards' ? toDollars(rewards.micros) : null,
    })),
    exposure: residuals.map(showResidual),
  };
}

const microsOf = ({ accounts }: BalanceSheet, name: string): bigint =>
  accounts.find((account) => account.name === name)?.micros ?? 0n;

const showHolding = ({ booked, reported, at }: Holding): Treasury['gateway'] => ({
  booked: toDollars(booked),
  reported: dollarsOrNull(reported),
  reported_at: at?.toISOString() ?? null,
});
