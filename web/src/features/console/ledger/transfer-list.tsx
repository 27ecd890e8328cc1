import { IconBook2 } from '@tabler/icons-react';
import type { LedgerTransfer } from '#contract/operator/ledger.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { useList } from '../kit/use-list.ts';
import type { LedgerFilter } from './filter.ts';
import { accountWords, reasonWords } from './labels.ts';
import { readTransfers } from './queries.ts';

type TransferListProps = {
  filter: LedgerFilter;
  opened: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
  onClear: () => void;
};

export function TransferList({ filter, opened, onOpen, onClose, onClear }: TransferListProps) {
  const list = useList<LedgerTransfer>({ queryKey: ['ledger', 'list', filter], readPage: readTransfers(filter) });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListTable
      label="Transfers"
      columns={columns}
      selected={opened}
      onOpen={(row) => onOpen(row.id)}
      onClose={onClose}
      list={list}
      empty={{ icon: <IconBook2 size={20} stroke={1.5} />, title: 'Nothing moved yet' }}
      filtered={
        isFiltered
          ? {
              title: 'No transfer fits',
              text: 'References and keys have to be whole; a key may end at a slash.',
              onClear,
            }
          : undefined
      }
    />
  );
}

const side = ({ account, member }: LedgerTransfer['from']) => (
  <>
    {accountWords[account]}
    <small>{member ? member.name : 'House'}</small>
  </>
);

const columns: readonly Column<LedgerTransfer>[] = [
  {
    key: 'at',
    label: 'When, UTC',
    width: '130px',
    sorted: 'descending',
    render: (row) => (
      <>
        {formatShortDateTime(row.created_at)}
        <small>no. {row.id}</small>
      </>
    ),
  },
  {
    key: 'reason',
    label: 'Reason',
    render: (row) => (
      <>
        {reasonWords(row.reason)}
        <small>{row.reference}</small>
      </>
    ),
  },
  { key: 'from', label: 'From', render: (row) => side(row.from) },
  { key: 'to', label: 'To', render: (row) => side(row.to) },
  { key: 'amount', label: 'Amount', align: 'right', width: '140px', render: (row) => <Money value={row.amount} /> },
];
