import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowsSort, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import { movementKinds, wordsOfKind } from '#contract/ledger-reasons.ts';
import { periodMistake } from '../../../ui/format/period.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { AskAboutIcon } from '../../../ui/forms/ask-about.tsx';
import { DateRange } from '../../../ui/forms/date-range.tsx';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { type Column, DataTable } from '../../../ui/table/data-table.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { MobileRow } from '../../../ui/table/mobile-row.tsx';
import { useAddressFilter } from '../../../ui/table/use-address-filter.ts';
import { useCursorPaging } from '../../../ui/table/use-cursor-paging.ts';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { When } from '../../../ui/text/when.tsx';
import { Quiet } from '../../../ui/text/words.tsx';
import {
  filterWords,
  periodOptions,
  readFilterChoice,
  type StatementFilter,
  statementFileName,
  statementFilter,
} from './statement-filters.ts';
import { downloadStatement, movementsQuery, statementQuery } from './statement-queries.ts';
import { figuresOf } from './statement-totals.ts';
import { shortWalletWords, walletNames, walletWords } from './wallet-labels.ts';

const kindOptions = movementKinds.map((value) => ({ value, label: wordsOfKind(value) }));
const walletOptions = walletNames.map((value) => ({ value, label: walletWords[value] }));

const columns: readonly Column<Movement>[] = [
  { key: 'when', label: 'When, UTC', render: (row) => <When at={row.created_at} /> },
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
  { key: 'wallet', label: 'Wallet', render: (row) => <Quiet>{walletWords[row.wallet]}</Quiet> },
  {
    key: 'reference',
    label: 'Reference',
    render: (row) => (
      <Quiet>
        <CodeText>{row.reference}</CodeText>
      </Quiet>
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
          {formatDateTime(row.created_at)} · {shortWalletWords[row.wallet]}
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
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const choice = readFilterChoice(search);
  const mistake = periodMistake(choice.firstDay, choice.lastDay);
  const filter = statementFilter(choice, new Date());
  const movements = useQuery({
    ...movementsQuery({ ...filter, cursor: paging.cursor }),
    enabled: mistake === undefined,
  });
  const { data: statement } = useQuery({ ...statementQuery(filter), enabled: mistake === undefined });
  const words = filterWords(filter);

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
        controlBelow
        control={
          <>
            <FilterMenu
              label="Kind"
              allLabel="All kinds"
              options={kindOptions}
              value={choice.kind}
              onChange={(kind) => change({ kind })}
            />
            <FilterMenu
              label="Wallet"
              allLabel="All wallets"
              options={walletOptions}
              value={choice.wallet}
              onChange={(wallet) => change({ wallet })}
            />
            <FilterMenu
              label="Period"
              allLabel="All time"
              options={periodOptions}
              value={choice.period}
              onChange={(period) => change({ period, from: undefined, to: undefined })}
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
          <DateRange
            labels={['From, UTC', 'To, UTC']}
            from={choice.firstDay}
            to={choice.lastDay}
            mistake={mistake}
            onChange={change}
          />
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
                    change({ kind: undefined, wallet: undefined, period: undefined, from: undefined, to: undefined }),
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

type StatementFiguresProps = { statement: Statement | undefined; filter: StatementFilter };

/** From the opening to the closing balance of what is shown. */
function StatementFigures({ statement, filter: { kind, wallet } }: StatementFiguresProps) {
  const figures = statement && figuresOf(statement, wallet);
  const where = wallet === undefined ? 'all your wallets' : walletWords[wallet];
  const sumsOf = kind === undefined ? 'between own wallets counts too' : `only “${wordsOfKind(kind)}”`;
  return (
    <FigureStrip>
      <Figure label="Opening balance" foot={where}>
        <Money value={figures?.opening} />
      </Figure>
      <Figure label="Received" foot={sumsOf}>
        <Money value={figures?.received} />
      </Figure>
      <Figure label="Spent" foot={sumsOf}>
        <Money value={figures?.spent} />
      </Figure>
      <Figure label="Closing balance" foot={where}>
        <Money value={figures?.closing} />
      </Figure>
    </FigureStrip>
  );
}
