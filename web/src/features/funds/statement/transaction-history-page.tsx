import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowsSort, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Movement, Statement } from '#contract/funds/deposits.ts';
import type { StatementWallet } from '#contract/ledger-reasons.ts';
import { movementKinds } from '#contract/ledger-reasons.ts';
import { plural, t } from '../../../api/texts.ts';
import { formatMoney, sumDollars } from '../../../ui/format/number.ts';
import { periodError } from '../../../ui/format/period.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { AskAboutIcon } from '../../../ui/forms/ask-about.tsx';
import { DateRange } from '../../../ui/forms/date-field.tsx';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { column, rightColumn } from '../../../ui/table/columns.tsx';
import {
  Cells,
  type Column,
  DataTable,
  MobileRow,
  TableFrame,
  useCursorPaging,
} from '../../../ui/table/data-table.tsx';
import { arrived } from '../../../ui/table/data-table-states.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { useAddressFilter } from '../../../ui/table/use-address-filter.ts';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { CodeText, Quiet, When } from '../../../ui/text/text.tsx';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { kindLabel, walletLabel, walletNames } from './labels.ts';
import {
  filterText,
  periodOptions,
  readFilterChoice,
  type StatementFilter,
  statementFileName,
  statementFilter,
} from './statement-filters.ts';
import { downloadStatement, movementsQuery, statementQuery } from './statement-queries.ts';
import { figuresOf } from './statement-totals.ts';

const kindOptions = movementKinds.map((value) => ({ value, label: kindLabel(value) }));
const walletOptions = walletNames.map((value) => ({ value, label: walletLabel(value) }));

/** Links to a query about a line, with the line's own name: `Trade fee, trade 17`. */
const Ask = ({ line, title = kindLabel(line.kind) }: { line: Movement; title?: string }) => (
  <AskAboutIcon kind="movement" id={line.id} label={`${title}, ${line.reference}`} />
);

const askHead = { key: 'ask', label: <VisuallyHidden>{t`Ask about it`}</VisuallyHidden>, align: 'right' } as const;

const columns: readonly Column<Operation>[] = [
  column(t`Time, UTC`, ({ lines: [line] }) => <When at={line.created_at} />),
  column(t`Type`, ({ title, lines }) => (
    <>
      {title}
      {detailsOf(lines).map((detail) => (
        <small key={detail}>{detail}</small>
      ))}
    </>
  )),
  column(t`Wallet`, ({ wallets }) => <Quiet>{wallets}</Quiet>),
  column(t`Reference`, ({ lines: [line] }) => (
    <Quiet>
      <CodeText>{line.reference}</CodeText>
    </Quiet>
  )),
  rightColumn(t`Amount`, ({ amount }) => <SignedMoney value={amount} plain />),
  rightColumn(t`Balance after`, ({ balanceAfter }) => balanceAfter !== null && <Money value={balanceAfter} />),
  { ...askHead, width: '56px', render: ({ title, lines: [line] }) => <Ask line={line} title={title} /> },
];

/** The number of lines, if several, and the operators' notes. */
const detailsOf = (lines: Operation['lines']): string[] => [
  ...(lines.length > 1 ? [plural(lines.length, { one: '# line', other: '# lines' })] : []),
  ...new Set(lines.flatMap(({ note }) => note ?? [])),
];

const RowOnMobile = ({ operation: { title, lines, amount, wallets, balanceAfter } }: { operation: Operation }) => (
  <MobileRow>
    <span>
      <span>
        {title} <Ask line={lines[0]} title={title} />
      </span>
      <SignedMoney value={amount} plain />
    </span>
    <span>
      <small>{formatDateTime(lines[0].created_at)}</small>
      <small>{balanceAfter !== null && t`Balance ${formatMoney(balanceAfter)}`}</small>
    </span>
    <small>
      {wallets} · <CodeText>{lines[0].reference}</CodeText>
    </small>
    {detailsOf(lines).map((detail) => (
      <small key={detail}>{detail}</small>
    ))}
  </MobileRow>
);

