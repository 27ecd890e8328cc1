import { Button } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { wordsOfKind } from '#contract/ledger-reasons.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { When } from '../../ui/text/when.tsx';
import { Quiet } from '../../ui/text/words.tsx';
import type { Wallets } from './queries.ts';
import { wordsOfWallet } from './statement/wallet-labels.ts';

type LastMovement = Wallets['last_movements'][number];

const columns: readonly Column<LastMovement>[] = [
  { key: 'when', label: 'When, UTC', render: (row) => <When at={row.created_at} /> },
  { key: 'kind', label: 'What', render: (row) => wordsOfKind(row.kind) },
  { key: 'wallet', label: 'Wallet', render: (row) => <Quiet>{wordsOfWallet(row.wallet)}</Quiet> },
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
              {formatDateTime(row.created_at)} · {wordsOfWallet(row.wallet)}
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
