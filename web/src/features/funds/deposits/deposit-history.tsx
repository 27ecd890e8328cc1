import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
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
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge, stateOptions } from '../../../ui/text/state-badge.tsx';
import { When } from '../../../ui/text/when.tsx';
import { Quiet } from '../../../ui/text/words.tsx';
import { depositsQuery, downloadDeposits } from '../queries.ts';
import { depositNote } from './deposit-labels.ts';
import { SandboxLabel } from './deposit-state.tsx';

const states = stateOptions('deposit');

const linkTo = (deposit: Deposit) => `${paths.deposit}?deposit=${deposit.id}`;

const columns: readonly Column<Deposit>[] = [
  { key: 'created', label: 'Created, UTC', render: (row) => <When at={row.created_at} /> },
  {
    key: 'reference',
    label: 'Reference',
    render: (row) => (
      <Quiet>
        <CodeText>{row.reference}</CodeText>
      </Quiet>
    ),
  },
  { key: 'asked', label: 'Asked', align: 'right', render: (row) => <Money value={row.amount} decimals="typed" /> },
  { key: 'credited', label: 'Credited', align: 'right', render: (row) => <Money value={row.credited} /> },
  { key: 'state', label: 'State', render: (row) => <StateBadge of="deposit" state={row.state} /> },
  { key: 'note', label: 'Note', render: (row) => <Quiet>{depositNote(row)}</Quiet> },
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
        <small>{formatDateTime(row.created_at)}</small>
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
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const chosen = states.find(({ value }) => value === search.get('state'));
  const state = chosen?.value;
  const deposits = useQuery(depositsQuery({ state, cursor: paging.cursor }));
  const rows = deposits.data?.items;

  return (
    <Panel
      title="Deposit history"
      rule
      padded={false}
      control={
        <>
          <FilterMenu
            label="State"
            allLabel="All states"
            options={states}
            value={state}
            onChange={(next) => change({ state: next })}
          />
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
          chosen && {
            title: `No deposit is “${chosen.label}”`,
            text: 'Deposits in other states are hidden by the filter.',
            onClear: () => change({ state: undefined }),
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

export function DepositHistoryPage() {
  return (
    <>
      <PageHead title="Deposit history" facts="Every invoice you started and what became of it">
        <SandboxLabel />
        <Button component={Link} to={paths.deposit}>
          Deposit
        </Button>
      </PageHead>
      <DepositHistory
        emptyAction={
          <Button component={Link} to={paths.deposit} variant="default">
            Deposit
          </Button>
        }
      />
    </>
  );
}
