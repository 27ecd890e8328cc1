import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { DateField } from './date-field.tsx';

function Field({ first, onChange }: { first?: string | undefined; onChange: (day?: string) => void }) {
  const [day, setDay] = useState(first);
  return (
    <DateField
      label="From"
      value={day}
      max="2026-11-20"
      onChange={(next) => {
        onChange(next);
        setDay(next);
      }}
    />
  );
}

function open(first?: string) {
  const heard = vi.fn();
  renderAt('/', <Field first={first} onChange={heard} />);
  return heard;
}
const field = () => screen.getByLabelText<HTMLInputElement>('From', { selector: 'input' });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });

test('a day is shown in its written form, and accepted as soon as it is complete', () => {
  const heard = open('2026-11-03');
  expect(field().value).toBe('3 Nov 2026');
  type('12 No');
  expect(heard).not.toHaveBeenCalled();
  type('2026-11-12');
  expect(heard).toHaveBeenCalledExactlyOnceWith('2026-11-12');
  expect(field().value).toBe('12 Nov 2026');
});

test('an empty field has no day', () => {
  const heard = open('2026-11-03');
  type('');
  expect(heard).toHaveBeenCalledExactlyOnceWith(undefined);
  expect(field().value).toBe('');
});

test.each([
  ['3/11/2026', 'Enter a date such as 3 Nov 2026.'],
  ['21 Nov 2026', 'Enter a date up to 20 Nov 2026.'],
])('%j is refused when the field loses focus, and Enter does not submit the earlier day', (typed, words) => {
  const heard = open('2026-11-03');
  type(typed);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(false);
  expect(screen.getByRole('alert').textContent).toBe(words);
  expect(heard).not.toHaveBeenCalled();
  type('4 Nov 2026');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the calendar opens by its button at the current day, and choosing a day closes it', async () => {
  const heard = open('2026-11-03');
  fireEvent.click(screen.getByRole('button', { name: 'Open calendar: From' }));
  const chosen = await screen.findByRole('button', { name: '3 November 2026' });
  await waitFor(() => expect(document.activeElement).toBe(chosen));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '21 November 2026' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '12 November 2026' }));
  expect(heard).toHaveBeenCalledExactlyOnceWith('2026-11-12');
  expect(field().value).toBe('12 Nov 2026');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
