import { useSearchParams } from 'react-router';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import { ListFrame } from '../kit/list-page.tsx';
import { useOpened } from '../kit/use-opened.ts';
import { AccountList } from './account-list.tsx';
import { filterOf } from './filter.ts';
import { LedgerFilters } from './ledger-filters.tsx';
import { downloadTransfers } from './queries.ts';
import { SealList } from './seal-list.tsx';
import { TransferDetail } from './transfer-detail.tsx';
import { TransferList } from './transfer-list.tsx';

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
      {tab === 'transfers' && <LedgerFilters key={params.toString()} params={params} onChange={setParams} />}
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
