import { Money, Percent } from '../../shared/ui/money.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import classes from './accounts-panel.module.css';
import { type AccountLine, coverPercent, type Solvency } from './cover.ts';
import { SimulatedLabel } from './simulated-label.tsx';
import { accountWords, groupWords } from './words.ts';

/** Every account of the house, and members' by kind, under what they are sums of. */
export function AccountsPanel({ solvency }: { solvency: Solvency }) {
  const { accounts, liabilities, assets, surplus } = solvency;
  const sums: Readonly<Record<string, number>> = { Assets: assets.booked, Owed: liabilities, Surplus: surplus };
  return (
    <Panel title="Accounts" control={<SimulatedLabel simulated={solvency.simulated} />} rule padded={false}>
      <table className={classes.table} aria-label="Accounts">
        <thead>
          <tr>
            <th scope="col">Sum of a ledger account</th>
            <th scope="col">Amount</th>
            <th scope="col">Of what is owed</th>
          </tr>
        </thead>
        {groupWords.map(({ title, groups }) => (
          <tbody key={title}>
            <tr className={classes.group}>
              <th scope="rowgroup">{title}</th>
              <td>
                <Money value={sums[title]} />
              </td>
              <td>
                <Percent value={coverPercent(sums[title] ?? 0, liabilities)} />
              </td>
            </tr>
            {accounts
              .filter(({ group }) => groups.includes(group))
              .map((account) => (
                <Line key={account.name} account={account} liabilities={liabilities} />
              ))}
          </tbody>
        ))}
      </table>
    </Panel>
  );
}

function Line({ account, liabilities }: { account: AccountLine; liabilities: number }) {
  const words = accountWords[account.name];
  return (
    <tr>
      <th scope="row">
        {words?.name ?? account.name}
        {words?.note && <small>{words.note}</small>}
      </th>
      <td>
        <Money value={account.amount} />
      </td>
      <td>
        <Percent value={coverPercent(account.amount, liabilities)} />
      </td>
    </tr>
  );
}
