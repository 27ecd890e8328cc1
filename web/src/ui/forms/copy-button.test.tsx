import { fireEvent, screen } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
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

test('without a clipboard, as over plain HTTP, a copy command takes the text', async () => {
  const taken: string[] = [];
  // This environment has no copy command, nor the event it sends.
  const command = () => {
    const event = new Event('copy', { cancelable: true });
    const clipboardData = { setData: (_: string, text: string) => taken.push(text) };
    return !document.dispatchEvent(Object.assign(event, { clipboardData }));
  };
  Object.assign(document, { execCommand: command });
  onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'));
  renderAt('/', <CopyIcon value="0x1" what="address" />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy address' }));
  await screen.findByRole('button', { name: 'address copied' });
  expect(taken).toEqual(['0x1']);
});
