import { IconList } from '@tabler/icons-react';
import type { MemberPage } from '#contract/operator/members.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import {
  auditColumns,
  depositColumns,
  movementColumns,
  planColumns,
  signInColumns,
  ticketColumns,
  tradeColumns,
  withdrawalColumns,
} from './list-columns.tsx';

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
type ListTab = (typeof listTabs)[number]['value'];

/** One of the lists about a member, all of it: read on as it is scrolled. */
export function MemberList({ tab, page }: { tab: ListTab; page: MemberPage }) {
  const { id } = page.member;
  switch (tab) {
    case 'movements':
      return (
        <ReadOn id={id} tab={tab} label="Movements" columns={movementColumns} readPage={readListOf.movements(id)} />
      );
    case 'trades':
      return <ReadOn id={id} tab={tab} label="Trades" columns={tradeColumns} readPage={readListOf.trades(id)} />;
    case 'plans':
      return <ReadOn id={id} tab={tab} label="Plans" columns={planColumns} readPage={readListOf.plans(id)} />;
    case 'deposits':
      return <ReadOn id={id} tab={tab} label="Deposits" columns={depositColumns} readPage={readListOf.deposits(id)} />;
    case 'withdrawals':
      return (
        <ReadOn
          id={id}
          tab={tab}
          label="Withdrawals"
          columns={withdrawalColumns}
          readPage={readListOf.withdrawals(id)}
        />
      );
    case 'tickets':
      return <ReadOn id={id} tab={tab} label="Tickets" columns={ticketColumns} readPage={readListOf.tickets(id)} />;
    case 'audit':
      return <ReadOn id={id} tab={tab} label="Audit entries" columns={auditColumns} readPage={readListOf.audit(id)} />;
    case 'sign-ins':
      return (
        <ListTable
          label="Sign-ins"
          dense
          columns={signInColumns}
          list={{ query: settled, rows: page.sign_ins }}
          empty={{ icon, title: 'Nobody is signed in' }}
        />
      );
  }
}

const icon = <IconList size={20} stroke={1.5} />;
/** Of rows that came with the page. */
const settled = { isError: false, isFetching: false, error: null, dataUpdatedAt: 0, refetch: () => undefined };

type ReadOnProps<Row> = {
  id: string;
  tab: ListTab;
  label: string;
  columns: readonly Column<Row>[];
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<{ items: Row[]; next_cursor: string | null }>;
};

function ReadOn<Row extends { id: string }>({ id, tab, label, columns, readPage }: ReadOnProps<Row>) {
  const list = useList<Row>({ queryKey: ['members', 'list-of', id, tab], readPage });
  return (
    <ListTable
      label={label}
      dense
      columns={columns}
      list={list}
      empty={{ icon, title: `No ${label.toLowerCase()} yet` }}
    />
  );
}

const { consoleMembers: rows } = endpoints;

/** The paging calls behind the lists of one member. */
const readListOf = {
  movements: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listMovementsOf, { params: { id }, query, signal }),
  trades: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listTradesOf, { params: { id }, query, signal }),
  plans: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listPlansOf, { params: { id }, query, signal }),
  deposits: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listDepositsOf, { params: { id }, query, signal }),
  withdrawals: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listWithdrawalsOf, { params: { id }, query, signal }),
  tickets: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(rows.listTicketsOf, { params: { id }, query, signal }),
  audit: (id: string) => (query: PageQuery, signal: AbortSignal) =>
    call(endpoints.audit.listAudit, { query: { ...query, subject: `member:${id}` }, signal }),
};
