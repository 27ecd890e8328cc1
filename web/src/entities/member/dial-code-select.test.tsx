import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { DialCodeSelect } from './phone-fields.tsx';

function Field() {
  const [country, setCountry] = useState<string | null>(null);
  return <DialCodeSelect value={country} onChange={setCountry} />;
}

const focused = (): HTMLElement => {
  const field = screen.getByRole('combobox', { name: 'Dial code' });
  act(() => field.focus());
  return field;
};

/** After the timers that opening the list has started. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve, 1));

/** @returns whether the browser would submit the form */
const enter = (field: HTMLElement): boolean => fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });

test.each([
  ['India', 'IN +91'],
  ['norw', 'NO +47'],
  ['+81', 'JP +81'],
])('Enter after %s, typed at once, selects %s and submits nothing', async (search, label) => {
  renderAt('/', <Field />);
  const field = focused();
  fireEvent.change(field, { target: { value: search } });
  await screen.findAllByRole('option');
  await nextTask();
  expect(enter(field)).toBe(false);
  await waitFor(() => expect(field).toHaveProperty('value', label));
  expect(field.getAttribute('aria-expanded')).toBe('false');
});

test('Enter selects the option that an arrow key led to', async () => {
  renderAt('/', <Field />);
  const field = focused();
  fireEvent.change(field, { target: { value: 'ni' } });
  await screen.findByText('Nicaragua');
  fireEvent.change(field, { target: { value: 'nig' } });
  await screen.findByText('Nigeria');
  fireEvent.keyDown(field, { key: 'ArrowDown', code: 'ArrowDown' });
  expect(enter(field)).toBe(false);
  await waitFor(() => expect(field).toHaveProperty('value', 'NG +234'));
});

test('Enter submits the form while the list is closed, and while no country matches', async () => {
  renderAt('/', <Field />);
  const field = focused();
  expect(enter(field)).toBe(true);
  fireEvent.change(field, { target: { value: 'Atlantis' } });
  await screen.findByText('No country found');
  expect(enter(field)).toBe(true);
  expect(field).toHaveProperty('value', 'Atlantis');
});
