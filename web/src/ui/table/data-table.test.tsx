import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, renderHook, screen, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { onMobile, renderAt } from '../../../test/render.tsx';
import { CallError } from '../../api/call.ts';
import { type Column, DataTable, useCursorPaging } from './data-table.tsx';
import { useKeptState } from './use-kept-state.ts';
import { usePages } from './use-pages.ts';

type Row = { id: string; amount: string };

const columns: Column<Row>[] = [
  { key: 'id', label: 'Asked, UTC', render: (row) => row.id },
  { key: 'amount', label: 'Amount', align: 'right', render: (row) => row.amount },
];
const rows: Row[] = [
  { id: 'first', amount: '$300.0000' },
  { id: 'second', amount: '$450.0000' },
];
const refetch = vi.fn();
const ready = { isError: false, isFetching: false, error: null, dataUpdatedAt: 0, refetch };

beforeEach(() => {
  refetch.mockClear();
});

const show = (props: Partial<Parameters<typeof DataTable<Row>>[0]> = {}) =>
  renderAt(
    '/',
    <DataTable
      label="Withdrawals"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      query={ready}
      empty={{
        icon: null,
        title: 'No withdrawals yet',
        text: 'You can follow it here.',
        action: <button type="button">Withdraw</button>,
      }}
      {...props}
    />,
  );

const cells = () =>
  screen.getAllByRole('row').map((row) =>
    within(row)
      .queryAllByRole('cell')
      .map((cell) => cell.textContent),
  );

type TableProps = Partial<Parameters<typeof DataTable<Row>>[0]>;

function Changing({ steps }: { steps: readonly TableProps[] }) {
  const [step, setStep] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setStep(step + 1)}>
        Next
      </button>
      <DataTable
        {...{ label: 'Withdrawals', columns, rows, query: ready, empty: { icon: null, title: 'No withdrawals yet' } }}
        rowKey={(row) => row.id}
        paging={{ skipped: 0, onNewer: undefined, onEarlier: () => {} }}
        {...steps[step]}
      />
    </>
  );
}

test('what a list shows after a filter or on another page is announced, but not what it shows first', () => {
  const waiting = { ...ready, isPlaceholderData: true };
  const paging = { skipped: 2, total: 4, onNewer: () => {}, onEarlier: undefined };
  const filtered = { title: 'No approved withdrawals', onClear: () => {} };
  const steps = [
    { rows: undefined },
    {},
    { query: waiting },
    { paging },
    { rows: [], filtered },
    { query: waiting },
    {},
  ];
  const { container } = renderAt('/', <Changing steps={steps} />);
  const said = steps.map(() => {
    const text = [...container.querySelectorAll('[role="status"]')].map((one) => one.textContent).join('');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    return text;
  });
  expect(said).toEqual(['', '', '', '3 to 4 of 4', 'No approved withdrawalsClear filter', '', '1 to 2']);
});

test('ready: a named table with header, rows and totals', () => {
  show({ totals: ['All', '$750.0000'] });
  expect(screen.getByRole('table', { name: 'Withdrawals' })).toBeDefined();
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Asked, UTC', 'Amount']);
  expect(cells()).toEqual([[], ['first', '$300.0000'], ['second', '$450.0000'], ['All', '$750.0000']]);
});

test('loading: the header at once, static bars only after 200 ms', () => {
  vi.useFakeTimers();
  show({ rows: undefined });
  expect(screen.getAllByRole('columnheader')).toHaveLength(2);
  expect(screen.getAllByRole('row')).toHaveLength(1);
  act(() => vi.advanceTimersByTime(199));
  expect(screen.getAllByRole('row')).toHaveLength(1);
  act(() => vi.advanceTimersByTime(1));
  expect(screen.getAllByRole('row')).toHaveLength(6);
});

test('empty: says what will appear here, and the one next step', () => {
  show({ rows: [] });
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByText('No withdrawals yet')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeDefined();
});

