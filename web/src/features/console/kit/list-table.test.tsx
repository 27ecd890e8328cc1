import { CloseButton } from '@mantine/core';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { renderAt } from '../../../../test/render.tsx';
import { fittingColumns, ListTable, PageLoading } from './list-table.tsx';

type Row = { id: string; name: string };
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), name: `Row ${index}` }));
const things = {
  label: 'Things',
  columns: [{ key: 'name', label: 'Name', render: (row: Row) => row.name }],
  empty: { icon: null, title: 'No things yet' },
};
const query = { isError: false, isFetching: false, error: null, dataUpdatedAt: 0, refetch: () => undefined };

function open(
  rows: Row[],
  { onEnd, ...more }: Partial<Parameters<typeof ListTable<Row>>[0]> & { onEnd?: () => void } = {},
) {
  const onOpen = vi.fn();
  const onClose = vi.fn();
  const view = renderAt(
    '/',
    <ListTable {...things} list={{ query, rows, onEnd }} onOpen={onOpen} onClose={onClose} {...more} />,
  );
  return { onOpen, onClose, ...view };
}
const focused = () => document.activeElement?.textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

/** With a detail of Row 1 beside it. */
function OpenPage() {
  const [selected, setSelected] = useState<string | undefined>('1');
  return (
    <>
      <ListTable {...things} list={{ query, rows: rowsOf(3) }} selected={selected} onOpen={() => {}} />
      {selected !== undefined && <CloseButton aria-label="Close" onClick={() => setSelected(undefined)} />}
    </>
  );
}

describe('by keyboard', () => {
  test('j and k move, Enter opens, Escape closes', () => {
    const { onOpen, onClose } = open(rowsOf(3));
    press('j');
    expect(focused()).toBe('Row 0');
    press('j');
    press('j');
    press('j');
    expect(focused()).toBe('Row 2');
    press('k');
    expect(focused()).toBe('Row 1');
    press('Enter');
    expect(onOpen).toHaveBeenCalledExactlyOnceWith({ id: '1', name: 'Row 1' });
    press('Escape');
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('the arrow keys do the same, and start at the open row', () => {
    open(rowsOf(3), { selected: '1' });
    press('ArrowDown');
    expect(focused()).toBe('Row 1');
    press('ArrowDown');
    expect(focused()).toBe('Row 2');
    press('ArrowUp');
    expect(focused()).toBe('Row 1');
  });

  test('closing a detail that has the focus returns it to the row', () => {
    renderAt('/', <OpenPage />);
    const close = screen.getByRole('button', { name: 'Close' });
    close.focus();
    fireEvent.click(close);
    expect(focused()).toBe('Row 1');
  });

  test('only one row can be reached by Tab', () => {
    open(rowsOf(3));
    press('j');
    press('j');
    const reachable = screen.getAllByRole('row').filter((row) => row.getAttribute('tabindex') === '0');
    expect(reachable.map((row) => row.textContent)).toEqual(['Row 1']);
  });

  test('typing into a field does not move the selection', () => {
    open(rowsOf(3), { empty: { icon: null, title: '' } });
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    press('j');
    expect(document.activeElement).toBe(field);
    field.remove();
  });
});

test('of thousands of rows only those near the window are rendered, and the table gives the full count', async () => {
  let prototype: object = document.createElement('div');
  while (!Object.hasOwn(prototype, 'clientHeight')) prototype = Object.getPrototypeOf(prototype);
  vi.spyOn(prototype as HTMLElement, 'clientHeight', 'get').mockReturnValue(480);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(48);
  open(rowsOf(5_000));
  await screen.findByText('Row 0');
  const drawn = screen.getAllByRole('row').filter((row) => row.dataset.index !== undefined);
  expect(drawn.length).toBeGreaterThan(9);
  expect(drawn.length).toBeLessThan(60);
  // Rows that are not rendered are replaced by one cell, whichever columns are hidden: more cells would add columns
  // of their own.
  const others = [...document.querySelectorAll('tbody tr:not([data-index])')];
  expect(others.map(({ children }) => [...children].map((cell) => cell.getAttribute('colspan')))).toEqual([[null]]);
  expect(screen.getByRole('grid', { name: 'Things' }).getAttribute('aria-rowcount')).toBe('5001');
  vi.restoreAllMocks();
});

test('a printer gets all rows, and no further ones are loaded for it', async () => {
  const onEnd = vi.fn();
  open(rowsOf(100), { list: { query, rows: rowsOf(100), onEnd } });
  const countRows = () => screen.queryAllByText(/^Row /).length;
  expect(countRows()).toBeLessThan(60);
  onEnd.mockClear();
  fireEvent(window, new Event('beforeprint'));
  expect(countRows()).toBe(100);
  expect(onEnd).not.toHaveBeenCalled();
  fireEvent(window, new Event('afterprint'));
  expect(countRows()).toBeLessThan(60);
});

test('columns that do not fit are left out: the last first, and only as many as needed', () => {
  const render = (row: Row) => row.name;
  const columns = [
    { key: 'time', label: 'Time', width: '110px', render },
    { key: 'by', label: 'By', width: '150px', drop: 'next' as const, render },
    { key: 'file', label: 'In the file' },
    { key: 'details', label: 'Details', drop: 'first' as const, render },
    { key: 'subject', label: 'Subject', width: '140px', drop: 'next' as const, render },
  ];
  const shown = (width: number) => fittingColumns(columns, width, 140).map(({ key }) => key);
  expect(shown(0)).toEqual(['time', 'by', 'details', 'subject']);
  expect(shown(540)).toEqual(['time', 'by', 'details', 'subject']);
  expect(shown(539)).toEqual(['time', 'by', 'subject']);
  expect(shown(399)).toEqual(['time', 'by']);
  expect(shown(259)).toEqual(['time']);
  expect(shown(50)).toEqual(['time']);
});

test('space for content above a list is reserved at once, so that the list can wait for it', async () => {
  renderAt(
    '/',
    <section>
      <PageLoading />
    </section>,
  );
  const place = document.querySelector('section > *');
  expect([place?.childElementCount, screen.queryByRole('status', { name: 'Loading' })]).toEqual([0, null]);
  expect(place?.contains(await screen.findByRole('status', { name: 'Loading' }))).toBe(true);
});

test('loads more near the end', () => {
  const onEnd = vi.fn();
  open(rowsOf(5), { onEnd });
  expect(onEnd).toHaveBeenCalledOnce();
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('-1');
});

test('says that it is empty, or that a filter hides everything', () => {
  const { unmount } = open([]);
  expect(screen.getByText('No things yet')).toBeDefined();
  unmount();
  const onClear = vi.fn();
  open([], { filtered: { title: 'Nothing fits', onClear } });
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(onClear).toHaveBeenCalledOnce();
});
