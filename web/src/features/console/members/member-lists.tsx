import { IconList } from '@tabler/icons-react';
import { audit, consoleMembers } from '#contract/endpoints.ts';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import type { AuditEntry } from '#contract/operator/audit.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import { pairOf, walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { consolePath } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { arrived } from '../../../ui/table/data-table-states.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { CodeText, TextLink } from '../../../ui/text/text.tsx';
import { changesText } from '../kit/changes-text.ts';
import { column, rightColumn, timeLines } from '../kit/columns.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';

type RowOf<Name extends keyof MemberPage> = MemberPage[Name] extends readonly (infer Row)[] ? Row : never;

const time = <Row,>(label: string, pick: (row: Row) => string | null): Column<Row> =>
  column(
    `${label}, UTC`,
    (row) => {
      const at = pick(row);
      return at === null ? '–' : timeLines(at);
    },
    { width: '120px' },
  );

const reference = (page: 'deposits' | 'withdrawals') =>
  column<{ id: string; reference: string; state: string }>('Reference', (row) => (
    <TextLink to={`${consolePath(page)}/${row.id}?state=${row.state}`}>
      <CodeText>{row.reference}</CodeText>
    </TextLink>
  ));

const typed = (label: string) =>
  rightColumn<{ amount: number }>(label, (row) => formatMoney(row.amount, 'typed'), { width: '120px' });

const state = { width: '120px' };

const walletLabels = {
  primary: 'Primary',
  profit: 'Profit',
  in_trades: 'In trades',
  invested: 'In plans',
  on_hold: 'On hold',
};

type List<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  readPage: (
    id: string,
    query: PageQuery,
    signal: AbortSignal,
  ) => Promise<{ items: Row[]; next_cursor: string | null }>;
};

const movements: List<RowOf<'movements'>> = {
  label: 'Movements',
  columns: [
    time('Time', (row) => row.created_at),
    column('Type', (row) => wordsOfKind(row.kind)),
    column('Reference', (row) => row.reference, { width: '148px', drop: 'next' }),
    column('Wallet', (row) => walletLabels[row.wallet], { width: '100px', drop: 'next' }),
    rightColumn('Amount', (row) => <SignedMoney value={row.amount} plain />, { width: '140px' }),
    rightColumn('Balance after', (row) => <Money value={row.balance_after} />, { width: '140px', drop: 'first' }),
  ],
  readPage: (id, query, signal) => call(consoleMembers.listMovementsOf, { params: { id }, query, signal }),
};

const trades: List<RowOf<'trades'>> = {
  label: 'Trades',
  columns: [
    time('Placed', (row) => row.placed_at),
    column('Asset', (row) => pairOf(row.symbol)),
    column('From', (row) => walletNames[row.wallet_type], { width: '130px', drop: 'next' }),
    typed('Amount'),
    rightColumn('P&L', (row) => <SignedMoney value={row.result} />),
    column('State', (row) => <StateBadge of="trade" state={row.state} />, state),
  ],
  readPage: (id, query, signal) => call(consoleMembers.listTradesOf, { params: { id }, query, signal }),
};

const plans: List<RowOf<'plans'>> = {
  label: 'Plans',
  columns: [
    time('Created', (row) => row.created_at),
    column('Asset', (row) => pairOf(row.symbol)),
    column('Strategy', (row) => row.strategy.replaceAll('_', ' '), { drop: 'next' }),
    typed('Invested'),
    rightColumn('Value', (row) => <Money value={row.value} />, { width: '120px' }),
    rightColumn('P&L', (row) => <SignedMoney value={row.result_total} />, { drop: 'first' }),
    column('State', (row) => <StateBadge of="plan" state={row.state} />, state),
  ],
  readPage: (id, query, signal) => call(consoleMembers.listPlansOf, { params: { id }, query, signal }),
};

const deposits: List<RowOf<'deposits'>> = {
  label: 'Deposits',
  columns: [
    time('Created', (row) => row.created_at),
    reference('deposits'),
    typed('Requested'),
    rightColumn('Credited', (row) => <Money value={row.credited} />),
    column('State', (row) => <StateBadge of="deposit" state={row.state} />, state),
  ],
  readPage: (id, query, signal) => call(consoleMembers.listDepositsOf, { params: { id }, query, signal }),
};

