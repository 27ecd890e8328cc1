import { VisuallyHidden } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatShortDateTime, formatTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { formatAge } from '../kit/age.ts';
import { Flags } from '../kit/flag.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member-cell.tsx';
import type { useDeskList } from '../kit/use-list.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import { ApprovalDots } from './approval-dots.tsx';
import { countingApprovals, flagsOf } from './checks.ts';
import { isWaiting, stateWords } from './states.ts';

type WithdrawalListProps = {
  state: WithdrawalState;
  list: ReturnType<typeof useDeskList<DeskWithdrawal>>;
  opened: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
};

const walletWords = { primary: 'Primary', profit: 'Profit' } as const;

/** The queue of one state: what waits says how long it has. */
export function WithdrawalList({ state, list, opened, onOpen, onClose }: WithdrawalListProps) {
  const now = useSlowNow();
  return (
    <ListTable
      label={`Withdrawals, ${stateWords[state].toLowerCase()}`}
      columns={columnsOf(state, now)}
      rows={list.rows}
      rowKey={(row) => row.id}
      selected={opened}
      onOpen={(row) => onOpen(row.id)}
      onClose={onClose}
      query={list.query}
      onEnd={list.onEnd}
      empty={{
        icon: <IconUpload size={20} stroke={1.5} />,
        title: isWaiting(state)
          ? `None is ${stateWords[state].toLowerCase()}`
          : `None was ${stateWords[state].toLowerCase()} yet`,
        text: 'Withdrawals come here by themselves.',
      }}
    />
  );
}

function columnsOf(state: WithdrawalState, now: number): Column<DeskWithdrawal>[] {
  const asked: Column<DeskWithdrawal> = isWaiting(state)
    ? {
        key: 'asked',
        label: 'Asked',
        width: '104px',
        sorted: 'ascending',
        render: (row) => (
          <>
            {formatAge(now - Date.parse(row.created_at))}
            <small>{formatTime(row.created_at)} UTC</small>
          </>
        ),
      }
    : {
        key: 'asked',
        label: 'Asked, UTC',
        width: '104px',
        sorted: 'descending',
        render: (row) => formatShortDateTime(row.created_at),
      };
  return [
    asked,
    { key: 'member', label: 'Member', render: (row) => <MemberCell member={row.member} /> },
    {
      key: 'amount',
      label: 'Amount',
      align: 'right',
      width: '100px',
      render: (row) => (
        <>
          {formatMoney(row.amount, 'typed')}
          <small>{walletWords[row.wallet_type]}</small>
        </>
      ),
    },
    {
      key: 'net',
      label: 'Net',
      align: 'right',
      width: '112px',
      from: 'middle',
      render: (row) => (
        <>
          <Money value={row.net} />
          <small>fee {formatMoney(row.fee, 'typed')}</small>
        </>
      ),
    },
    { key: 'network', label: 'Network', width: '76px', from: 'wide', render: (row) => row.network },
    {
      key: 'approvals',
      label: 'Approvals',
      width: '92px',
      render: (row) => <ApprovalDots given={countingApprovals(row)} needed={row.approvals_needed} />,
    },
    {
      key: 'flags',
      label: <VisuallyHidden>To look at</VisuallyHidden>,
      align: 'right',
      width: '144px',
      render: (row) => <Flags flags={flagsOf(row)} />,
    },
  ];
}
