import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import classes from './accounts-panel.module.css';
import { type AccountLine, coverPercent, type Solvency } from './cover.ts';
import { accountWords, groupWords } from './labels.ts';
import { SimulatedLabel } from './simulated-label.tsx';

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
                <AccountRow key={account.name} account={account} liabilities={liabilities} />
              ))}
          </tbody>
        ))}
        <tbody>
          <tr className={classes.group}>
            <th scope="rowgroup" colSpan={3}>
              Beside the books
            </th>
          </tr>
          <Line
            name="Exposure not hedged"
            note={
              solvency.simulated
                ? 'simulated: the paper venue fills every order itself'
                : 'open positions that no order at the exchange stands behind'
            }
            amount={solvency.exposure.value}
            liabilities={liabilities}
          />
          {solvency.exposure.assets.map(({ symbol, quantity, value }) => (
            <Line
              key={symbol}
              name={symbol.toUpperCase()}
              note={`${quantity} not hedged`}
              amount={value}
              liabilities={liabilities}
            />
          ))}
          {assets.reported !== null && (
            <Line
              name="Reported assets"
              note="what gateway and exchange say they hold"
              amount={assets.reported}
              liabilities={liabilities}
            />
          )}
          {solvency.held > 0 && (
            <Line
              name="Weeks and months held"
              note="computed, in the pools, paid when the books are found right"
              amount={solvency.held}
              liabilities={liabilities}
            />
          )}
        </tbody>
      </table>
      <Sealed solvency={solvency} />
    </Panel>
  );
}

function AccountRow({ account, liabilities }: { account: AccountLine; liabilities: number }) {
  const words = accountWords[account.name];
  return (
    <Line name={words?.name ?? account.name} note={words?.note} amount={account.amount} liabilities={liabilities} />
  );
}

type LineProps = { name: string; note?: string | undefined; amount: number | null; liabilities: number };

/** An amount that is not known is a dash. */
function Line({ name, note, amount, liabilities }: LineProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        {note && <small>{note}</small>}
      </th>
      <td>
        <Money value={amount} />
      </td>
      <td>
        <Percent value={amount === null ? null : coverPercent(amount, liabilities)} />
      </td>
    </tr>
  );
}

/** The root that every member's balances lead to. */
function Sealed({ solvency: { sealed_at: sealedAt, root } }: { solvency: Solvency }) {
  return (
    <p className={classes.sealed}>
      {sealedAt === null || root === null ? (
        'What members are owed is not sealed yet.'
      ) : (
        <>
          What members are owed was sealed on {formatDateTime(sealedAt)}. Root <code>{root}</code>
        </>
      )}
    </p>
  );
}
