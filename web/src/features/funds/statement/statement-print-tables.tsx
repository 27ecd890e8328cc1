import { Fragment, type ReactNode } from 'react';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { formatCount } from '../../../ui/format/number.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import stacked from '../../../ui/table/stacked.module.css';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { kindLabel, walletLabel } from './labels.ts';
import type { StatementFilter } from './statement-filters.ts';
import classes from './statement-print-page.module.css';
import { MAX_PRINTED } from './statement-queries.ts';
import { figuresOf, shownWallets } from './statement-totals.ts';

/** A number is an amount of money. */
type Row = { key: string; cells: readonly ReactNode[] };
type TableProps = {
  label: string;
  texts: readonly string[];
  numbers: readonly string[];
  rows: readonly Row[];
  totals?: readonly ReactNode[];
  /** Another form of its rows on a phone than the first cell with the others below. */
  className?: string | undefined;
};

/** Text left, numbers right. */
function Table({ label, texts, numbers, rows, totals, className = '' }: TableProps) {
  const heads = [...texts, ...numbers];
  const align = (column: number) => (column < texts.length ? undefined : 'right');
  const row = ({ key, cells }: Row) => (
    <tr key={key}>
      {cells.map((cell, column) => (
        <td key={heads[column]} data-label={column === 0 ? undefined : heads[column]} data-align={align(column)}>
          {typeof cell === 'number' ? <Money value={cell} /> : cell}
        </td>
      ))}
    </tr>
  );
  return (
    <>
      <h2>{label}</h2>
      <table className={`${classes.table} ${stacked.stacked} ${className}`} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={head} data-align={align(column)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(row)}</tbody>
        {totals && <tfoot>{row({ key: 'total', cells: [t`Total`, ...totals] })}</tfoot>}
      </table>
    </>
  );
}

/** Each wallet from its opening to its closing balance. */
export function WalletTotals({ statement, filter }: { statement: Statement; filter: StatementFilter }) {
  const all = figuresOf(statement, filter.wallet);
  return (
    <>
      <Table
        label={t`Wallets`}
        texts={[t`Wallet`]}
        numbers={[t`Opening`, t`Received`, t`Spent`, t`Closing`]}
        rows={shownWallets(statement, filter.wallet).map(({ wallet, opening, received, spent, closing }) => ({
          key: wallet,
          cells: [walletLabel(wallet), opening, received, spent, closing],
        }))}
        totals={[all.opening, all.received, all.spent, all.closing]}
      />
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
    <Table
      label={t`By type`}
      texts={[t`Type`]}
      numbers={[t`Lines`, t`Received`, t`Spent`]}
      rows={statement.kinds.map(({ kind, movements, received, spent }) => ({
        key: kind,
        cells: [kindLabel(kind), formatCount(movements), received, spent],
      }))}
      totals={[formatCount(statement.movements), statement.received, statement.spent]}
      className={classes.kinds}
    />
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
      rows={lines.map((line) => ({
        key: line.id,
        cells: [
          <span key="time" className={classes.when}>
            {formatDate(line.created_at)}, {formatTime(line.created_at)}
          </span>,
          <Fragment key="type">
            {kindLabel(line.kind)}
            {line.note !== null && <small>{line.note}</small>}
          </Fragment>,
          walletLabel(line.wallet),
          <CodeText key="reference">{line.reference}</CodeText>,
          <SignedMoney key="amount" value={line.amount} plain />,
          line.balance_after,
        ],
      }))}
      className={classes.lines}
    />
  );
}
