import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Deposit, DepositState } from '#contract/funds/deposits.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { type Column, DataTable } from '../../../ui/table/data-table.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { MobileRow } from '../../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../../ui/table/use-cursor-paging.ts';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import classes from '../funds.module.css';
import { depositsQuery, downloadDeposits } from '../queries.ts';
import { depositNote } from './deposit-labels.ts';

/** All states in the order a deposit can go through them; their words are the badge's. */
const stateOptions = (
  ['created', 'pending', 'underpaid', 'credited', 'expired', 'review', 'refunded', 'rejected', 'failed'] as const
).map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

const linkTo = (deposit: Deposit) => `${paths.deposit}?deposit=${deposit.id}`;

const columns: readonly Column<Deposit>[] = [
  {
    key: 'created',
    label: 'Created, UTC',
    render: (row) => (
      <span className={classes.when}>
        {formatDate(row.created_at)}, {formatTime(row.created_at)}
      </span>
    ),
  },
  {
    key: 'reference',
    label: 'Reference',
    render: (row) => (
      <span className={classes.quiet}>
        <CodeText>{row.reference}</CodeText>
      </span>
    ),
  },
  { key: 'asked', label: 'Asked', align: 'right', render: (row) => <Money value={row.amount} decimals="typed" /> },
  { key: 'credited', label: 'Credited', align: 'right', render: (row) => <Money value={row.credited} /> },
  { key: 'state', label: 'State', render: (row) => <StateBadge of="deposit" state={row.state} /> },
  { key: 'note', label: 'Note', render: (row) => <span className={classes.quiet}>{depositNote(row)}</span> },
  {
    key: 'open',
    label: <VisuallyHidden>Open</VisuallyHidden>,
    align: 'right',
    width: '56px',
    render: (row) => (
      <ActionIcon
        component={Link}
        to={linkTo(row)}
        size="sm"
        aria-label={`Deposit ${row.reference}`}
        preventScrollReset
      >
        <IconChevronRight size={16} stroke={1.5} />
      </ActionIcon>
    ),
  },
];

function RowOnMobile({ row }: { row: Deposit }) {
  return (
    <MobileRow to={linkTo(row)}>
      <span>
        <Money value={row.amount} decimals="typed" />
        <StateBadge of="deposit" state={row.state} />
      </span>
      <span>
        <small>
          {formatDate(row.created_at)}, {formatTime(row.created_at)} UTC
        </small>
        <small>
          {row.credited !== null && row.credited !== row.amount ? (
            <>
              credited <Money value={row.credited} />
            </>
          ) : (
            <CodeText>{row.reference}</CodeText>
          )}
        </small>
      </span>
    </MobileRow>
  );
}

type DepositHistoryProps = {
  /** The deposit that the page shows above. */
  selectedId?: string | undefined;
  /** The one next step while there are no deposits, where the page does not show it anyway. */
  emptyAction?: ReactNode;
};

/** Own deposits by page, filtered by state; the filter stands in the address, so that it can be kept and shared. */
export function DepositHistory({ selectedId, emptyAction }: DepositHistoryProps) {
  const [search, setSearch] = useSearchParams();
  const state = stateOptions.find((option) => option.value === search.get('state'))?.value;
  const paging = useCursorPaging();
  const deposits = useQuery(depositsQuery({ state, cursor: paging.cursor }));
  const rows = deposits.data?.items;

  const choose = (next: DepositState | undefined) => {
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
      title="Deposit history"
      rule
      padded={false}
      control={
        <>
          <FilterMenu label="State" allLabel="All states" options={stateOptions} value={state} onChange={choose} />
          <FileButton
            small
            fileName={state === undefined ? 'deposits.csv' : `deposits-${state}.csv`}
            read={(signal) => downloadDeposits(state, signal)}
            disabled={!rows?.length}
          />
        </>
      }
    >
      <DataTable
        label="Deposit history"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        query={deposits}
        minHeight={320}
        selected={selectedId}
        mobileRow={(row) => <RowOnMobile row={row} />}
        paging={paging.pagingOf(deposits.data)}
        filtered={
          state && {
            title: `No deposit is “${stateOptions.find((option) => option.value === state)?.label}”`,
            text: 'Deposits in other states are hidden by the filter.',
            onClear: () => choose(undefined),
          }
        }
        empty={{
          icon: <IconDownload size={20} stroke={1.5} />,
          title: 'No deposits yet',
          text: 'When you start one, you can follow it here from the invoice to your wallet.',
          action: emptyAction,
        }}
      />
    </Panel>
  );
}
