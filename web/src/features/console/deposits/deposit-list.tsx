import { IconDownload } from '@tabler/icons-react';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { DeskDeposit } from '#contract/funds/review.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatShortDateTime, formatTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { formatAge } from '../kit/age.ts';
import { Flag } from '../kit/flag.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member-cell.tsx';
import type { useDeskList } from '../kit/use-list.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import { flagOf } from './flag-of.ts';
import { stateWords } from './states.ts';

type DepositListProps = {
  state: DepositState;
  list: ReturnType<typeof useDeskList<DeskDeposit>>;
  opened: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
};

/** Deposits of one state; those in review say how long they wait, and what is odd about them. */
export function DepositList({ state, list, opened, onOpen, onClose }: DepositListProps) {
  const now = useSlowNow();
  const word = stateWords[state].toLowerCase();
  return (
    <ListTable
      label={`Deposits, ${word}`}
      columns={columnsOf(state, now)}
      rows={list.rows}
      rowKey={(row) => row.id}
      selected={opened}
      onOpen={(row) => onOpen(row.id)}
      onClose={onClose}
      query={list.query}
      onEnd={list.onEnd}
      empty={{
        icon: <IconDownload size={20} stroke={1.5} />,
        title: state === 'review' ? 'None is in review' : `None is ${word}`,
        text: 'What the gateway cannot decide by itself comes here.',
      }}
    />
  );
}

function columnsOf(state: DepositState, now: number): Column<DeskDeposit>[] {
  const when: Column<DeskDeposit> =
    state === 'review'
      ? {
          key: 'when',
          label: 'Waits',
          width: '108px',
          sorted: 'ascending',
          render: (row) => (
            <>
              {formatAge(now - Date.parse(row.updated_at))}
              <small>{formatTime(row.updated_at)} UTC</small>
            </>
          ),
        }
      : {
          key: 'when',
          label: 'Created, UTC',
          width: '108px',
          sorted: 'descending',
          render: (row) => formatShortDateTime(row.created_at),
        };
  return [
    when,
    { key: 'member', label: 'Member', render: (row) => <MemberCell member={row.member} /> },
    {
      key: 'reference',
      label: 'Reference',
      width: '112px',
      from: 'middle',
      render: (row) => (
        <>
          <CodeText>{row.reference}</CodeText>
          <small>{row.gateway}</small>
        </>
      ),
    },
    {
      key: 'amount',
      label: 'Asked',
      align: 'right',
      width: '104px',
      render: (row) => (
        <>
          {formatMoney(row.amount, 'typed')}
          <small>{row.currency}</small>
        </>
      ),
    },
    {
      key: 'held',
      label: state === 'review' ? 'Held' : 'Credited',
      align: 'right',
      width: '120px',
      render: (row) => <Money value={state === 'review' ? row.held : row.credited} />,
    },
    {
      key: 'flag',
      label: state === 'review' ? 'Why' : 'Note',
      align: 'right',
      width: '160px',
      from: 'wide',
      render: (row) => {
        const flag = flagOf(row);
        return flag ? <Flag>{flag}</Flag> : row.note;
      },
    },
  ];
}
