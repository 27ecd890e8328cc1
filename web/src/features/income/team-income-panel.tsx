import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { incomeLabels, teamKinds } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { QueryFault } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { MiniTable } from './mini-table.tsx';
import { earningsQuery } from './queries.ts';

/** Shares of fees in short, with a link to the statement. */
export function TeamIncomePanel() {
  const query = useQuery(earningsQuery);
  const earnings = query.data;
  const cellsOf = (totals: { month: number; lifetime: number } | undefined) => [
    <Money key="month" value={totals?.month} />,
    <Money key="lifetime" value={totals?.lifetime} />,
  ];
  return (
    <Panel
      title={t`Team income`}
      control={<TextLink to={paths.payout}>{t`View statement`}</TextLink>}
      foot={
        earnings &&
        t`Today ${formatMoney(earnings.team.today)}, this week ${formatMoney(earnings.team.week)}. Paid from collected fees.`
      }
    >
      <QueryFault isList={false} query={query} />
      {(earnings || !query.isError) && (
        <MiniTable
          label={t`Team income`}
          isLoading={earnings === undefined}
          head={[t`Income`, t`This month`, t`Lifetime`]}
          rows={teamKinds.map((kind) => ({
            key: kind,
            cells: [
              <TextLink key="kind" to={incomeLabels[kind].path}>
                {incomeLabels[kind].name}
              </TextLink>,
              ...cellsOf(earnings?.kinds.find((entry) => entry.kind === kind)),
            ],
          }))}
          totals={[t`Total`, ...cellsOf(earnings?.team)]}
        />
      )}
    </Panel>
  );
}
