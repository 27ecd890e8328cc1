import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { DeskDeposit } from '#contract/funds/review.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import { CsvExport } from '../../../ui/table/csv-export.tsx';
import { DeskSplit } from '../kit/list-page.tsx';
import { useDeskList } from '../kit/use-list.ts';
import { useOpened } from '../kit/use-opened.ts';
import { overviewQuery } from '../shell/overview-query.ts';
import { DepositDetail } from './deposit-detail.tsx';
import { DepositList } from './deposit-list.tsx';
import { readDeposits } from './queries.ts';
import { isTabState, stateWords, tabStates } from './states.ts';

const LIST_POLL_MS = 15_000;

/** Deposits that a person decides about, and all others to look at (docs/product.md, section 4). */
export function DepositsPage() {
  const operator = useOperator();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('state');
  const state = isTabState(asked) ? asked : 'review';
  const { opened, open, close } = useOpened('deposits');
  const { data: overview } = useQuery(overviewQuery);
  const list = useDeskList<DeskDeposit>({
    queryKey: ['deposits', 'list', state],
    readPage: readDeposits(state),
    pollMs: LIST_POLL_MS,
  });

  return (
    <>
      <PageHead
        title="Deposits in review"
        facts="Paid late, too little, too much, or to an account that is frozen. Oldest first."
      >
        <CsvExport
          fileName={`deposits-${state}.csv`}
          head={csvHead}
          cellsOf={csvCells}
          readPage={readDeposits(state)}
        />
      </PageHead>
      <DeskSplit
        detail={
          operator &&
          opened !== undefined && <DepositDetail key={opened} id={opened} operator={operator} onClose={close} />
        }
      >
        <Tabs
          label="State"
          fill
          tabs={tabStates.map((value) => ({
            value,
            label: stateWords[value],
            count: (value === 'review' && overview?.queues.deposits_in_review.count) || undefined,
          }))}
          value={state}
          onChange={(next) => setSearch(next === 'review' ? {} : { state: next })}
        >
          <DepositList key={state} state={state} list={list} opened={opened} onOpen={open} onClose={close} />
        </Tabs>
      </DeskSplit>
    </>
  );
}

const csvHead = [
  'Reference',
  'State',
  'Created, UTC',
  'Changed, UTC',
  'Registered Id',
  'Member',
  'Asked',
  'Currency',
  'Credited',
  'Held',
  'Sent back',
  'Gateway',
  'Invoice',
  'Transaction',
  'Note',
] as const;

const csvCells = (row: DeskDeposit) => [
  row.reference,
  row.state,
  row.created_at,
  row.updated_at,
  row.member.referral_code,
  row.member.name,
  row.amount,
  row.currency,
  row.credited,
  row.held,
  row.refunded,
  row.gateway,
  row.invoice_id,
  row.transaction,
  row.note,
];
