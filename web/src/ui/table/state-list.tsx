import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';
import { t } from '../../api/texts.ts';
import { FileButton } from '../forms/file-button.tsx';
import { Panel } from '../layout/panel.tsx';
import { type Column, DataTable, type DataTableProps, useCursorPaging } from './data-table.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { useAddressFilter } from './use-address-filter.ts';

type Filter<State extends string> = { state?: State | undefined; cursor?: string | undefined };

type Page<Row> = { items: Row[]; next_cursor: string | null };

type StateListProps<State extends string, Row, Data extends Page<Row>, Key extends QueryKey> = Pick<
  DataTableProps<Row>,
  'columns' | 'mobileRow' | 'selected' | 'isRowLink' | 'isOff' | 'empty'
> & {
  title: string;
  states: readonly { value: State; label: string }[];
  /** One page of the list; it stays while the next one loads. */
  queryOf: (filter: Filter<State>) => UseQueryOptions<Data, Error, Data, Key>;
  /** The message when the filter hides every row. */
  hidden: (state: string) => { title: string; text: string };
  /** The whole list as a file written by the server: `deposits-credited.csv`. */
  file?: { name: string; read: (state: State | undefined, signal: AbortSignal) => Promise<Blob> };
  foot?: ReactNode;
};

/** A member's paged list, filtered by state. The filter is in the address, so that it can be bookmarked. */
export function StateList<
  State extends string,
  Row extends { id: string },
  Data extends Page<Row>,
  Key extends QueryKey,
>(props: StateListProps<State, Row, Data, Key>) {
  const { title, states, queryOf, hidden, file, foot, ...table } = props;
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const chosen = states.find(({ value }) => value === search.get('state'));
  const state = chosen?.value;
  const query = useQuery(queryOf({ state, cursor: paging.cursor }));
  const rows = query.data?.items;
  return (
    <Panel
      title={title}
      rule
      padded={false}
      foot={foot}
      control={
        <>
          <FilterMenu
            label={t`State`}
            allLabel={t`All states`}
            options={states}
            value={state}
            onChange={(next) => change({ state: next })}
          />
          {file && (
            <FileButton
              small
              fileName={state === undefined ? `${file.name}.csv` : `${file.name}-${state}.csv`}
              read={(signal) => file.read(state, signal)}
              disabled={!rows?.length}
            />
          )}
        </>
      }
    >
      <DataTable
        {...table}
        label={title}
        rows={rows}
        rowKey={(row) => row.id}
        query={query}
        minHeight={320}
        paging={paging.pagingOf(query.data)}
        filtered={chosen && { ...hidden(chosen.label), onClear: () => change({ state: undefined }) }}
      />
    </Panel>
  );
}

/** The last column of a list whose rows are links: an arrow to the row's own page. */
export const openColumn = <Row,>(label: (row: Row) => string, to: (row: Row) => To): Column<Row> => ({
  key: 'open',
  label: <VisuallyHidden>{t`Open`}</VisuallyHidden>,
  align: 'right',
  width: '56px',
  render: (row) => (
    <ActionIcon component={Link} to={to(row)} size="sm" aria-label={label(row)} preventScrollReset>
      <IconChevronRight size={16} stroke={1.5} aria-hidden />
    </ActionIcon>
  ),
});