const lineColumns: readonly Column<Movement>[] = [
  column(t`Type`, (line) => kindLabel(line.kind)),
  column(t`Wallet`, (line) => <Quiet>{walletLabel(line.wallet)}</Quiet>),
  rightColumn(t`Amount`, (line) => <SignedMoney value={line.amount} plain />),
  rightColumn(t`Balance after`, (line) => <Money value={line.balance_after} />),
  { ...askHead, width: '56px', render: (line) => <Ask line={line} /> },
];

/** The lines of an operation, each with the balance of its wallet after it. */
function Lines({ operation: { title, lines } }: { operation: Operation }) {
  const narrow = useNarrow();
  const label = t`Lines of ${title}`;
  if (!narrow) {
    return (
      <TableFrame label={label} columns={lineColumns} dense>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <Cells columns={lineColumns} row={line} />
            </tr>
          ))}
        </tbody>
      </TableFrame>
    );
  }
  return (
    <Rows aria-label={label}>
      {lines.map((line) => (
        <li key={line.id}>
          <MobileRow>
            <span>
              <span>
                {kindLabel(line.kind)} <Ask line={line} />
              </span>
              <SignedMoney value={line.amount} plain />
            </span>
            <span>
              <small>{walletLabel(line.wallet)}</small>
              <small>{t`Balance ${formatMoney(line.balance_after)}`}</small>
            </span>
          </MobileRow>
        </li>
      ))}
    </Rows>
  );
}

/** The statement: every operation on the member's wallets, its lines with the balance after each, and the totals. */
export function TransactionHistoryPage() {
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const choice = readFilterChoice(search);
  const error = periodError(choice.firstDay, choice.lastDay);
  const filter = statementFilter(choice, new Date());
  const movements = useQuery({
    ...movementsQuery({ ...filter, cursor: paging.cursor }),
    enabled: error === undefined,
  });
  const { data: statement } = useQuery({ ...statementQuery(filter), enabled: error === undefined });
  const operations = movements.data && groupOperations(movements.data.items);
  const words = filterText(filter);

  return (
    <>
      <PageHead title={t`Transaction history`} facts={t`Every transaction, with the balance after it.`}>
        <Button
          component={Link}
          to={{ pathname: paths.statement, search: search.toString() }}
          variant="default"
          leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />}
        >
          {t`Print statement`}
        </Button>
      </PageHead>
      <StatementFigures statement={error === undefined ? statement : undefined} filter={filter} />
      <Panel
        title={t`Statement`}
        rule
        padded={false}
        controlBelow
        control={
          <>
            <FilterMenu
              label={t`Type`}
              allLabel={t`All types`}
              options={kindOptions}
              value={choice.kind}
              onChange={(kind) => change({ kind })}
            />
            <FilterMenu
              label={t`Wallet`}
              allLabel={t`All wallets`}
              options={walletOptions}
              value={choice.wallet}
              onChange={(wallet) => change({ wallet })}
            />
            <FilterMenu
              label={t`Period`}
              allLabel={t`All time`}
              options={periodOptions}
              value={choice.period}
              onChange={(period) => change({ period, from: undefined, to: undefined })}
            />
            <FileButton
              fileName={statementFileName(filter)}
              read={(signal) => downloadStatement(filter, signal)}
              disabled={error !== undefined || !operations?.length}
              small
            />
          </>
        }
      >
        {choice.period === 'days' && (
          <DateRange
            labels={[t`From, UTC`, t`To, UTC`]}
            from={choice.firstDay}
            to={choice.lastDay}
            error={error}
            onChange={change}
          />
        )}
        <DataTable
          label={t`Transaction history`}
          columns={columns}
          rows={error === undefined ? operations : []}
          rowKey={(operation) => operation.id}
          query={error === undefined ? movements : arrived}
          minHeight={480}
          mobileRow={(operation) => <RowOnMobile operation={operation} />}
          expandable={{
            label: ({ title, lines: [line] }) => t`Lines of ${title}, ${line.reference}`,
            opens: ({ lines }) => lines.length > 1,
            render: (operation) => <Lines operation={operation} />,
          }}
          paging={paging.pagingOf(
            operations && { items: operations, next_cursor: movements.data?.next_cursor ?? null },
          )}
          filtered={
            words !== '' && {
              title: t`No transactions match the filters`,
              text: error ?? t`Showing only ${words}.`,
              onClear: () =>
                change({ kind: undefined, wallet: undefined, period: undefined, from: undefined, to: undefined }),
            }
          }
          empty={{
            icon: IconArrowsSort,
            title: t`No transactions yet`,
            text: t`Deposits, trades and fees are listed here with the balance after each.`,
            action: (
              <Button component={Link} to={paths.deposit} variant="default">
                {t`Make a deposit`}
              </Button>
            ),
          }}
        />
      </Panel>
    </>
  );
}