const withdrawals: List<RowOf<'withdrawals'>> = {
  label: 'Withdrawals',
  columns: [
    time('Requested', (row) => row.created_at),
    reference('withdrawals'),
    column('Network', (row) => row.network, { width: '90px', drop: 'next' }),
    typed('Amount'),
    rightColumn('Net', (row) => <Money value={row.net} />, { drop: 'first' }),
    column('State', (row) => <StateBadge of="withdrawal" state={row.state} />, state),
  ],
  readPage: (id, query, signal) => call(consoleMembers.listWithdrawalsOf, { params: { id }, query, signal }),
};

const tickets: List<RowOf<'tickets'>> = {
  label: 'Tickets',
  columns: [
    time('Changed', (row) => row.updated_at),
    column('Subject', (row) => row.subject),
    column('Reference', (row) => <CodeText>{row.reference}</CodeText>, { width: '120px', drop: 'next' }),
    column('Assigned to', (row) => row.assigned_to?.name ?? '–', { width: '120px', drop: 'first' }),
    column('State', (row) => <StateBadge of="query" state={row.state} />, state),
  ],
  readPage: (id, query, signal) => call(consoleMembers.listTicketsOf, { params: { id }, query, signal }),
};

const auditEntries: List<AuditEntry> = {
  label: 'Audit entries',
  columns: [
    time('Time', (row) => row.at),
    column('By', (row) => row.actor.name ?? row.actor.kind, { width: '150px', drop: 'next' }),
    column('Action', (row) => row.action, { width: '240px' }),
    column(
      'Details',
      (row) => {
        const text = changesText(row.before, row.after);
        return <span title={text}>{text}</span>;
      },
      { drop: 'next' },
    ),
  ],
  readPage: (id, query, signal) => call(audit.listAudit, { query: { ...query, subject: `member:${id}` }, signal }),
};

const signInColumns: readonly Column<RowOf<'sign_ins'>>[] = [
  time('Last used', (row) => row.last_used_at),
  column('Device', (row) => row.device),
  column('IP address', (row) => row.address, { width: '180px' }),
  time('Signed in', (row) => row.created_at),
];

export const listTabs = [
  { value: 'movements', label: 'Movements' },
  { value: 'trades', label: 'Trades' },
  { value: 'plans', label: 'Plans' },
  { value: 'deposits', label: 'Deposits' },
  { value: 'withdrawals', label: 'Withdrawals' },
  { value: 'tickets', label: 'Tickets' },
  { value: 'sign-ins', label: 'Sign-ins' },
  { value: 'audit', label: 'Audit' },
] as const;

/** One of the lists about a member, loaded as it is scrolled. */
export function MemberList({ tab, page }: { tab: (typeof listTabs)[number]['value']; page: MemberPage }) {
  const { id } = page.member;
  switch (tab) {
    case 'movements':
      return <Pages id={id} list={movements} />;
    case 'trades':
      return <Pages id={id} list={trades} />;
    case 'plans':
      return <Pages id={id} list={plans} />;
    case 'deposits':
      return <Pages id={id} list={deposits} />;
    case 'withdrawals':
      return <Pages id={id} list={withdrawals} />;
    case 'tickets':
      return <Pages id={id} list={tickets} />;
    case 'audit':
      return <Pages id={id} list={auditEntries} />;
    case 'sign-ins':
      return (
        <ListTable
          label="Sign-ins"
          dense
          columns={signInColumns}
          list={{ query: arrived, rows: page.sign_ins }}
          empty={{ icon: IconList, title: 'No active sign-ins' }}
        />
      );
  }
}

function Pages<Row extends { id: string }>({ id, list }: { id: string; list: List<Row> }) {
  const { label, columns, readPage } = list;
  return (
    <ListTable
      label={label}
      dense
      columns={columns}
      list={useList<Row>({
        queryKey: ['members', 'list-of', id, label],
        readPage: (query, signal) => readPage(id, query, signal),
      })}
      empty={{ icon: IconList, title: `No ${label.toLowerCase()} yet` }}
    />
  );
}
