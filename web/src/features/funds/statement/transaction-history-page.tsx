import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowsSort, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Movement } from '#contract/funds/deposits.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { AskAboutIcon } from '../../../ui/forms/ask-about.tsx';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { type Column, DataTable } from '../../../ui/table/data-table.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { MobileRow } from '../../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../../ui/table/use-cursor-paging.ts';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import classes from '../funds.module.css';
import { filterKinds, wordsOfKind } from './kind-labels.ts';
import { OwnDates } from './own-dates.tsx';
import { StatementFigures } from './statement-figures.tsx';
import {
  filterWords,
  periodMistake,
  periodOptions,
  readFilterChoice,
  statementFileName,
  statementFilter,
} from './statement-filters.ts';
import { downloadStatement, movementsQuery, statementQuery } from './statement-queries.ts';
import { shortWalletWords, walletNames, walletWords } from './wallet-labels.ts';

const kindOptions = filterKinds.map((value) => ({ value, label: wordsOfKind(value) }));
const walletOptions = walletNames.map((value) => ({ value, label: walletWords[value] }));

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
  {
    key: 'ask',
    label: <VisuallyHidden>Ask about it</VisuallyHidden>,
    align: 'right',
    width: '56px',
    render: (row) => <AskAboutIcon kind="movement" id={row.id} label={lineWords(row)} />,
  },
];

/** As a query about the line is called: `Trade fee, trade 17`. */
const lineWords = (row: Movement) => `${wordsOfKind(row.kind)}, ${row.reference}`;

function RowOnMobile({ row }: { row: Movement }) {
  return (
    <MobileRow>
      <span>
        <span>
          {wordsOfKind(row.kind)} <AskAboutIcon kind="movement" id={row.id} label={lineWords(row)} />
        </span>
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
    </MobileRow>
  );
}

/** The statement: every movement of the member's ledger accounts, with the balance after each, and what they come to. */
export function TransactionHistoryPage() {
  const [search, setSearch] = useSearchParams();
  const choice = readFilterChoice(search);
  const mistake = periodMistake(choice);
  const filter = statementFilter(choice, new Date());
  const paging = useCursorPaging();
  const movements = useQuery({
    ...movementsQuery({ ...filter, cursor: paging.cursor }),
    enabled: mistake === undefined,
  });
  const { data: statement } = useQuery({ ...statementQuery(filter), enabled: mistake === undefined });
  const words = filterWords(filter);

  const choose = (changes: Record<string, string | undefined>) => {
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
      <PageHead title="Transaction history" facts="Every movement of your money, with the balance after it">
        <Button
          component={Link}
          to={{ pathname: paths.statement, search: search.toString() }}
          variant="default"
          leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />}
        >
          Print statement
        </Button>
      </PageHead>
      <StatementFigures statement={mistake === undefined ? statement : undefined} filter={filter} />
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
              value={choice.kind}
              onChange={(kind) => choose({ kind })}
            />
            <FilterMenu
              label="Wallet"
              allLabel="All wallets"
              options={walletOptions}
              value={choice.wallet}
              onChange={(wallet) => choose({ wallet })}
            />
            <FilterMenu
              label="Period"
              allLabel="All time"
              options={periodOptions}
              value={choice.period}
              onChange={(period) => choose({ period, from: undefined, to: undefined })}
            />
            <FileButton
              fileName={statementFileName(filter)}
              read={(signal) => downloadStatement(filter, signal)}
              disabled={mistake !== undefined || !movements.data?.items.length}
              small
            />
          </>
        }
      >
        {choice.period === 'days' && (
          <OwnDates firstDay={choice.firstDay} lastDay={choice.lastDay} mistake={mistake} onChange={choose} />
        )}
        <DataTable
          label="Transaction history"
          columns={columns}
          rows={movements.data?.items}
          rowKey={(row) => row.id}
          query={movements}
          minHeight={480}
          mobileRow={(row) => <RowOnMobile row={row} />}
          paging={paging.pagingOf(movements.data)}
          filtered={
            words === ''
              ? undefined
              : {
                  title: 'Nothing matches the filters',
                  text: `Only ${words} is shown.`,
                  onClear: () =>
                    choose({ kind: undefined, wallet: undefined, period: undefined, from: undefined, to: undefined }),
                }
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
