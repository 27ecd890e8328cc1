import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { t } from '../../api/texts.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatBps } from './fees.ts';
import { rankLabels } from './labels.ts';

export type FeeChange = { readonly label: string; readonly now: string; readonly next: string };

const rankNames = Object.values(rankLabels);
const dollars = (amount: number) => formatMoney(amount, 'typed');

/** Every figure of a fee plan with its label, in the order of the page. */
const describeTerms = (terms: FeePlanTerms): readonly (readonly [label: string, words: string])[] => [
  [t`Trade fee`, formatBps(terms.trade_fee_bps)],
  [t`Performance fee`, formatBps(terms.performance_fee_bps)],
  [t`Withdrawal fee`, withdrawalFeeText(terms)],
  ...terms.level_bps.map((bps, index) => [t`Trade fee to level ${index + 1}`, formatBps(bps)] as const),
  [t`Trade fee to the weekly pool`, formatBps(terms.weekly_bps)],
  [t`Trade fee to the monthly pool`, formatBps(terms.monthly_bps)],
  [t`Trade fee to the rewards pool`, formatBps(terms.rewards_bps)],
  ...terms.team_profit_bps.map((bps, index) => [t`Performance fee to level ${index + 1}`, formatBps(bps)] as const),
  [t`Active directs required for weekly income`, String(terms.weekly_min_directs)],
  [t`Weekly pool cap per member`, formatBps(terms.weekly_cap_bps)],
  [t`Leg cap, share of rank volume`, formatBps(terms.leg_cap_bps)],
  ...terms.ranks.flatMap(({ volume, monthly, reward }, index) => {
    const name = rankNames[index] ?? '';
    return [
      [t`${name}: team volume`, dollars(volume)],
      [t`${name}: monthly income, up to`, dollars(monthly)],
      [t`${name}: reward, up to`, dollars(reward)],
    ] as const;
  }),
];

/** `withdrawalFeeText(firstFeePlan) === '1%, at least $1.00'` */
export const withdrawalFeeText = (terms: FeePlanTerms): string =>
  t`${formatBps(terms.withdrawal_fee_bps)}, at least ${dollars(terms.withdrawal_fee_min)}`;

/** The figures in which two fee plans differ, as text. */
export function listChanges(current: FeePlanTerms, next: FeePlanTerms): FeeChange[] {
  const after = describeTerms(next);
  return describeTerms(current).flatMap(([label, now], index) => {
    const words = after[index]?.[1] ?? '–';
    return words === now ? [] : [{ label, now, next: words }];
  });
}
