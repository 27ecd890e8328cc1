import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { percentWords } from './fee-lines.ts';
import { rankWords } from './labels.ts';

export type FeeChange = { readonly label: string; readonly now: string; readonly next: string };

const rankNames = Object.values(rankWords);
const dollars = (amount: number) => formatMoney(amount, 'typed');

/** Every figure of a fee plan with what it is, in the order of the page. */
const describeTerms = (terms: FeePlanTerms): readonly (readonly [label: string, words: string])[] => [
  ['Trade fee', percentWords(terms.trade_fee_bps)],
  ['Performance fee', percentWords(terms.performance_fee_bps)],
  ['Withdrawal fee', withdrawalWords(terms)],
  ...terms.level_bps.map((bps, index) => [`Trade fee to level ${index + 1}`, percentWords(bps)] as const),
  ['Trade fee to the weekly pool', percentWords(terms.weekly_bps)],
  ['Trade fee to the monthly pool', percentWords(terms.monthly_bps)],
  ['Trade fee to the rewards pool', percentWords(terms.rewards_bps)],
  ...terms.team_profit_bps.map((bps, index) => [`Performance fee to level ${index + 1}`, percentWords(bps)] as const),
  ['Active directs for the weekly income', String(terms.weekly_min_directs)],
  ['Most of the weekly pool for one member', percentWords(terms.weekly_cap_bps)],
  ['Most of a rank that one leg counts for', percentWords(terms.leg_cap_bps)],
  ...terms.ranks.flatMap(({ volume, monthly, reward }, index) => {
    const name = rankNames[index];
    return [
      [`${name}: team volume`, dollars(volume)],
      [`${name}: a month, up to`, dollars(monthly)],
      [`${name}: reward, up to`, dollars(reward)],
    ] as const;
  }),
];

/** `withdrawalWords(firstFeePlan) === '1%, at least $1.00'` */
export const withdrawalWords = (terms: FeePlanTerms): string =>
  `${percentWords(terms.withdrawal_fee_bps)}, at least ${dollars(terms.withdrawal_fee_min)}`;

/** What another plan changes, in words; nothing of what stays as it is. */
export function listChanges(current: FeePlanTerms, next: FeePlanTerms): FeeChange[] {
  const after = describeTerms(next);
  return describeTerms(current).flatMap(([label, now], index) => {
    const words = after[index]?.[1] ?? '–';
    return words === now ? [] : [{ label, now, next: words }];
  });
}
