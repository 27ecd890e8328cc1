import { Button } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, DataTable, MobileRow } from '../../ui/table/data-table.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { Quiet, TextLink, When } from '../../ui/text/text.tsx';
import type { Wallets } from './queries.ts';
import { kindLabel, walletLabel } from './statement/labels.ts';

type LastMovement = Wallets['last_movements'][number];

const columns: readonly Column<LastMovement>[] = [
  column(t`Time, UTC`, (row) => <When at={row.created_at} />),
  column(t`Type`, (row) => kindLabel(row.kind)),
  column(t`Wallet`, (row) => <Quiet>{walletLabel(row.wallet)}</Quiet>),
  rightColumn(t`Amount`, (row) => <SignedMoney value={row.amount} plain />),
];

/** The newest lines of the statement, with the link to all of them. */
export function LastMovements({ query }: { query: UseQueryResult<Wallets> }) {
  return (
    <Panel
      title={t`Recent transactions`}
      rule
      padded={false}
      control={<TextLink to={paths.transactionHistory}>{t`View all`}</TextLink>}
    >
      <DataTable
        label={t`Recent transactions`}
        columns={columns}
        rows={query.data?.last_movements}
        rowKey={(row) => `${row.id} ${row.wallet}`}
        query={query}
        minHeight={276}
        mobileRow={(row) => (
          <MobileRow>
            <span>
              {kindLabel(row.kind)}
              <SignedMoney value={row.amount} plain />
            </span>
            <small>
              {formatDateTime(row.created_at)} · {walletLabel(row.wallet)}
            </small>
          </MobileRow>
        )}
        empty={{
          icon: <IconArrowsSort size={20} stroke={1.5} />,
          title: t`No transactions yet`,
          text: t`Your first deposit is listed here.`,
          action: <Button component={Link} to={paths.deposit} variant="default">{t`Make a deposit`}</Button>,
        }}
      />
    </Panel>
  );
}
