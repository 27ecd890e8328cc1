import { IconBook2, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { DataOf, QueryInOf } from '#contract/endpoint.ts';
import { consoleLedger } from '#contract/endpoints.ts';
import type { LedgerSeal, LedgerTransfer } from '#contract/operator/ledger.ts';
import { call, callForFile } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { type FilterField, FilterForm, periodOf } from '../kit/filter-form.tsx';
import { ListFrame, useOpened, useTab } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { type Account, accountLabels, groupLabels, optionsOf, reasonLabels } from './labels.ts';
import { TransferDetail } from './transfer-detail.tsx';

const views = ['transfers', 'accounts', 'seals'] as const;
const tabs = [
  { value: 'transfers', label: 'Transfers' },
  { value: 'accounts', label: 'Accounts' },
  { value: 'seals', label: 'Seals' },
] as const;

/** All transfers, the account balances, and the seals over them. */
export function LedgerPage() {
  const [params, setParams] = useSearchParams();
  const tab = useTab(views, { name: 'tab' });
  const view = tab.value;
  const filter = filterOf(params);
  const { opened, close, rows } = useOpened('ledger');
  return (
    <>
      <PageHead title="Ledger explorer" facts="Transfers are never changed. A reversal corrects a wrong one.">
        {view === 'transfers' && (
          <FileButton
            fileName="transfers.csv"
            read={(signal) =>
              callForFile(consoleLedger.listLedgerTransfers, { query: { ...filter, format: 'csv' }, signal })
            }
            disabled={false}
          />
        )}
      </PageHead>
      {view === 'transfers' && <FilterForm fields={filterFields} params={params} onChange={setParams} />}
      <ListFrame
        tabs={{
          label: 'Ledger',
          tabs,
          ...tab,
        }}
        detail={opened !== undefined && <TransferDetail key={opened} id={opened} onClose={close} />}
      >
        {view === 'transfers' && (
          <TransferList key={params.toString()} filter={filter} {...rows} onClear={() => setParams({})} />
        )}
        {view === 'accounts' && <AccountList onOpen={(account) => setParams({ account })} />}
        {view === 'seals' && <SealList />}
      </ListFrame>
    </>
  );
}

type TransferListProps = ReturnType<typeof useOpened>['rows'] & { filter: LedgerFilter; onClear: () => void };

function TransferList({ filter, onClear, ...rows }: TransferListProps) {
  const list = useList<LedgerTransfer>({
    queryKey: ['ledger', 'list', filter],
    readPage: (query, signal) => call(consoleLedger.listLedgerTransfers, { query: { ...filter, ...query }, signal }),
  });
  return (
    <ListTable
      label="Transfers"
      columns={transferColumns}
      {...rows}
      list={list}
      empty={{ icon: IconBook2, title: 'No transfers yet' }}
      filtered={
        Object.keys(filter).length > 0 && {
          title: 'No matching transfers',
          text: 'Enter whole references and keys. A key may end with a slash.',
          onClear,
        }
      }
    />
  );
}

const side = ({ account, member }: LedgerTransfer['from']) =>
  lines(accountLabels[account], member ? member.name : 'Company');

const transferColumns: readonly Column<LedgerTransfer>[] = [
  column('Time, UTC', (row) => lines(formatShortDateTime(row.created_at), `No. ${row.id}`), {
    width: '140px',
    sorted: 'descending',
  }),
  column('Reason', (row) => lines(reasonLabels[row.reason], row.reference)),
  column('From', (row) => side(row.from), { drop: 'next' }),
  column('To', (row) => side(row.to), { drop: 'next' }),
  rightColumn('Amount', (row) => <Money value={row.amount} />, { width: '140px' }),
];

const ACCOUNTS_POLL_MS = 15_000;

const accountsQuery = queryOf(['operator', 'ledger', 'accounts'], consoleLedger.listLedgerAccounts, {
  pollMs: ACCOUNTS_POLL_MS,
});

/** Balances of the company's accounts and of members by class, each linked to its transfers. */
function AccountList({ onOpen }: { onOpen: (account: Account) => void }) {
  const query = useQuery(accountsQuery);
  return (
    <ListTable
      label="Accounts"
      dense
      columns={accountColumns}
      rowKey={(row) => row.account}
      onOpen={(row) => onOpen(row.account)}
      list={{ query, rows: query.data?.items }}
      empty={{ icon: IconBook2, title: 'No accounts yet' }}
    />
  );
}

const accountColumns: readonly Column<DataOf<typeof consoleLedger.listLedgerAccounts>['items'][number]>[] = [
  column('Account', (row) => accountLabels[row.account]),
  column('Type', (row) => groupLabels[row.group]),
  rightColumn('Balance', (row) => <Money value={row.amount} />, { width: '200px' }),
];

/** All new transfers are sealed once a minute; each seal holds the hash of the previous one. */
const SealList = () => (
  <ListTable
    label="Seals"
    dense
    columns={sealColumns}
    rowKey={(row) => row.no}
    list={useList<LedgerSeal>({
      queryKey: ['ledger', 'seals'],
      readPage: (query, signal) => call(consoleLedger.listLedgerSeals, { query, signal }),
    })}
    empty={{ icon: IconLock, title: 'No seals yet' }}
  />
);

const hash = (text: string) => (
  <span title={text}>
    <CodeText>{text}</CodeText>
  </span>
);

const sealColumns: readonly Column<LedgerSeal>[] = [
  column('No.', (row) => row.no, { width: '84px', sorted: 'descending' }),
  column('Sealed, UTC', (row) => formatShortDateTime(row.sealed_at), { width: '152px' }),
  rightColumn('Transfers', (row) => row.transfers.toLocaleString('en-US'), { width: '96px' }),
  column('Hash', (row) => hash(row.hash)),
  column('Root', (row) => hash(row.root), { drop: 'first' }),
];

const filterFields: readonly FilterField[] = [
  { name: 'account', label: 'Account', placeholder: 'All accounts', options: optionsOf(accountLabels) },
  { name: 'reason', label: 'Reason', placeholder: 'All reasons', options: optionsOf(reasonLabels) },
  { name: 'reference', label: 'Reference', placeholder: 'WD-7M2QX4' },
  { name: 'key', label: 'Key', placeholder: 'trade/17/' },
  { name: 'registered_id', label: 'Registered Id', placeholder: 'TWB8Q7YD4E' },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
];

type LedgerFilter = QueryInOf<typeof consoleLedger.listLedgerTransfers>;

/** The filter in the address, as input of the call. Unknown choices are omitted; the server refuses invalid text. */
export function filterOf(params: URLSearchParams): LedgerFilter {
  const filter: LedgerFilter = { ...periodOf(params) };
  const { account = '', reason = '', ...rest } = Object.fromEntries(params);
  if (Object.hasOwn(accountLabels, account)) filter.account = account as Account;
  if (Object.hasOwn(reasonLabels, reason)) filter.reason = reason as LedgerTransfer['reason'];
  for (const name of ['reference', 'key', 'registered_id'] as const) {
    const value = rest[name]?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}
