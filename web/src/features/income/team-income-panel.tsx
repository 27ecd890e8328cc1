import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { incomeWords, teamKinds } from '../../entities/income/labels.ts';
import { earningsQuery } from '../../entities/income/queries.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StaleLine, TableError } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './team-income-panel.module.css';

/** What came in as shares of fees, in short, with the way to the statement. */
export function TeamIncomePanel() {
  const query = useQuery(earningsQuery);
  const earnings = query.data;
  return (
    <Panel
      title="Team income"
      control={<TextLink to={paths.payout}>Statement</TextLink>}
      padded={false}
      foot={
        earnings &&
        `Today ${formatMoney(earnings.team.today)}, this week ${formatMoney(earnings.team.week)}. Shares of fees that were collected before.`
      }
    >
      {earnings && query.isError && <StaleLine query={query} />}
      {!earnings && query.isError ? (
        <TableError query={query} />
      ) : (
        <table className={classes.table} aria-label="Team income" aria-busy={earnings === undefined || undefined}>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Month</th>
              <th scope="col">Lifetime</th>
            </tr>
          </thead>
          <tbody>
            {teamKinds.map((kind) => {
              const sums = earnings?.kinds.find((entry) => entry.kind === kind);
              return (
                <tr key={kind}>
                  <th scope="row">
                    <Link to={incomeWords[kind].path}>{incomeWords[kind].name}</Link>
                  </th>
                  <td>
                    <Money value={sums?.month} />
                  </td>
                  <td>
                    <Money value={sums?.lifetime} />
                  </td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td>
                <Money value={earnings?.team.month} />
              </td>
              <td>
                <Money value={earnings?.team.lifetime} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </Panel>
  );
}
