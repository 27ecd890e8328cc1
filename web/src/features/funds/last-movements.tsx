import { Button } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './funds.module.css';
import { wordsOfKind } from './statement/kind-labels.ts';
import { wordsOfWallet } from './statement/wallet-labels.ts';

type Wallets = DataOf<typeof funds.getWallet>;
type LastMovement = Wallets['last_movements'][number];

const columns: readonly Column<LastMovement>[] = [
  {
    key: 'when',
    label: 'When, UTC',
    render: (row) => (
      <span className={classes.when}>
        {formatDate(row.created_at)}, {formatTime(row.created_at)}
      </span>
    ),
  },
  { key: 'kind', label: 'What', render: (row) => wordsOfKind(row.kind) },
  {
    key: 'wallet',
    label: 'Wallet',
    render: (row) => <span className={classes.quiet}>{wordsOfWallet(row.wallet)}</span>,
  },
  { key: 'amount', label: 'Amount', align: 'right', render: (row) => <SignedMoney value={row.amount} plain /> },
];

/** The newest lines of the statement, with the way to all of them. */
export function LastMovements({ query }: { query: UseQueryResult<Wallets> }) {
  return (
    <Panel
      title="Last movements"
      rule
      padded={false}
      control={<TextLink to={paths.transactionHistory}>All transactions</TextLink>}
    >
      <DataTable
        label="Last movements"
        columns={columns}
        rows={query.data?.last_movements}
        rowKey={(row) => `${row.id} ${row.wallet}`}
        query={query}
        minHeight={276}
        mobileRow={(row) => (
          <MobileRow>
            <span>
              {wordsOfKind(row.kind)}
              <SignedMoney value={row.amount} plain />
            </span>
            <small>
              {formatDate(row.created_at)}, {formatTime(row.created_at)} UTC · {wordsOfWallet(row.wallet)}
            </small>
          </MobileRow>
        )}
        empty={{
          icon: <IconArrowsSort size={20} stroke={1.5} />,
          title: 'No movements yet',
          text: 'Your first deposit is the first line here.',
          action: (
            <Button component={Link} to={paths.deposit} variant="default">
              Deposit
            </Button>
          ),
        }}
      />
    </Panel>
  );
}