test('no match: names the filter and clears it', () => {
  const onClear = vi.fn();
  show({ rows: [], filtered: { title: 'Nothing is “Failed”', onClear } });
  expect(screen.queryByText('No withdrawals yet')).toBeNull();
  expect(screen.getByText('Nothing is “Failed”')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(onClear).toHaveBeenCalledOnce();
});

test('an empty list of the previous query is not shown as the answer to this one', () => {
  show({
    rows: [],
    query: { ...ready, isPlaceholderData: true },
    filtered: { title: 'Nothing is “Failed”', onClear: vi.fn() },
  });
  expect(screen.queryByText('Nothing is “Failed”')).toBeNull();
  expect(screen.getByRole('table', { name: 'Withdrawals' })).toBeDefined();
});

describe('error', () => {
  const failed = { ...ready, isError: true, error: new CallError(500, 'Broken.', { requestId: 'req-58c1e0' }) };

  test('shows what failed, that money is safe, the request id, and a retry', () => {
    show({ rows: undefined, query: failed });
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('The list could not be loaded');
    expect(alert.textContent).toContain('Your money is not affected.');
    expect(alert.textContent).toContain('req-58c1e0');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  test('the retry keeps the focus while it loads, and is not repeated', () => {
    show({ rows: undefined, query: { ...failed, isFetching: true } });
    const retry = screen.getByRole('button', { name: 'Try again' });
    expect([retry.hasAttribute('disabled'), retry.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    fireEvent.click(retry);
    expect(refetch).not.toHaveBeenCalled();
  });

  test('stale: the old rows stay below a line with the time', () => {
    show({ query: { ...failed, dataUpdatedAt: Date.parse('2026-03-04T14:02:00.000Z') } });
    expect(screen.getByText('No connection since 14:02 UTC.')).toBeDefined();
    expect(cells()).toContainEqual(['first', '$300.0000']);
    expect(screen.queryByText('The list could not be loaded')).toBeNull();
  });
});

describe('paging', () => {
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

  test('shows the range, and which directions are available', () => {
    const onEarlier = vi.fn();
    show({ paging: { skipped: 25, total: 218, onNewer: undefined, onEarlier } });
    expect(screen.getByText('26 to 27 of 218')).toBeDefined();
    expect(button('Newer').disabled).toBe(true);
    fireEvent.click(button('Earlier'));
    expect(onEarlier).toHaveBeenCalledOnce();
  });

  test('a page that has become empty still links back', () => {
    const onNewer = vi.fn();
    show({ rows: [], paging: { skipped: 25, onNewer, onEarlier: undefined } });
    fireEvent.click(button('Newer'));
    expect(onNewer).toHaveBeenCalledOnce();
  });
});

test('a sorted column header states its direction and sorts when pressed', () => {
  const onSort = vi.fn();
  show({ columns: [columns[0] as Column<Row>, { ...(columns[1] as Column<Row>), sorted: 'descending', onSort }] });
  expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe('descending');
  fireEvent.click(screen.getByRole('button', { name: 'Amount' }));
  expect(onSort).toHaveBeenCalledOnce();
});

test('below 768 px mobileRow renders each row', () => {
  onMobile();
  show({ mobileRow: (row) => `${row.id}: ${row.amount}` });
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'first: $300.0000',
    'second: $450.0000',
  ]);
});

describe('expandable rows', () => {
  const expandable = { label: (row: Row) => `Details of ${row.id}`, render: (row: Row) => <p>all about {row.id}</p> };

  test('each has a button in front that names what it expands, and only the expanded row shows more', () => {
    show({ expandable });
    const button = screen.getByRole('button', { name: 'Details of second' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-controls') ?? '')?.textContent).toBe('all about second');
    expect(screen.queryByText('all about first')).toBeNull();
    fireEvent.click(button);
    expect(screen.queryByText('all about second')).toBeNull();
  });

  test('on a phone they expand below their two lines', () => {
    onMobile();
    show({ expandable, mobileRow: (row) => row.id });
    fireEvent.click(screen.getByRole('button', { name: 'Details of first' }));
    const [first] = screen.getAllByRole('listitem');
    expect(first?.textContent).toBe('firstall about first');
  });
});

/** A visit to the page of a list: another one, or by going back to an entry of the history. */
const visit = <T,>(hook: () => T, client: QueryClient, key: string) =>
  renderHook(hook, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[{ pathname: '/fund', key }]}>{children}</MemoryRouter>
      </QueryClientProvider>
    ),
  });

describe('paging by cursor', () => {
  const newest = { items: [1, 2, 3], next_cursor: 'b', total: 5 };
  const oldest = { items: [4, 5], next_cursor: null, total: 5 };

  const open = (client = new QueryClient(), key = 'one') => visit(useCursorPaging, client, key);

  test('Earlier uses the server’s cursor, Newer goes back the same way, and rows are counted', () => {
    const { result } = open();
    expect(result.current.cursor).toBeUndefined();
    expect(result.current.pagingOf(undefined)).toMatchObject({ skipped: 0, onNewer: undefined, onEarlier: undefined });

    act(() => result.current.pagingOf(newest).onEarlier?.());
    expect(result.current.cursor).toBe('b');
    expect(result.current.pagingOf(oldest)).toMatchObject({ skipped: 3, total: 5, onEarlier: undefined });

    act(() => result.current.pagingOf(oldest).onNewer?.());
    expect(result.current.cursor).toBeUndefined();
    expect(result.current.pagingOf(newest).skipped).toBe(0);
  });

  test('a changed filter starts at the newest again', () => {
    const { result } = open();
    act(() => result.current.pagingOf(newest).onEarlier?.());
    act(() => result.current.reset());
    expect(result.current.cursor).toBeUndefined();
  });

  test('going back in the history leads to the same page, and a link to the newest', () => {
    const client = new QueryClient();
    const before = open(client);
    act(() => before.result.current.pagingOf(newest).onEarlier?.());
    before.unmount();
    expect(open(client, 'two').result.current.cursor).toBeUndefined();
    const { current } = open(client).result;
    expect(current.cursor).toBe('b');
    expect(current.pagingOf(oldest)).toMatchObject({ skipped: 3, onNewer: expect.any(Function) });
  });
});

test('going back in the history leads to the same page of loaded rows too, in each list of a page', () => {
  const client = new QueryClient();
  const rows = [1, 2, 3, 4, 5];
  const lists = (key: string) =>
    visit(() => ['trades', 'decisions'].map((name) => usePages(rows, 2, useKeptState(name, 0))), client, key);
  const before = lists('one');
  act(() => before.result.current[0]?.paging?.onEarlier?.());
  before.unmount();
  expect(lists('one').result.current.map(({ shown }) => shown)).toEqual([
    [3, 4],
    [1, 2],
  ]);
  expect(lists('two').result.current[0]?.shown).toEqual([1, 2]);
});
