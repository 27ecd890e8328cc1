import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { rateWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatPercent } from '../../ui/format/percent.ts';
import { formatDays } from '../../ui/format/time.ts';
import { Money } from '../../ui/text/money.tsx';
import { countOf, reasonWords } from './labels.ts';
import { MiniTable } from './mini-table.tsx';
import { weekQuery } from './queries.ts';
import { Source, SourceSection } from './source.tsx';
import { heldStep, paidNote, type Step, Steps } from './steps.tsx';
import { TransferList } from './transfer-list.tsx';

type ExplainedWeek = DataOf<typeof income.explainWeek>;

/** A week from the fees of all members down to the member's own part. */
export function WeekSource({ id }: { id: string }) {
  const query = useQuery(weekQuery(id));
  return (
    <Source query={query} data={query.data}>
      {(week) => (
        <>
          <SourceSection title="Where this came from">
            <Steps steps={stepsOf(week)} foot="A week without trade fees pays nothing." />
          </SourceSection>
          <SourceSection title="Your team volume by level">
            <MiniTable
              label="Your team volume by level"
              head={['Level', 'Volume', 'Part']}
              rows={week.levels.map(({ level, volume }) => ({
                key: String(level),
                cells: [level, <Money key="volume" value={volume} decimals={2} />, partOf(volume, week.line.volume)],
              }))}
            />
          </SourceSection>
          <TransferList transfers={week.transfers} isHeld={week.line.held} />
        </>
      )}
    </Source>
  );
}

/** `partOf(1, 8) === '12.50%'`; of nothing there is no part. */
const partOf = (part: number, whole: number, decimals: 2 | 4 = 2): string =>
  formatPercent(whole === 0 ? null : (part / whole) * 100, { decimals });

function stepsOf(week: ExplainedWeek): Step[] {
  const { line, filled, carried } = week;
  return [
    {
      title: `Trade fees of all members, ${formatDays(line.from, line.to)}`,
      value: <Money value={week.trade_fees} />,
      note: `${countOf(week.sessions, 'session')}, ${formatMoney(week.trade_volume, 2)} traded`,
    },
    {
      title: `${week.trade_fees === 0 ? 'None' : partOf(filled, week.trade_fees)} of them went into the weekly pool`,
      value: <Money value={filled} />,
      note:
        carried === 0
          ? 'nothing was left over from the weeks before'
          : `${formatMoney(carried)} was left over from the weeks before: ${formatMoney(line.pool)} in the pool`,
    },
    ownPart(week),
    paidStep(week),
  ];
}

function ownPart({ line, cap, capped }: ExplainedWeek): Step {
  if (line.reason !== null) {
    return { title: 'You did not qualify', value: '–', note: reasonWords[line.reason].sentence };
  }
  const limit = rateWords(cap);
  return {
    title: 'Your part of the qualifying volume',
    value: partOf(line.volume, line.qualifying_volume, 4),
    note: `${formatMoney(line.volume, 2)} of ${formatMoney(line.qualifying_volume, 2)}; ${
      capped ? `over the limit: one member gets at most ${limit} of the pool` : `under the limit of ${limit}`
    }`,
  };
}

function paidStep({ line }: ExplainedWeek): Step {
  if (line.paid === 0) return { title: 'Nothing was paid', value: <Money value={0} /> };
  if (line.held) return heldStep(<Money value={line.paid} />);
  return {
    title: 'Paid into your Profit Wallet',
    value: <Money value={line.paid} />,
    note: paidNote(line),
  };
}
