import type { ReactNode } from 'react';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { formatCount } from '../../../ui/format/number.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { kindLabel, walletLabel } from './labels.ts';
import type { StatementFilter } from './statement-filters.ts';
import classes from './statement-print-page.module.css';
import { MAX_PRINTED } from './statement-queries.ts';
import { figuresOf, shownWallets } from './statement-totals.ts';

type TableProps = { label: string; texts: readonly string[]; numbers: readonly string[]; children: ReactNode };

/** Text left, numbers right. */
function Table({ label, texts, numbers, children }: TableProps) {
  return (
    <>
      <h2>{label}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a phone has to be reached with the keyboard */}
      <section className={classes.scroll} aria-label={label} tabIndex={0}>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              {texts.map((text) => (
                <th key={text}>{text}</th>
              ))}
              {numbers.map((number) => (
                <th key={number} data-align="right">
                  {number}
                </th>
              ))}
            </tr>
          </thead>
          {children}
        </table>
      </section>
    </>
  );
}

const Numbers = ({ values }: { values: readonly number[] }) =>
  values.map((value, column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
    <td key={column} data-align="right">
      <Money value={value} />
    </td>
  ));

/** Each wallet from its opening to its closing balance. */
export function WalletTotals({ statement, filter }: { statement: Statement; filter: StatementFilter }) {
  const all = figuresOf(statement, filter.wallet);
  return (
    <>
      <Table label={t`Wallets`} texts={[t`Wallet`]} numbers={[t`Opening`, t`Received`, t`Spent`, t`Closing`]}>
        <tbody>
          {shownWallets(statement, filter.wallet).map(({ wallet, opening, received, spent, closing }) => (
            <tr key={wallet}>
              <td>{walletLabel(wallet)}</td>
              <Numbers values={[opening, received, spent, closing]} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t`Total`}</td>
            <Numbers values={[all.opening, all.received, all.spent, all.closing]} />
          </tr>
        </tfoot>
      </Table>
      <p className={classes.note}>
        {filter.kind === undefined
          ? t`Opening balance plus received, less spent, is the closing balance. A transfer between two of your wallets is spent in one and received in the other.`
          : t`Opening and closing balances include all transactions. Received and spent include only the selected type.`}
      </p>
    </>
  );
}

export function KindTotals({ statement }: { statement: Statement }) {
  if (statement.kinds.length === 0) return null;
  return (
    <Table label={t`By type`} texts={[t`Type`]} numbers={[t`Lines`, t`Received`, t`Spent`]}>
      <tbody>
        {statement.kinds.map(({ kind, movements, received, spent }) => (
          <tr key={kind}>
            <td>{kindLabel(kind)}</td>
            <td data-align="right">{formatCount(movements)}</td>
            <Numbers values={[received, spent]} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{t`Total`}</td>
          <td data-align="right">{formatCount(statement.movements)}</td>
          <Numbers values={[statement.received, statement.spent]} />
        </tr>
      </tfoot>
    </Table>
  );
}

export function Lines({ statement, lines }: { statement: Statement; lines: readonly Movement[] | null }) {
  if (lines === null) {
    return (
      <p className={classes.note} role="status">
        {t`This period has ${formatCount(statement.movements)} lines. A printed statement lists up to ${formatCount(MAX_PRINTED)}. Choose a shorter period, or export all lines as CSV from the transaction history.`}
      </p>
    );
  }
  if (lines.length === 0) return <p className={classes.note}>{t`No transactions in this period.`}</p>;
  return (
    <Table
      label={t`Transactions`}
      texts={[t`Time, UTC`, t`Type`, t`Wallet`, t`Reference`]}
      numbers={[t`Amount`, t`Balance after`]}
    >
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td className={classes.when}>
              {formatDate(line.created_at)}, {formatTime(line.created_at)}
            </td>
            <td>
              {kindLabel(line.kind)}
              {line.note !== null && <small>{line.note}</small>}
            </td>
            <td>{walletLabel(line.wallet)}</td>
            <td>
              <CodeText>{line.reference}</CodeText>
            </td>
            <td data-align="right">
              <SignedMoney value={line.amount} plain />
            </td>
            <td data-align="right">
              <Money value={line.balance_after} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
