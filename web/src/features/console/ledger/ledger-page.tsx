import { IconBook2, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { DataOf } from '#contract/endpoint.ts';
import type { consoleLedger, LedgerSeal, LedgerTransfer } from '#contract/operator/ledger.ts';
import { formatDate, formatShortDateTime, formatTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { FilterForm } from '../kit/filter-form.tsx';
import { ListFrame, useOpened } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { filterFields, filterOf, type LedgerFilter } from './filter.ts';
import { accountWords, groupWords, reasonWords } from './labels.ts';
import { accountsQuery, downloadTransfers, readSeals, readTransfers } from './queries.ts';
import { TransferDetail } from './transfer-detail.tsx';

const tabs = [
  { value: 'transfers', label: 'Transfers' },
  { value: 'accounts', label: 'Accounts' },
  { value: 'seals', label: 'Seals' },
] as const;

/** Every movement of money there is, who holds what, and the seals that nothing was changed under. */
export function LedgerPage() {
  const [params, setParams] = useSearchParams();
  const tab = tabs.find(({ value }) => value === params.get('tab'))?.value ?? 'transfers';
  const filter = filterOf(params);
  const { opened, open, close } = useOpened('ledger');
  return (
    <>
      <PageHead title="Ledger explorer" facts="Transfers are never changed: what was wrong is reversed by another.">
        {tab === 'transfers' && (
          <FileButton fileName="transfers.csv" read={(signal) => downloadTransfers(filter, signal)} disabled={false} />
        )}
      </PageHead>
      {tab === 'transfers' && (
        <FilterForm key={params.toString()} fields={filterFields} params={params} onChange={setParams} />
      )}
      <ListFrame detail={opened !== undefined && <TransferDetail key={opened} id={opened} onClose={close} />}>
        <Tabs
          label="Books"
          fill
          tabs={tabs}
          value={tab}
          onChange={(next) => setParams(next === 'transfers' ? {} : { tab: next })}
        >
          {tab === 'transfers' && (
            <TransferList
              key={params.toString()}
              filter={filter}
              opened={opened}
              onOpen={open}
              onClose={close}
              onClear={() => setParams({})}
            />
          )}
          {tab === 'accounts' && <AccountList onOpen={(account) => setParams({ account })} />}
          {tab === 'seals' && <SealList />}
        </Tabs>
      </ListFrame>
    </>
  );
}

type TransferListProps = {
  filter: LedgerFilter;
  opened: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
  onClear: () => void;
};

function TransferList({ filter, opened, onOpen, onClose, onClear }: TransferListProps) {
  const list = useList<LedgerTransfer>({ queryKey: ['ledger', 'list', filter], readPage: readTransfers(filter) });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <ListTable
      label="Transfers"
      columns={transferColumns}
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

const transferColumns: readonly Column<LedgerTransfer>[] = [
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

type AccountRow = DataOf<typeof consoleLedger.listLedgerAccounts>['items'][number];

/** What each account of the house holds, and members by class; one leads to its transfers. */
function AccountList({ onOpen }: { onOpen: (account: LedgerTransfer['from']['account']) => void }) {
  const query = useQuery(accountsQuery);
  return (
    <ListTable
      label="Accounts"
      dense
      columns={accountColumns}
      rowKey={(row) => row.account}
      onOpen={(row) => onOpen(row.account)}
      list={{ query, rows: query.data?.items }}
      empty={{ icon: <IconBook2 size={20} stroke={1.5} />, title: 'No accounts yet' }}
    />
  );
}

const accountColumns: readonly Column<AccountRow>[] = [
  { key: 'account', label: 'Account', render: (row) => accountWords[row.account] },
  { key: 'group', label: 'What it is', render: (row) => groupWords[row.group] },
  { key: 'amount', label: 'Holds', align: 'right', width: '200px', render: (row) => <Money value={row.amount} /> },
];

/** Once a minute everything new is sealed; each seal holds the hash of the one before. */
function SealList() {
  const list = useList<LedgerSeal>({ queryKey: ['ledger', 'seals'], readPage: readSeals });
  return (
    <ListTable
      label="Seals"
      dense
      columns={sealColumns}
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

const sealColumns: readonly Column<LedgerSeal>[] = [
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
