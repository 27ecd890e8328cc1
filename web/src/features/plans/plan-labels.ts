import { minimumTradeDollars } from '#contract/rules.ts';
import type { Plan, PlanStateReason } from '#contract/trading/plan.ts';
import { t } from '../../api/texts.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import type { PlanEvent } from './queries.ts';

/** What happens to gains, in short. */
export const gainsText = ({ compounding }: Pick<Plan, 'compounding'>): string =>
  compounding ? t`Gains reinvested` : t`Gains to Profit Wallet`;

export const stateReasonLabels: Record<PlanStateReason, string> = {
  member: t`by you`,
  minimum: t`below the minimum`,
  own_limit: t`self-imposed limit`,
  asset_off: t`asset not tradable`,
  over_asset_limit: t`over the asset’s limit`,
};

/** Why a paused or skipping plan does not trade, and what the member can do about it. */
export function pausedText({ state_reason, wallet_type }: Plan): { title: string; text: string } | null {
  if (state_reason === null) return null;
  const texts: Record<PlanStateReason, { title: string; text: string }> = {
    member: {
      title: t`You paused this plan`,
      text: t`The plan keeps its money and does not trade. Resume it to trade again from the next session.`,
    },
    minimum: {
      title: t`The plan is below the minimum`,
      text: t`A plan from the ${walletNames[wallet_type]} needs at least $${minimumTradeDollars[wallet_type]}. Redeem it to move the rest to your Primary Wallet.`,
    },
    own_limit: {
      title: t`Your daily loss limit or a pause stopped the plan`,
      text: t`Your profile shows when it ends. Resume the plan after that, or redeem it now.`,
    },
    asset_off: {
      title: t`This asset is not tradable`,
      text: t`Resume the plan once the asset is tradable again, or redeem it now.`,
    },
    over_asset_limit: {
      title: t`The plan skips this session`,
      text: t`Its amount is over the limits of this asset. The plan tries again at the next opening; the fees page shows the limits.`,
    },
  };
  return texts[state_reason];
}

const eventNames: Record<PlanEvent['kind'], string> = {
  created: t`Created`,
  paused: t`Paused`,
  resumed: t`Resumed`,
  stops_changed: t`Stops changed`,
  redeemed: t`Redeemed`,
  skipped: t`Session skipped`,
};

/** `Paused, asset switched off`; a reason without a label is omitted rather than shown as a code. */
export function eventText({ kind, reason }: PlanEvent): string {
  const because = reason !== null && Object.hasOwn(stateReasonLabels, reason);
  return because ? `${eventNames[kind]}, ${stateReasonLabels[reason as PlanStateReason]}` : eventNames[kind];
}

/** The toast after a plan was created. */
export const createdText = (plan: Plan): string =>
  t`${formatMoney(plan.amount, 'typed')} from the ${walletNames[plan.wallet_type]} invested in ${plan.symbol}/usdt`;