type StatementFiguresProps = { statement: Statement | undefined; filter: StatementFilter };

/** From the opening to the closing balance of the selection. */
function StatementFigures({ statement, filter: { kind, wallet } }: StatementFiguresProps) {
  const figures = statement && figuresOf(statement, wallet);
  const where = wallet === undefined ? t`All wallets` : walletLabel(wallet);
  const sumsOf = kind === undefined ? t`Includes transfers between your wallets` : t`Only “${kindLabel(kind)}”`;
  return (
    <FigureStrip>
      <Figure label={t`Opening balance`} foot={where}>
        <Money value={figures?.opening} />
      </Figure>
      <Figure label={t`Received`} foot={sumsOf}>
        <Money value={figures?.received} />
      </Figure>
      <Figure label={t`Spent`} foot={sumsOf}>
        <Money value={figures?.spent} />
      </Figure>
      <Figure label={t`Closing balance`} foot={where}>
        <Money value={figures?.closing} />
      </Figure>
    </FigureStrip>
  );
}

/** The lines posted by one operation: a placed trade has two, a settled one up to five. */
type Operation = {
  id: string;
  title: string;
  /** Newest first, as in the statement. */
  lines: readonly [Movement, ...Movement[]];
  /** Of the named wallets. */
  amount: number;
  wallets: string;
  /** Of the named wallet; null where there are two. */
  balanceAfter: number | null;
};

/** Lines of one operation are adjacent and share reference and time. */
export function groupOperations(lines: readonly Movement[]): Operation[] {
  const groups: [Movement, ...Movement[]][] = [];
  for (const line of lines) {
    const [first] = groups.at(-1) ?? [];
    if (first?.reference === line.reference && first.created_at === line.created_at) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups.map(toOperation);
}

/**
 * A transfer between two wallets sums to zero, so an operation shows its effect on the wallets nearest to the member.
 */
const nearness: readonly (readonly StatementWallet[])[] = [
  ['primary', 'profit'],
  ['invested'],
  ['in_trades', 'on_hold'],
];

function toOperation(lines: Operation['lines']): Operation {
  const nearest = nearness.find((wallets) => lines.some(({ wallet }) => wallets.includes(wallet))) ?? [];
  const shown = lines.filter(({ wallet }) => nearest.includes(wallet));
  const wallets = nearest.filter((wallet) => shown.some((line) => line.wallet === wallet));
  return {
    id: lines[0].id,
    title: titleOf(lines),
    lines,
    amount: sumDollars(shown.map(({ amount }) => amount)),
    wallets: wallets.map(walletLabel).join(', '),
    balanceAfter: wallets.length === 1 ? (shown[0]?.balance_after ?? null) : null,
  };
}

const teamKinds = ['referral_bonus', 'level_bonus', 'team_profit'];

/** Named after its first line: `Trade settled`. Bonuses of one session share a name. */
function titleOf(lines: Operation['lines']): string {
  const kinds = new Set(lines.map(({ kind }) => kind));
  if (kinds.size > 1 && [...kinds].every((kind) => teamKinds.includes(kind))) return t`Team income`;
  return kindLabel((lines.at(-1) ?? lines[0]).kind);
}
