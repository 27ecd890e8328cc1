import { Button } from '@mantine/core';
import { IconAdjustments, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { ListFrame, useOpened } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member.tsx';
import { isProposalState, proposalStates, proposalStateWords } from '../kit/proposals.ts';
import { payers } from '../roles.ts';
import { AdjustmentDetail } from './adjustment-detail.tsx';
import { ProposeDialog } from './propose-dialog.tsx';
import { readAdjustments } from './queries.ts';

const LIST_POLL_MS = 15_000;

/** Corrections of wallets: one operator proposes, another approves, always. */
export function AdjustmentsPage() {
  const operator = useOperator();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('state');
  const state = isProposalState(asked) ? asked : 'proposed';
  const { opened, open, close } = useOpened('adjustments');
  const [isProposing, setProposing] = useState(false);
  const [decided, setDecided] = useState<Adjustment>();
  const list = useList<Adjustment>({
    queryKey: ['adjustments', state],
    readPage: readAdjustments(state),
    pollMs: LIST_POLL_MS,
  });
  const found = list.rows?.find(({ id }) => id === opened);
  // One that was decided leaves its list and stays open all the same.
  const shown = found ?? (decided?.id === opened ? decided : undefined);
  return (
    <>
      <PageHead title="Adjustments" facts="A correction takes two operators, and the member reads the reason.">
        {operator && payers.includes(operator.role) && (
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setProposing(true)}>
            Propose
          </Button>
        )}
      </PageHead>
      <ListFrame
        detail={
          operator &&
          shown && (
            <AdjustmentDetail
              key={shown.id}
              adjustment={shown}
              operator={operator}
              onClose={close}
              onDecided={setDecided}
            />
          )
        }
      >
        <Tabs
          label="State"
          fill
          tabs={proposalStates.map((value) => ({ value, label: proposalStateWords[value] }))}
          value={state}
          onChange={(next) => setSearch(next === 'proposed' ? {} : { state: next })}
        >
          <ListTable
            key={state}
            label={`Adjustments, ${proposalStateWords[state].toLowerCase()}`}
            columns={columns}
            selected={shown?.id}
            onOpen={(row) => open(row.id)}
            onClose={close}
            list={list}
            empty={{
              icon: <IconAdjustments size={20} stroke={1.5} />,
              title: state === 'proposed' ? 'Nothing waits for a second operator' : 'None yet',
            }}
          />
        </Tabs>
      </ListFrame>
      <ProposeDialog opened={isProposing} onClose={() => setProposing(false)} />
    </>
  );
}

const columns: readonly Column<Adjustment>[] = [
  { key: 'at', label: 'Proposed, UTC', width: '124px', render: (row) => formatShortDateTime(row.proposed_at) },
  {
    key: 'reference',
    label: 'Reference',
    width: '116px',
    from: 'middle',
    render: (row) => <CodeText>{row.reference}</CodeText>,
  },
  { key: 'member', label: 'Member', render: (row) => <MemberCell member={row.member} /> },
  { key: 'by', label: 'By', width: '140px', from: 'wide', render: (row) => row.proposed_by.name },
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    width: '140px',
    render: (row) => <SignedMoney value={row.amount} plain />,
  },
];
