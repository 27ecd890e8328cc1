import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { StateBadge, stateOptions } from '../../../ui/state/state-badge.tsx';
import { type Column, DataTable } from '../../../ui/table/data-table.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { MobileRow } from '../../../ui/table/mobile-row.tsx';
import { useAddressFilter } from '../../../ui/table/use-address-filter.ts';
import { useCursorPaging } from '../../../ui/table/use-cursor-paging.ts';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText, Quiet, When } from '../../../ui/text/text.tsx';
import { depositsQuery, downloadDeposits } from '../queries.ts';
import { depositNote } from './deposit-labels.ts';
import { SandboxLabel } from './deposit-state.tsx';

const states = stateOptions('deposit');

const linkTo = (deposit: Deposit) => `${paths.deposit}?deposit=${deposit.id}`;

const columns: readonly Column<Deposit>[] = [
  { key: 'created', label: t`Created, UTC`, render: (row) => <When at={row.created_at} /> },
  {
    key: 'reference',
    label: t`Reference`,
    render: (row) => (
      <Quiet>
        <CodeText>{row.reference}</CodeText>
      </Quiet>
    ),
  },
  { key: 'asked', label: t`Requested`, align: 'right', render: (row) => <Money value={row.amount} decimals="typed" /> },
  { key: 'credited', label: t`Credited`, align: 'right', render: (row) => <Money value={row.credited} /> },
  { key: 'state', label: t`State`, render: (row) => <StateBadge of="deposit" state={row.state} /> },
  { key: 'note', label: t`Note`, render: (row) => <Quiet>{depositNote(row)}</Quiet> },
  {
    key: 'open',
    label: <VisuallyHidden>{t`Open`}</VisuallyHidden>,
    align: 'right',
    width: '56px',
    render: (row) => (
      <ActionIcon
        component={Link}
        to={linkTo(row)}
        size="sm"
        aria-label={t`Deposit ${row.reference}`}
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
            t`Credited ${formatMoney(row.credited)}`
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

/** Deposits by page, filtered by state. The filter stands in the address. */
export function DepositHistory({ selectedId, emptyAction }: DepositHistoryProps) {
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const chosen = states.find(({ value }) => value === search.get('state'));
  const state = chosen?.value;
  const deposits = useQuery(depositsQuery({ state, cursor: paging.cursor }));
  const rows = deposits.data?.items;

  return (
    <Panel
      title={t`Deposit history`}
      rule
      padded={false}
      control={
        <>
          <FilterMenu
            label={t`State`}
            allLabel={t`All states`}
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
        label={t`Deposit history`}
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
            title: t`No deposits with state “${chosen.label}”`,
            text: t`Deposits with other states are hidden by the filter.`,
            onClear: () => change({ state: undefined }),
          }
        }
        empty={{
          icon: <IconDownload size={20} stroke={1.5} />,
          title: t`No deposits yet`,
          text: t`Your deposits are listed here, from the invoice to the credit.`,
          action: emptyAction,
        }}
      />
    </Panel>
  );
}

export function DepositHistoryPage() {
  return (
    <>
      <PageHead title={t`Deposit history`} facts={t`All your deposits and their states.`}>
        <SandboxLabel />
        <Button component={Link} to={paths.deposit}>{t`Deposit`}</Button>
      </PageHead>
      <DepositHistory
        emptyAction={<Button component={Link} to={paths.deposit} variant="default">{t`Deposit`}</Button>}
      />
    </>
  );
}
