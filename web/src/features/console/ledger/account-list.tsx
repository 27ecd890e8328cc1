import { IconBook2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { consoleLedger, LedgerTransfer } from '#contract/operator/ledger.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { accountWords, groupWords } from './labels.ts';
import { accountsQuery } from './queries.ts';

type AccountRow = DataOf<typeof consoleLedger.listLedgerAccounts>['items'][number];

/** What each account of the house holds, and members by class; one leads to its transfers. */
export function AccountList({ onOpen }: { onOpen: (account: LedgerTransfer['from']['account']) => void }) {
  const query = useQuery(accountsQuery);
  return (
    <ListTable
      label="Accounts"
      dense
      columns={columns}
      rowKey={(row) => row.account}
      onOpen={(row) => onOpen(row.account)}
      list={{ query, rows: query.data?.items }}
      empty={{ icon: <IconBook2 size={20} stroke={1.5} />, title: 'No accounts yet' }}
    />
  );
}

const columns: readonly Column<AccountRow>[] = [
  { key: 'account', label: 'Account', render: (row) => accountWords[row.account] },
  { key: 'group', label: 'What it is', render: (row) => groupWords[row.group] },
  { key: 'amount', label: 'Holds', align: 'right', width: '200px', render: (row) => <Money value={row.amount} /> },
];
