import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { CsvButton } from '../table/csv-export.tsx';
import { FilterMenu } from '../table/filter-menu.tsx';
import { CopyIcon, CopyText } from './copy-button.tsx';

test('small buttons have their own name, and a screen reader finds no picture in them', () => {
  renderAt(
    '/',
    <>
      <CopyIcon value="0x1" what="address" />
      <CopyText value="0x1" />
      <CsvButton fileName="names.csv" columns={[]} rows={['Anika']} />
      <FilterMenu label="State" allLabel="All states" options={[]} value={undefined} onChange={() => {}} />
    </>,
  );
  const buttons = ['Copy address', 'Copy', 'Export listed rows as CSV', 'State: All states'].map((name) =>
    screen.getByRole('button', { name }),
  );
  const hidden = buttons.map((button) => button.querySelector('svg')?.getAttribute('aria-hidden'));
  expect(hidden).toEqual(['true', 'true', 'true', 'true']);
});
