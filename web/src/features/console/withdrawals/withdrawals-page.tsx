import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import { CsvExport } from '../../../ui/table/csv-export.tsx';
import { DeskSplit } from '../kit/list-page.tsx';
import { useDeskList } from '../kit/use-list.ts';
import { useOpened } from '../kit/use-opened.ts';
import { overviewQuery } from '../shell/overview-query.ts';
import { PayoutSwitchBanner, StopPayouts } from './payout-switch.tsx';
import { readWithdrawals } from './queries.ts';
import { isTabState, isWaiting, stateWords, tabStates } from './states.ts';
import { WithdrawalDetail } from './withdrawal-detail.tsx';
import { WithdrawalFigures } from './withdrawal-figures.tsx';
import { WithdrawalList } from './withdrawal-list.tsx';

const LIST_POLL_MS = 10_000;

/** The queue of the people who let money out (docs/product.md, section 5). */
export function WithdrawalsPage() {
  const operator = useOperator();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('state');
  const state = isTabState(asked) ? asked : 'requested';
  const { opened, open, close } = useOpened('withdrawals');
  const { data: overview } = useQuery(overviewQuery);
  const list = useDeskList<DeskWithdrawal>({
    queryKey: ['withdrawals', 'list', state],
    readPage: readWithdrawals(state),
    ...(isWaiting(state) && { pollMs: LIST_POLL_MS }),
  });
  const countOf = (of: string) => overview?.queues.withdrawals.find((queue) => queue.state === of)?.count || undefined;

  return (
    <>
      <PageHead
        title="Withdrawals"
        facts={`Oldest first. ${withdrawalRules.twoOperatorsFromDollars.toLocaleString('en-US')} or more needs two different operators.`}
      >
        {operator && <StopPayouts operator={operator} />}
        <CsvExport
          fileName={`withdrawals-${state}.csv`}
          head={csvHead}
          cellsOf={csvCells}
          readPage={readWithdrawals(state)}
        />
      </PageHead>
      {operator && <PayoutSwitchBanner operator={operator} />}
      <WithdrawalFigures />
      <DeskSplit
        detail={
          operator &&
          opened !== undefined && <WithdrawalDetail key={opened} id={opened} operator={operator} onClose={close} />
        }
      >
        <Tabs
          label="State"
          fill
          tabs={tabStates.map((value) => ({ value, label: stateWords[value], count: countOf(value) }))}
          value={state}
          onChange={(next) => setSearch(next === 'requested' ? {} : { state: next })}
        >
          <WithdrawalList key={state} state={state} list={list} opened={opened} onOpen={open} onClose={close} />
        </Tabs>
      </DeskSplit>
    </>
  );
}

const csvHead = [
  'Reference',
  'State',
  'Asked, UTC',
  'Changed, UTC',
  'Registered Id',
  'Member',
  'Amount',
  'Fee',
  'Net',
  'Wallet',
  'Network',
  'Address',
  'Transaction',
  'Approved by',
  'Note',
] as const;

const csvCells = (row: DeskWithdrawal) => [
  row.reference,
  row.state,
  row.created_at,
  row.updated_at,
  row.member.referral_code,
  row.member.name,
  row.amount,
  row.fee,
  row.net,
  row.wallet_type,
  row.network,
  row.address,
  row.transaction,
  row.approvals.map(({ operator }) => operator).join(', '),
  row.note,
];
