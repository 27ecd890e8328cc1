import { Badge, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { operatorTickets } from '#contract/endpoints.ts';
import { type TicketState, ticketCategories, ticketStates } from '#contract/tickets/ticket-rules.ts';
import type { OperatorTicket } from '#contract/tickets/tickets.ts';
import { call } from '../../../api/call.ts';
import { categoryLabels, categoryOptions, stateOptions } from '../../../entities/ticket/ticket-labels.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { Awaited } from '../../../ui/layout/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { formatAge, useSlowNow } from '../kit/age.ts';
import { column, lines, MemberCell, timeLines } from '../kit/columns.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { CannedReplies } from './canned-replies.tsx';
import { TicketDetail } from './ticket-detail.tsx';

const LIST_POLL_MS = 10_000;

/** The support queue (docs/product.md, section 9). */
export function TicketsPage() {
  const now = useSlowNow();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const { state, category, assigned } = filter;
  const list = useList<OperatorTicket>({
    queryKey: ['tickets', 'list', filter],
    readPage: (query, signal) => call(operatorTickets.listOperatorTickets, { query: { ...query, ...filter }, signal }),
    pollMs: LIST_POLL_MS,
  });
  const choose = (change: Partial<TicketFilter>) => setSearch(filterSearch({ ...filter, ...change }));
  return (
    <ListPage
      path="tickets"
      title="Tickets"
      facts="Open tickets by waiting time, others by last change."
      actions={<CannedReplies />}
      tabs={{
        label: 'State',
        tabs: stateOptions,
        value: state,
        onChange: (next) => choose({ state: next }),
      }}
      tools={
        <Group
          flex="none"
          gap="xs"
          px={{ base: 16, sm: 20 }}
          py="xs"
          style={{ borderBottom: '1px solid var(--tw-line)' }}
        >
          <FilterMenu
            label="Assigned"
            allLabel="Everyone"
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
        (category ?? assigned) !== undefined && {
          title: `No matching ${state} tickets`,
          text: 'Other tickets are hidden by the filters.',
          onClear: () => choose({ category: undefined, assigned: undefined }),
        }
      }
      empty={{
        icon: IconMessage,
        title: `No ${state} tickets`,
        text: 'Questions of members appear here.',
      }}
      detail={(id, close) => <TicketDetail key={id} id={id} onClose={close} />}
    >
      <TicketFigures />
    </ListPage>
  );
}

const waitingColumn = (now: number): Column<OperatorTicket> =>
  column(
    'Waiting',
    ({ waiting_since, updated_at }) => {
      const since = waiting_since ?? updated_at;
      return lines(formatAge(now - Date.parse(since)), `${formatShortDateTime(since)} UTC`);
    },
    { width: '136px', sorted: 'descending' },
  );

const changedColumn = column<OperatorTicket>('Changed, UTC', (row) => timeLines(row.updated_at), {
  width: '136px',
  sorted: 'descending',
});

const columns: readonly Column<OperatorTicket>[] = [
  column(
    'Member',
    // On a phone, where columns fit their content, a long name leaves room for the subject.
    (row) => (
      <Text component="div" inherit truncate maw="clamp(90px, 23vw, 130px)">
        <MemberCell member={row.member} />
      </Text>
    ),
    { width: '150px' },
  ),
  column('Subject', ({ subject, reference, category, about, unread }) => (
    <Group gap="xs" wrap="nowrap">
      <Text component="span" inherit truncate {...(unread > 0 && { fw: 600 })}>
        {subject}
        <Text component="small" size="xs" fw={400}>
          <CodeText>{reference}</CodeText> · {categoryLabels[category]}
          {about && ` · ${about.label}`}
        </Text>
      </Text>
      {unread > 0 && (
        <Badge flex="none" size="sm" circle color="var(--tw-accent-fill)" c="var(--tw-on-accent)">
          {unread}
          <VisuallyHidden> unread</VisuallyHidden>
        </Badge>
      )}
    </Group>
  )),
  column('Assigned to', (row) => row.assigned_to?.name ?? '–', { width: '120px', drop: 'next' }),
];

/** Open tickets, the longest wait, and the number unassigned. */
function TicketFigures() {
  const { data } = useQuery(overviewQuery);
  const now = useSlowNow();
  const queue = data?.queues.tickets;
  const oldest = queue?.oldest_at ?? null;
  const isKnown = queue !== undefined;
  return (
    <FigureStrip>
      <Figure
        label="Awaiting answer"
        foot={<Awaited isThere={isKnown}>{queue?.count === 1 ? 'open ticket' : 'open tickets'}</Awaited>}
      >
        {queue?.count.toLocaleString('en-US') ?? '–'}
      </Figure>
      <Figure
        label="Longest wait"
        foot={
          <Awaited isThere={isKnown}>{oldest === null ? 'queue is empty' : `since ${formatDateTime(oldest)}`}</Awaited>
        }
      >
        {oldest === null ? '–' : formatAge(now - Date.parse(oldest))}
      </Figure>
      <Figure
        label="Unassigned"
        foot={
          <Awaited isThere={isKnown}>{queue?.unassigned === 0 ? 'all are assigned' : 'of the open tickets'}</Awaited>
        }
      >
        {queue?.unassigned.toLocaleString('en-US') ?? '–'}
      </Figure>
    </FigureStrip>
  );
}

type TicketFilter = {
  state: TicketState;
  category?: (typeof ticketCategories)[number] | undefined;
  assigned?: (typeof assignments)[number] | undefined;
};

const assignments = ['me', 'nobody'] as const;
const assignmentOptions = [
  { value: 'me', label: 'Me' },
  { value: 'nobody', label: 'Unassigned' },
] as const;

/** The filter in the address: `?state=answered&category=deposit&assigned=me`; invalid values are ignored. */
const readFilter = (search: URLSearchParams): TicketFilter => ({
  state: ticketStates.find((one) => one === search.get('state')) ?? 'open',
  category: ticketCategories.find((one) => one === search.get('category')),
  assigned: assignments.find((one) => one === search.get('assigned')),
});

/** The same filter as an address; open tickets are the default. */
function filterSearch({ state, category, assigned }: TicketFilter): URLSearchParams {
  const search = new URLSearchParams();
  if (state !== 'open') search.set('state', state);
  if (category !== undefined) search.set('category', category);
  if (assigned !== undefined) search.set('assigned', assigned);
  return search;
}
