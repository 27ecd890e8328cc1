import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CallError } from '../../api/call.ts';
import { Refusal } from './refusal.tsx';

const of = (error: Error | null) => (
  <form>
    <input aria-label="Field" />
    <Refusal error={error} />
  </form>
);
const shown = () => document.querySelector('form p')?.textContent;

test('a refusal stays until the form is changed, and the next one is shown again', () => {
  const { rerender } = render(of(null));
  rerender(of(new CallError(409, 'Trading is paused.')));
  expect(shown()).toBe('Trading is paused.');
  fireEvent.input(screen.getByLabelText('Field'), { target: { value: 'a' } });
  expect(shown()).toBeUndefined();
  rerender(of(new CallError(409, 'Trading is paused.')));
  expect(shown()).toBe('Trading is paused.');
});

test('an error of a field is left to the field, and one from before it was mounted is not shown', () => {
  const { rerender } = render(of(new CallError(409, 'Before.')));
  expect(shown()).toBeUndefined();
  rerender(of(new CallError(422, 'Too low.', { fields: { amount: 'Too low.' } })));
  expect(shown()).toBeUndefined();
});
