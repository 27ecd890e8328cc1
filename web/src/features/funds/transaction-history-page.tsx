import { Button } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Movement } from '#contract/funds.ts';
import { formatDate, formatTime } from '../../shared/format/time.ts';
import { paths } from '../../shared/paths.ts';
import { CodeText } from '../../shared/ui/code-text.tsx';
import { CsvButton } from '../../shared/ui/csv-button.tsx';
import { type Column, DataTable } from '../../shared/ui/data-table.tsx';
import { FilterMenu } from '../../shared/ui/filter-menu.tsx';
import { Money, SignedMoney } from '../../shared/ui/money.tsx';
import { PageHead } from '../../shared/ui/page-head.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { useCursorPaging } from '../../shared/ui/use-cursor-paging.ts';
import classes from './funds.module.css';
import { filterKinds, wordsOfKind } from './kind-words.ts';
import { movementsQuery } from './queries.ts';
import { filterWords, periodOptions, periodStart } from './statement-filters.ts';
import { shortWalletWords, walletWords } from './wallet-words.ts';

const kindOptions = filterKinds.map((value) => ({ value, label: wordsOfKind(value) }));
const walletOptions = (['primary', 'profit', 'in_trades'] as const).map((value) => ({
  value,
  label: walletWords[value],
}));

/** A value of the address, if it is one of the options: anything else is no filter. */
const chosen = <T extends string>(options: readonly { value: T }[], given: string | null): T | undefined =>
  options.find((option) => option.value === given)?.value;

const columns: readonly Column<Movement>[] = [
  {
    key: 'when',
    label: 'When, UTC',
    render: (row) => (
      <span className={classes.when}>
        {formatDate(row.created_at)}, {formatTime(row.created_at)}
      </span>
    ),
  },
  {
    key: 'kind',
    label: 'What',
    render: (row) => (
      <>
        {wordsOfKind(row.kind)}
        {row.note !== null && <small>{row.note}</small>}
      </>
    ),
  },
  { key: 'wallet', label: 'Wallet', render: (row) => <span className={classes.quiet}>{walletWords[row.wallet]}</span> },
  {
    key: 'reference',
    label: 'Reference',
    render: (row) => (
      <span className={classes.quiet}>
        <CodeText>{row.reference}</CodeText>
      </span>
    ),
  },
  { key: 'amount', label: 'Amount', align: 'right', render: (row) => <SignedMoney value={row.amount} plain /> },
  { key: 'balance', label: 'Balance after', align: 'right', render: (row) => <Money value={row.balance_after} /> },
];

function NarrowRow({ row }: { row: Movement }) {
  return (
    <div className={classes.row}>
      <span>
        {wordsOfKind(row.kind)}
        <SignedMoney value={row.amount} plain />
      </span>
      <span>
        <small>
          {formatDate(row.created_at)}, {formatTime(row.created_at)} UTC · {shortWalletWords[row.wallet]}
        </small>
        <small>
          then <Money value={row.balance_after} />
        </small>
      </span>
      {row.note !== null && <small>{row.note}</small>}
    </div>
  );
}

const csvHead = ['When', 'What', 'Wallet', 'Amount', 'Balance after', 'Reference', 'Note'];
const csvRow = (row: Movement) => [
  row.created_at,
  wordsOfKind(row.kind),
  walletWords[row.wallet],
  row.amount,
  row.balance_after,
  row.reference,
  row.note,
];

/** The statement: every movement of the member's ledger accounts, with the balance after each. */
export function TransactionHistoryPage() {
  const [search, setSearch] = useSearchParams();
  const kind = chosen(kindOptions, search.get('kind'));
  const wallet = chosen(walletOptions, search.get('wallet'));
  const period = chosen(periodOptions, search.get('period'));
  const from = period && periodStart(period, new Date());
  const paging = useCursorPaging();
  const movements = useQuery(movementsQuery({ kind, wallet, from, cursor: paging.cursor }));
  const rows = movements.data?.items;

  const filter = (changes: Record<string, string | undefined>) => {
    paging.reset();
    setSearch(
      (now) => {
        for (const [name, value] of Object.entries(changes)) {
          now.delete(name);
          if (value !== undefined) now.set(name, value);
        }
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  };

  return (
    <>
      <PageHead title="Transaction history" facts="Every movement of your money, with the balance after it" />
      <Panel
        title="Statement"
        rule
        padded={false}
        className={classes.statement}
        control={
          <>
            <FilterMenu
              label="Kind"
              allLabel="All kinds"
              options={kindOptions}
              value={kind}
              onChange={(next) => filter({ kind: next })}
            />
            <FilterMenu
              label="Wallet"
              allLabel="All wallets"
              options={walletOptions}
              value={wallet}
              onChange={(next) => filter({ wallet: next })}
            />
            <FilterMenu
              label="Period"
              allLabel="All time"
              options={periodOptions}
              value={period}
              onChange={(next) => filter({ period: next })}
            />
            <CsvButton fileName="transactions.csv" head={csvHead} rows={rows?.map(csvRow)} />
          </>
        }
      >
        <DataTable
          label="Transaction history"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          query={movements}
          minHeight={480}
          renderNarrow={(row) => <NarrowRow row={row} />}
          paging={paging.pagingOf(movements.data)}
          filtered={
            kind || wallet || period
              ? {
                  title: 'Nothing matches the filters',
                  text: `Only ${filterWords({
                    kind: kind && wordsOfKind(kind),
                    wallet: wallet && walletWords[wallet],
                    from,
                  })} is shown.`,
                  onClear: () => filter({ kind: undefined, wallet: undefined, period: undefined }),
                }
              : undefined
          }
          empty={{
            icon: <IconArrowsSort size={20} stroke={1.5} />,
            title: 'No movements yet',
            text: 'Deposits, trades and fees are listed here with the balance after each.',
            action: (
              <Button component={Link} to={paths.deposit} variant="default">
                Deposit
              </Button>
            ),
          }}
        />
      </Panel>
    </>
  );
}
