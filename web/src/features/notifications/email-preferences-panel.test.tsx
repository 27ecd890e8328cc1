import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/render.tsx';
import { type Answer, refused, success } from '../../../test/server.ts';
import { MailPreferencesPanel } from './email-preferences-panel.tsx';

const chosen = { deposits: true, tickets: true, incomes: false, trading: false, language: 'en' };
const path = '/notification/preferences';
const choices = () =>
  screen.getAllByRole<HTMLInputElement>('switch').map((element) => [element.checked, element.disabled]);

test('shows the current choices, changes one and says what is always emailed', async () => {
  let saved = chosen;
  const { calls } = showPage('/profile', <MailPreferencesPanel />, {
    [`GET ${path}`]: () => success(saved),
    [`PUT ${path}`]: () => {
      saved = { ...chosen, incomes: true };
      return success(saved);
    },
  });
  const incomes = screen.getByRole<HTMLInputElement>('switch', { name: /Incomes/ });
  await waitFor(() => expect(incomes.disabled).toBe(false));
  expect(choices().map(([isOn]) => isOn)).toEqual([true, true, false, false]);
  fireEvent.click(incomes);
  await waitFor(() => expect(incomes.checked).toBe(true));
  expect(calls.find((call) => call.name.startsWith('PUT'))?.body).toEqual({ incomes: true });
  expect(screen.getByText(/are always sent/)).toBeTruthy();
});

test('a second change before the reply to the first leaves both shown', async () => {
  showPage('/profile', <MailPreferencesPanel />, { [`GET ${path}`]: success(chosen), [`PUT ${path}`]: 'never' });
  const deposits = screen.getByRole<HTMLInputElement>('switch', { name: /Deposits/ });
  await waitFor(() => expect(deposits.checked).toBe(true));
  fireEvent.click(deposits);
  await waitFor(() => expect(deposits.checked).toBe(false));
  fireEvent.click(screen.getByRole('switch', { name: /Incomes/ }));
  await waitFor(() => expect(choices().map(([isOn]) => isOn)).toEqual([false, true, true, false]));
});

test('a change is kept when choices read before it arrive later', async () => {
  const read = Promise.withResolvers<Answer>();
  let saved = chosen;
  let reads = 0;
  showPage('/profile', <MailPreferencesPanel />, {
    [`GET ${path}`]: () => (++reads === 2 ? read.promise : success(saved)),
    [`PUT ${path}`]: () => {
      saved = { ...chosen, deposits: false };
      return success(saved);
    },
  });
  const deposits = screen.getByRole<HTMLInputElement>('switch', { name: /Deposits/ });
  await waitFor(() => expect(deposits.checked).toBe(true));
  // Coming back to the tab reads them again.
  fireEvent(window, new Event('visibilitychange'));
  await waitFor(() => expect(reads).toBe(2));
  fireEvent.click(deposits);
  await waitFor(() => expect(saved.deposits).toBe(false));
  read.resolve(success(chosen));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(deposits.checked).toBe(false);
});

test('nothing can be changed before the choices are loaded, and a refused change is reverted', async () => {
  showPage('/profile', <MailPreferencesPanel />, {
    [`GET ${path}`]: success(chosen),
    [`PUT ${path}`]: refused(503, 'not_ready', 'Not ready.'),
  });
  expect(choices()).toEqual(Array(4).fill([false, true]));
  const deposits = screen.getByRole<HTMLInputElement>('switch', { name: /Deposits/ });
  await waitFor(() => expect(deposits.checked).toBe(true));
  fireEvent.click(deposits);
  expect(await screen.findByText('Not ready.')).toBeTruthy();
  await waitFor(() => expect(deposits.checked).toBe(true));
});

test('choices that could not be loaded are not shown as off, and can be retried', async () => {
  let isBroken = true;
  showPage('/profile', <MailPreferencesPanel />, {
    [`GET ${path}`]: () => (isBroken ? refused(500, 'internal', 'Broken.') : success(chosen)),
  });
  expect(await screen.findByText('This could not be loaded')).toBeTruthy();
  expect(screen.queryByRole('switch')).toBeNull();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(choices().map(([isOn]) => isOn)).toEqual([true, true, false, false]));
});
