import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Withdrawal, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { FileButton } from '../../ui/forms/file-button.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { Money } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { downloadWithdrawals, withdrawalsQuery } from './queries.ts';
import classes from './withdrawal-history.module.css';
import { networkName, shortAddress, stateOptions } from './withdrawal-labels.ts';

type LinkOf = (withdrawal: Withdrawal) => { pathname: string; search: string };

const columnsWith = (linkOf: LinkOf): readonly Column<Withdrawal>[] => [
  {
    key: 'asked',
    label: 'Asked, UTC',
    render: (row) => (
      <span className={classes.when}>
        {formatDate(row.created_at)}, {formatTime(row.created_at)}
        <small>
          <CodeText>{row.reference}</CodeText>
        </small>
      </span>
    ),
  },
  { key: 'to', label: 'To', render: (row) => <To withdrawal={row} /> },
  { key: 'amount', label: 'Amount', align: 'right', render: (row) => <Money value={row.amount} /> },
  { key: 'fee', label: 'Fee', align: 'right', render: (row) => <Money value={row.fee} /> },
  { key: 'net', label: 'Paid out', align: 'right', render: (row) => <Money value={row.net} /> },
  { key: 'state', label: 'State', render: (row) => <StateBadge of="withdrawal" state={row.state} /> },
  {
    key: 'open',
    label: <VisuallyHidden>Open</VisuallyHidden>,
    align: 'right',
    width: '56px',
    render: (row) => (
      <ActionIcon
        component={Link}
        to={linkOf(row)}
        size="sm"
        aria-label={`Withdrawal ${row.reference}`}
        preventScrollReset
      >
        <IconChevronRight size={16} stroke={1.5} />
      </ActionIcon>
    ),
  },
];

function To({ withdrawal }: { withdrawal: Withdrawal }) {
  return (
    <span className={classes.to}>
      <CodeText>{shortAddress(withdrawal.address)}</CodeText> · {networkName(withdrawal.network)}
    </span>
  );
}

function RowOnMobile({ row, linkOf }: { row: Withdrawal; linkOf: LinkOf }) {
  return (
    <MobileRow to={linkOf(row)} preventScrollReset>
      <span>
        <Money value={row.amount} />
        <StateBadge of="withdrawal" state={row.state} />
      </span>
      <span>
        <small>
          {formatDate(row.created_at)}, {formatTime(row.created_at)} UTC
        </small>
        <small>
          <CodeText>{shortAddress(row.address)}</CodeText> · {networkName(row.network)}
        </small>
      </span>
    </MobileRow>
  );
}

type WithdrawalHistoryProps = {
  /** The withdrawal that the page shows beside the list. */
  selectedId?: string | undefined;
  /** The one next step while there are none, where the page does not show it anyway. */
  emptyAction?: ReactNode;
};

/** Own withdrawals by page, filtered by state; the filter stands in the address, so that it can be kept and shared. */
export function WithdrawalHistory({ selectedId, emptyAction }: WithdrawalHistoryProps) {
  const [search, setSearch] = useSearchParams();
  const chosen = stateOptions.find((option) => option.value === search.get('state'));
  const state = chosen?.value;
  const paging = useCursorPaging();
  const withdrawals = useQuery(withdrawalsQuery({ state, cursor: paging.cursor }));
  const rows = withdrawals.data?.items;

  const linkOf: LinkOf = ({ id }) => {
    const to = new URLSearchParams(state ? { state } : {});
    to.set('withdrawal', id);
    return { pathname: paths.withdrawalHistory, search: to.toString() };
  };
  const choose = (next: WithdrawalState | undefined) => {
    paging.reset();
    setSearch(
      (now) => {
        now.delete('state');
        if (next !== undefined) now.set('state', next);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  };

  return (
    <Panel
      title="Withdrawal history"
      rule
      padded={false}
      control={
        <>
          <FilterMenu label="State" allLabel="All states" options={stateOptions} value={state} onChange={choose} />
          <FileButton
            small
            fileName={state ? `withdrawals-${state}.csv` : 'withdrawals.csv'}
            disabled={!rows?.length}
            read={(signal) => downloadWithdrawals(state, signal)}
          />
        </>
      }
    >
      <DataTable
        label="Withdrawal history"
        columns={columnsWith(linkOf)}
        rows={rows}
        rowKey={(row) => row.id}
        query={withdrawals}
        minHeight={320}
        selected={selectedId}
        mobileRow={(row) => <RowOnMobile row={row} linkOf={linkOf} />}
        paging={paging.pagingOf(withdrawals.data)}
        filtered={
          chosen && {
            title: `No withdrawal is “${chosen.label}”`,
            text: 'Withdrawals in other states are hidden by the filter.',
            onClear: () => choose(undefined),
          }
        }
        empty={{
          icon: <IconUpload size={20} stroke={1.5} />,
          title: 'No withdrawals yet',
          text: 'When you ask for one, you can follow it here from request to payment.',
          action: emptyAction,
        }}
      />
    </Panel>
  );
}
