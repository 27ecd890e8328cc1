import { VisuallyHidden } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { categoryName } from '../../../entities/ticket/ticket-labels.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { formatAge } from '../kit/age.ts';
import { ListTable } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member-cell.tsx';
import type { useDeskList } from '../kit/use-list.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import type { TicketFilter } from './filters.ts';
import classes from './tickets-page.module.css';

type TicketListProps = {
  filter: TicketFilter;
  list: ReturnType<typeof useDeskList<DeskTicket>>;
  opened: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
  onClearFilter: () => void;
};

/** Tickets of one state: what waits says how long it has. */
export function TicketList({ filter, list, opened, onOpen, onClose, onClearFilter }: TicketListProps) {
  const now = useSlowNow();
  const { state, category, assigned } = filter;
  const isFiltered = category !== undefined || assigned !== undefined;
  return (
    <ListTable
      label={`Tickets, ${state}`}
      columns={[state === 'open' ? waitingColumn(now) : changedColumn, ...columns]}
      rows={list.rows}
      rowKey={(row) => row.id}
      selected={opened}
      onOpen={(row) => onOpen(row.id)}
      onClose={onClose}
      query={list.query}
      onEnd={list.onEnd}
      filtered={
        isFiltered
          ? {
              title: `No ${state} ticket is among them`,
              text: 'Others are hidden by the filters.',
              onClear: onClearFilter,
            }
          : undefined
      }
      empty={{
        icon: <IconMessage size={20} stroke={1.5} />,
        title: state === 'open' ? 'Nobody waits for an answer' : `No ticket is ${state}`,
        text: 'What members ask comes here by itself.',
      }}
    />
  );
}

const waitingColumn = (now: number): Column<DeskTicket> => ({
  key: 'waits',
  label: 'Waits',
  width: '136px',
  sorted: 'descending',
  render: ({ waiting_since, updated_at }) => {
    const since = waiting_since ?? updated_at;
    return (
      <>
        {formatAge(now - Date.parse(since))}
        <small>{formatShortDateTime(since)} UTC</small>
      </>
    );
  },
});

const changedColumn: Column<DeskTicket> = {
  key: 'changed',
  label: 'Changed, UTC',
  width: '136px',
  sorted: 'descending',
  render: (row) => formatShortDateTime(row.updated_at),
};

const columns: readonly Column<DeskTicket>[] = [
  { key: 'member', label: 'Member', width: '150px', render: (row) => <MemberCell member={row.member} /> },
  {
    key: 'subject',
    label: 'Subject',
    render: (row) => (
      <span className={classes.subject}>
        <span className={classes.words} data-unread={row.unread > 0 || undefined}>
          {row.subject}
          <small>
            <CodeText>{row.reference}</CodeText> · {categoryName(row.category)}
            {row.about && ` · ${row.about.label}`}
          </small>
        </span>
        {row.unread > 0 && (
          <span className={classes.unread}>
            {row.unread}
            <VisuallyHidden> unread</VisuallyHidden>
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'assigned',
    label: 'Assigned',
    width: '120px',
    from: 'middle',
    render: (row) => row.assigned_to?.name ?? '–',
  },
];
