import { Group, VisuallyHidden } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type TicketState, ticketCategories, ticketStates } from '#contract/tickets/ticket-rules.ts';
import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { categoryName, categoryOptions, stateOptions } from '../../../entities/ticket/ticket-labels.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { MemberCell } from '../kit/member.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { CannedReplies } from './canned-replies.tsx';
import { readTickets } from './queries.ts';
import { TicketDetail } from './ticket-detail.tsx';
import classes from './tickets-page.module.css';

const LIST_POLL_MS = 10_000;

/** The desk of the people who answer (docs/product.md, section 9). */
export function TicketsPage() {
  const operator = useOperator();
  const now = useSlowNow();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const { state, category, assigned } = filter;
  const list = useList<DeskTicket>({
    queryKey: ['tickets', 'list', filter],
    readPage: readTickets(filter),
    pollMs: LIST_POLL_MS,
  });
  const choose = (change: Partial<TicketFilter>) => setSearch(filterSearch({ ...filter, ...change }));
  const isFiltered = category !== undefined || assigned !== undefined;
  return (
    <ListPage
      path="tickets"
      title="Tickets"
      facts="Open ones by who waits longest, others by their last change."
      actions={<CannedReplies />}
      tabs={{
        label: 'State',
        tabs: stateOptions,
        value: state,
        onChange: (next) => choose({ state: next }),
      }}
      tools={
        <Group className={classes.filters} gap="xs" px={{ base: 16, sm: 20 }} py="xs">
          <FilterMenu
            label="Assigned"
            allLabel="Everybody’s"
            options={assignmentOptions}
            value={assigned}
            onChange={(next) => choose({ assigned: next })}
          />
          <FilterMenu
            label="Category"
            allLabel="All categories"
            options={categoryOptions}
            value={category}
            onChange={(next) => choose({ category: next })}
          />
        </Group>
      }
      label={`Tickets, ${state}`}
      columns={[state === 'open' ? waitingColumn(now) : changedColumn, ...columns]}
      list={list}
      filtered={
        isFiltered
          ? {
              title: `No ${state} ticket is among them`,
              text: 'Others are hidden by the filters.',
              onClear: () => choose({ category: undefined, assigned: undefined }),
            }
          : undefined
      }
      empty={{
        icon: <IconMessage size={20} stroke={1.5} />,
        title: state === 'open' ? 'Nobody waits for an answer' : `No ticket is ${state}`,
        text: 'What members ask comes here by itself.',
      }}
      detail={(id, close) => operator && <TicketDetail key={id} id={id} operator={operator} onClose={close} />}
    >
      <TicketFigures />
    </ListPage>
  );
}

/** What waits says how long it has. */
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

/** How many wait for an answer, how long the longest has, and how many of them nobody has taken. */
function TicketFigures() {
  const { data } = useQuery(overviewQuery);
  const now = useSlowNow();
  const queue = data?.queues.tickets;
  const oldest = queue?.oldest_at ?? null;
  return (
    <FigureStrip>
      <Figure label="Waiting for an answer" foot={queue && (queue.count === 1 ? 'ticket is open' : 'tickets are open')}>
        {queue?.count.toLocaleString('en-US') ?? '–'}
      </Figure>
      <Figure label="Longest" foot={oldest === null ? queue && 'nobody waits' : `since ${formatDateTime(oldest)}`}>
        {oldest === null ? '–' : formatAge(now - Date.parse(oldest))}
      </Figure>
      <Figure
        label="Nobody’s"
        foot={queue && (queue.unassigned === 0 ? 'each has somebody' : 'of them are to be taken')}
      >
        {queue?.unassigned.toLocaleString('en-US') ?? '–'}
      </Figure>
    </FigureStrip>
  );
}

export type TicketFilter = {
  state: TicketState;
  category?: (typeof ticketCategories)[number] | undefined;
  assigned?: (typeof assignments)[number] | undefined;
};

const assignments = ['me', 'nobody'] as const;
const assignmentOptions = [
  { value: 'me', label: 'Mine' },
  { value: 'nobody', label: 'Nobody’s' },
] as const;

/** What the address asks for: `?state=answered&category=deposit&assigned=me`; what is no filter is none. */
const readFilter = (search: URLSearchParams): TicketFilter => ({
  state: ticketStates.find((one) => one === search.get('state')) ?? 'open',
  category: ticketCategories.find((one) => one === search.get('category')),
  assigned: assignments.find((one) => one === search.get('assigned')),
});

/** The same filter as an address; open tickets are what the page begins with. */
function filterSearch({ state, category, assigned }: TicketFilter): URLSearchParams {
  const search = new URLSearchParams();
  if (state !== 'open') search.set('state', state);
  if (category !== undefined) search.set('category', category);
  if (assigned !== undefined) search.set('assigned', assigned);
  return search;
}
