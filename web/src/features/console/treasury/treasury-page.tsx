import { Button } from '@mantine/core';
import { IconBuildingBank, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { TreasuryMove } from '#contract/operator/proposals.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ListFrame, useOpened } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { isProposalState, proposalStates, proposalStateWords } from '../kit/proposals.ts';
import { payers } from '../roles.ts';
import { kindWords, sourceWords } from './labels.ts';
import { MoveDetail } from './move-detail.tsx';
import { ProposeMove } from './propose-move.tsx';
import { readMoves } from './queries.ts';
import { TreasuryFigures } from './treasury-figures.tsx';

const LIST_POLL_MS = 15_000;

/** The house's own money, and the moves of it that two operators book. */
export function TreasuryPage() {
  const operator = useOperator();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('state');
  const state = isProposalState(asked) ? asked : 'proposed';
  const { opened, open, close } = useOpened('treasury');
  const [isProposing, setProposing] = useState(false);
  const [decided, setDecided] = useState<TreasuryMove>();
  const list = useList<TreasuryMove>({
    queryKey: ['treasury', 'moves', state],
    readPage: readMoves(state),
    pollMs: LIST_POLL_MS,
  });
  const found = list.rows?.find(({ id }) => id === opened);
  // One that was decided leaves its list and stays open all the same.
  const shown = found ?? (decided?.id === opened ? decided : undefined);
  return (
    <>
      <PageHead title="Treasury" facts="Moves of the house’s money are recorded by one operator and booked by another.">
        {operator && payers.includes(operator.role) && (
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setProposing(true)}>
            Record a move
          </Button>
        )}
      </PageHead>
      <TreasuryFigures />
      <ListFrame
        detail={
          operator &&
          shown && <MoveDetail key={shown.id} move={shown} operator={operator} onClose={close} onDecided={setDecided} />
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
            label={`Moves, ${proposalStateWords[state].toLowerCase()}`}
            columns={columns}
            selected={shown?.id}
            onOpen={(row) => open(row.id)}
            onClose={close}
            list={list}
            empty={{
              icon: <IconBuildingBank size={20} stroke={1.5} />,
              title: state === 'proposed' ? 'Nothing waits for a second operator' : 'None yet',
            }}
          />
        </Tabs>
      </ListFrame>
      <ProposeMove opened={isProposing} onClose={() => setProposing(false)} />
    </>
  );
}

const columns: readonly Column<TreasuryMove>[] = [
  { key: 'at', label: 'Recorded, UTC', width: '128px', render: (row) => formatShortDateTime(row.proposed_at) },
  {
    key: 'reference',
    label: 'Reference',
    width: '116px',
    from: 'middle',
    render: (row) => <CodeText>{row.reference}</CodeText>,
  },
  {
    key: 'kind',
    label: 'Move',
    render: (row) => (
      <>
        {kindWords[row.kind]}
        {row.source && <small>{sourceWords[row.source]}</small>}
      </>
    ),
  },
  { key: 'by', label: 'By', width: '140px', from: 'wide', render: (row) => row.proposed_by.name },
  { key: 'amount', label: 'Amount', align: 'right', width: '140px', render: (row) => <Money value={row.amount} /> },
];
