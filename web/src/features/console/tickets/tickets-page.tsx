import { useSearchParams } from 'react-router';
import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { categoryOptions, stateOptions } from '../../../entities/ticket/ticket-labels.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { Tabs } from '../../../ui/frame/tabs.tsx';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import { DeskSplit } from '../kit/list-page.tsx';
import { useDeskList } from '../kit/use-list.ts';
import { useOpened } from '../kit/use-opened.ts';
import { CannedReplies } from './canned-replies.tsx';
import { assignmentOptions, filterSearch, readFilter, type TicketFilter } from './filters.ts';
import { readTickets } from './queries.ts';
import { TicketDetail } from './ticket-detail.tsx';
import { TicketFigures } from './ticket-figures.tsx';
import { TicketList } from './ticket-list.tsx';
import classes from './tickets-page.module.css';

const LIST_POLL_MS = 10_000;

/** The desk of the people who answer (docs/product.md, section 9). */
export function TicketsPage() {
  const operator = useOperator();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const { opened, open, close } = useOpened('tickets');
  const list = useDeskList<DeskTicket>({
    queryKey: ['tickets', 'list', filter],
    readPage: readTickets(filter),
    pollMs: LIST_POLL_MS,
  });
  const choose = (change: Partial<TicketFilter>) => setSearch(filterSearch({ ...filter, ...change }));

  return (
    <>
      <PageHead title="Tickets" facts="Open ones by who waits longest, others by their last change.">
        <CannedReplies />
      </PageHead>
      <TicketFigures />
      <DeskSplit
        detail={
          operator &&
          opened !== undefined && <TicketDetail key={opened} id={opened} operator={operator} onClose={close} />
        }
      >
        <Tabs label="State" fill tabs={stateOptions} value={filter.state} onChange={(state) => choose({ state })}>
          <div className={classes.filters}>
            <FilterMenu
              label="Assigned"
              allLabel="Everybody’s"
              options={assignmentOptions}
              value={filter.assigned}
              onChange={(assigned) => choose({ assigned })}
            />
            <FilterMenu
              label="Category"
              allLabel="All categories"
              options={categoryOptions}
              value={filter.category}
              onChange={(category) => choose({ category })}
            />
          </div>
          <TicketList
            key={search.toString()}
            filter={filter}
            list={list}
            opened={opened}
            onOpen={open}
            onClose={close}
            onClearFilter={() => choose({ category: undefined, assigned: undefined })}
          />
        </Tabs>
      </DeskSplit>
    </>
  );
}
