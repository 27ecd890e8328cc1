import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { rankLabels } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatMonth } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { coverageText } from './income-page.tsx';
import { MiniTable } from './mini-table.tsx';

type MonthlyRanksProps = Pick<DataOf<typeof income.listMonthly>, 'ranks' | 'coverages'>;

/** The maximum monthly income of each rank, always with what the last months paid of it. */
export const MonthlyRanks = ({ ranks, coverages }: MonthlyRanksProps) => (
  <Panel title={t`Monthly income by rank`}>
    <MiniTable
      label={t`Monthly income by rank`}
      head={[t`Rank`, t`Counted volume`, t`Up to`]}
      rows={ranks.map(({ rank, required, up_to: upTo }) => ({
        key: rank,
        cells: [rankLabels[rank], formatMoney(required, 2), formatMoney(upTo, 2)],
      }))}
    />
    <Note maw={640} mt="sm">
      {t`Never more than your contributed part: what your team’s trade fees contributed to the pool, split evenly between all members with a rank above each trader.`}{' '}
      {coveragesText(coverages)}
    </Note>
  </Panel>
);

/** `Coverage paid: March 2026 82.46%, February 2026 100%.` */
function coveragesText(coverages: MonthlyRanksProps['coverages']): string {
  if (coverages.length === 0) return t`No month has paid yet.`;
  const months = coverages.map(({ period, coverage }) => `${formatMonth(period)} ${coverageText(coverage)}`);
  return t`Coverage paid: ${months.join(', ')}.`;
}
