import type { IncomeKind } from '#contract/income.ts';
import { PageTabs } from '../../ui/frame/page-tabs.tsx';
import { incomeWords } from './labels.ts';

const order: readonly IncomeKind[] = [
  'referral',
  'level',
  'trade',
  'weekly',
  'monthly',
  'team_profit',
  'compounding',
  'reward',
];

const pages = order.map((kind) => ({ to: incomeWords[kind].path, label: incomeWords[kind].name }));

/** The pages of all incomes: only the first two are in the sidebar. */
export const IncomeTabs = () => <PageTabs label="Income" pages={pages} />;
