import { IconLock } from '@tabler/icons-react';
import type { LedgerSeal } from '#contract/operator/ledger.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { useList } from '../kit/use-list.ts';
import { readSeals } from './queries.ts';

/** Once a minute everything new is sealed; each seal holds the hash of the one before. */
export function SealList() {
  const list = useList<LedgerSeal>({ queryKey: ['ledger', 'seals'], readPage: readSeals });
  return (
    <ListTable
      label="Seals"
      dense
      columns={columns}
      rowKey={(row) => row.no}
      list={list}
      empty={{ icon: <IconLock size={20} stroke={1.5} />, title: 'Nothing was sealed yet' }}
    />
  );
}

const hash = (text: string) => (
  <span title={text}>
    <CodeText>{text}</CodeText>
  </span>
);

const columns: readonly Column<LedgerSeal>[] = [
  { key: 'no', label: 'No.', width: '84px', sorted: 'descending', render: (row) => row.no },
  {
    key: 'at',
    label: 'Sealed, UTC',
    width: '152px',
    render: (row) => `${formatDate(row.sealed_at)}, ${formatTime(row.sealed_at)}`,
  },
  {
    key: 'transfers',
    label: 'Transfers',
    align: 'right',
    width: '96px',
    render: (row) => row.transfers.toLocaleString('en-US'),
  },
  { key: 'hash', label: 'Hash', render: (row) => hash(row.hash) },
  { key: 'root', label: 'Root', from: 'wide', render: (row) => hash(row.root) },
];
