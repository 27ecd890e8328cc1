import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { type AccountLine, coverPercent, type Solvency } from './cover.ts';
import { accountLabels, groupLabels } from './labels.ts';
import classes from './solvency.module.css';

export function AccountsPanel({ solvency }: { solvency: Solvency }) {
  const { accounts, liabilities, assets, surplus } = solvency;
  const sums = { assets: assets.booked, liabilities, surplus };
  return (
    <Panel title={t`Accounts`} control={solvency.simulated && <ModeNote>{t`Simulated`}</ModeNote>} rule padded={false}>
      <table className={classes.table} aria-label={t`Accounts`}>
        <thead>
          <tr>
            <th scope="col">{t`Ledger account`}</th>
            <th scope="col">{t`Amount`}</th>
            <th scope="col">{t`Of liabilities`}</th>
          </tr>
        </thead>
        {groupLabels.map(({ sum, title, groups }) => (
          <tbody key={title}>
            <tr className={classes.group}>
              <th scope="rowgroup">{title}</th>
              <td>
                <Money value={sums[sum]} />
              </td>
              <td>
                <Percent value={coverPercent(sums[sum], liabilities)} />
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
            <th scope="rowgroup" colSpan={3}>{t`Outside the ledger`}</th>
          </tr>
          <Line
            name={t`Residual`}
            note={
              solvency.simulated && solvency.residuals.length === 0
                ? t`simulated: the paper venue fills every order itself`
                : t`coins at the exchange beyond members’ positions, or missing`
            }
            amount={solvency.exposure}
            liabilities={liabilities}
          />
          {solvency.residuals.map(({ symbol, quantity, value }) => (
            <Line
              key={symbol}
              name={symbol.toUpperCase()}
              note={t`${quantity.replace('-', '−')} coins`}
              amount={value}
              liabilities={liabilities}
            />
          ))}
          {assets.reported !== null && (
            <Line
              name={t`Reported assets`}
              note={t`as reported by gateway and exchange`}
              amount={assets.reported}
              liabilities={liabilities}
            />
          )}
          {solvency.held > 0 && (
            <Line
              name={t`Income on hold`}
              note={t`weekly and monthly income in the pools, paid once reconciliation passes`}
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
  const words = accountLabels[account.name];
  return (
    <Line name={words?.name ?? account.name} note={words?.note} amount={account.amount} liabilities={liabilities} />
  );
}

type LineProps = { name: string; note?: string | undefined; amount: number | null; liabilities: number };

function Line({ name, note, amount, liabilities }: LineProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        {note && <small> {note}</small>}
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

function Sealed({ solvency: { sealed_at: sealedAt, root } }: { solvency: Solvency }) {
  return (
    <p className={classes.sealed}>
      {sealedAt === null || root === null ? (
        t`No proof of liabilities yet.`
      ) : (
        <Trans
          text={t`Proof of liabilities of ${formatDateTime(sealedAt)}. Root <code>${root}</code>`}
          code={(inner) => <code>{inner}</code>}
        />
      )}
    </p>
  );
}
