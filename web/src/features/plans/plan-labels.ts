import { minimumTradeDollars } from '#contract/rules.ts';
import type { Plan, PlanStateReason } from '#contract/trading/plan.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import type { PlanEvent } from './queries.ts';

/** Where gains go, in few words. */
export const gainsWords = ({ compounding }: Pick<Plan, 'compounding'>): string =>
  compounding ? 'Gains stay in' : 'Gains to the Profit Wallet';

export const stateReasonWords: Record<PlanStateReason, string> = {
  member: 'by you',
  minimum: 'under the minimum',
  own_limit: 'your own limit',
  asset_off: 'asset switched off',
};

/** Why a paused plan does not trade, and what its member can do about it. */
export function pausedWords({ state_reason, wallet_type }: Plan): { title: string; text: string } | null {
  if (state_reason === null) return null;
  const texts: Record<PlanStateReason, { title: string; text: string }> = {
    member: {
      title: 'You paused this plan',
      text: 'It keeps its money and does not trade. Resume it and it trades again from the next opening on.',
    },
    minimum: {
      title: 'What is left is under the minimum',
      text: `A plan from the ${walletNames[wallet_type]} trades from $${minimumTradeDollars[wallet_type]} on. Redeem it, and the rest goes to your Primary Wallet.`,
    },
    own_limit: {
      title: 'One of your own limits was reached',
      text: 'Your profile shows until when. Then resume the plan, or redeem it now.',
    },
    asset_off: {
      title: 'The asset is switched off',
      text: 'Resume the plan once the asset is traded again, or redeem it now.',
    },
  };
  return texts[state_reason];
}

const eventNames: Record<PlanEvent['kind'], string> = {
  created: 'Created',
  paused: 'Paused',
  resumed: 'Resumed',
  stops_changed: 'Stops changed',
  redeemed: 'Redeemed',
};

/** `Paused, asset switched off`; a reason without words is left out rather than shown as a code. */
export function eventWords({ kind, reason }: PlanEvent): string {
  const because = reason !== null && Object.hasOwn(stateReasonWords, reason);
  return because ? `${eventNames[kind]}, ${stateReasonWords[reason as PlanStateReason]}` : eventNames[kind];
}

/** The one fact of the toast after a plan was created. */
export const createdWords = (plan: Plan): string =>
  `${formatMoney(plan.amount, 'typed')} from the ${walletNames[plan.wallet_type]} works in ${plan.symbol}/usdt`;
