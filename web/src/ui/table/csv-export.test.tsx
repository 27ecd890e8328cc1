import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { CallError } from '../../api/call.ts';
import type { PageQuery } from '../../api/csv.ts';
import { CsvExport } from './csv-export.tsx';
import type { Column } from './data-table.tsx';

const columns: readonly Column<string>[] = [
  { key: 'picture', label: 'Picture', render: () => null },
  { key: 'name', label: 'Member', csvLabel: 'Name', csv: (name) => name },
];

const show = (readPage: (query: PageQuery) => Promise<{ items: string[]; next_cursor: string | null }>) =>
  renderAt('/', <CsvExport fileName="names.csv" columns={columns} readPage={readPage} />);

const press = () => fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));

test('the file has all pages, with cells defused that a spreadsheet could run', async () => {
  const files = savedFiles();
  const asked: PageQuery[] = [];
  const pages = [
    { items: ['Anika'], next_cursor: 'after1' },
    { items: ['=1+1'], next_cursor: null },
  ];
  show(async (query) => {
    asked.push(query);
    return pages.shift() ?? { items: [], next_cursor: null };
  });
  press();
  await waitFor(() => expect(files).toHaveLength(1));
  expect(await files[0]?.file.text()).toContain("Name\r\nAnika\r\n'=1+1\r\n");
  expect(asked).toEqual([{ limit: '100' }, { limit: '100', cursor: 'after1' }]);
  expect(screen.getByRole('button', { name: 'Export CSV' })).toHaveProperty('disabled', false);
});

test('without an answer no file is created, and an error is shown', async () => {
  const files = savedFiles();
  show(() => Promise.reject(new CallError(0, 'No connection. Please try again.')));
  press();
  expect((await screen.findByRole('alert')).textContent).toContain('No connection.');
  expect(files).toEqual([]);
});
