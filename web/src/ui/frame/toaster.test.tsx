import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { toast } from './toast.ts';

beforeEach(() => {
  vi.useFakeTimers();
  renderAt('/', null);
});

const show = (text: string) => act(() => toast.error(text));
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('an error is an alert for 3 seconds', () => {
  show('Insufficient balance.');
  expect(screen.getByRole('alert').textContent).toBe('Insufficient balance.');
  pass(2_999);
  expect(screen.getByRole('alert')).toBeDefined();
  pass(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('its timer pauses while it has pointer or focus, and then continues', () => {
  show('Insufficient balance.');
  pass(2_000);
  fireEvent.mouseEnter(screen.getByRole('alert'));
  pass(10_000);
  fireEvent.mouseLeave(screen.getByRole('alert'));
  pass(999);
  fireEvent.focus(screen.getByRole('button', { name: 'Dismiss' }));
  pass(10_000);
  fireEvent.blur(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.getByRole('alert')).toBeDefined();
  pass(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('three are shown at most; a fourth waits and then has its own 3 seconds', () => {
  for (const text of ['one', 'two', 'three', 'four']) show(text);
  expect(screen.getAllByRole('alert').map((card) => card.textContent)).toEqual(['one', 'two', 'three']);
  pass(3_000);
  expect(screen.getAllByRole('alert').map((card) => card.textContent)).toEqual(['four']);
  pass(3_000);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('identical messages at the same time are one toast', () => {
  show('Please sign in.');
  show('Please sign in.');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test.each([
  ['in the description of what has the focus', false, 'Wrong code.', true],
  ['in another alert', true, 'Wrong code.', true],
  ['nowhere', false, 'Required.', false],
])('a refusal at a field that screen readers are told %s is no second alert', (_, isAlert, words, isTold) => {
  const page = document.body.appendChild(document.createElement('form'));
  page.innerHTML = `<input aria-describedby="why"><p id="why" ${isAlert ? 'role="alert"' : ''}>${words}</p>`;
  if (!isAlert) page.querySelector('input')?.focus();
  act(() => toast.refusal('Wrong code.'));
  pass(100);
  const messages = within(screen.getByRole('region', { name: 'Messages' }));
  expect(messages.getByText('Wrong code.')).toBeDefined();
  expect(messages.queryAllByRole('alert')).toHaveLength(isTold ? 0 : 1);
  page.remove();
  pass(3_000);
});

test('a success is a status, and can be dismissed', () => {
  act(() => toast.success('Trade placed', '$550.00 in link/usdt from the Primary Wallet'));
  const card = screen.getByText('Trade placed').closest('[role="status"]');
  expect(card?.textContent).toBe('Trade placed$550.00 in link/usdt from the Primary Wallet');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Trade placed')).toBeNull();
});
