import { Text } from '@mantine/core';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatMonth } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { coverageText } from './coverage.tsx';
import { rankWords } from './labels.ts';
import classes from './monthly-ranks.module.css';

type MonthlyRanksProps = Pick<DataOf<typeof income.listMonthly>, 'ranks' | 'coverages'>;

/** What each rank can get of a month at most, always with what the last months really paid of it. */
export function MonthlyRanks({ ranks, coverages }: MonthlyRanksProps) {
  return (
    <Panel title="Monthly income by rank">
      <div className={classes.scroll}>
        <table className={classes.table} aria-label="Monthly income by rank">
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col">Team volume of a month</th>
              <th scope="col">Up to</th>
            </tr>
          </thead>
          <tbody>
            {ranks.map(({ rank, required, up_to: upTo }) => (
              <tr key={rank}>
                <th scope="row">{rankWords[rank]}</th>
                <td>{formatMoney(required, 2)}</td>
                <td>{formatMoney(upTo, 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Text maw={640} mt={12} c="dimmed" fz="xs" lh="16px">
        Never more than what the rank’s own volume put into the pool. If the pool is short, all are scaled by the same
        factor. {coverageWords(coverages)}
      </Text>
    </Panel>
  );
}

/** `Paid of it: March 2026 82.46%, February 2026 100%.` */
function coverageWords(coverages: MonthlyRanksProps['coverages']): string {
  if (coverages.length === 0) return 'No month has paid yet.';
  const months = coverages.map(({ period, coverage }) => `${formatMonth(period)} ${coverageText(coverage)}`);
  return `Paid of it: ${months.join(', ')}.`;
}
