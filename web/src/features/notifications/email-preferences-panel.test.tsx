import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { MailPreferencesPanel } from './email-preferences-panel.tsx';

const chosen = { deposits: true, tickets: true, incomes: false, trading: false, language: 'en' };
const path = '/notification/preferences';
const choices = () =>
  screen.getAllByRole<HTMLInputElement>('switch').map((element) => [element.checked, element.disabled]);

test('shows what is chosen, changes one choice and says what is always mailed', async () => {
  const calls = stubServer({
    [`GET ${path}`]: success(chosen),
    [`PUT ${path}`]: success({ ...chosen, incomes: true }),
  });
  renderAt('/profile', <MailPreferencesPanel />);
  const incomes = screen.getByRole<HTMLInputElement>('switch', { name: /Incomes/ });
  await waitFor(() => expect(incomes.disabled).toBe(false));
  expect(choices().map(([isOn]) => isOn)).toEqual([true, true, false, false]);
  fireEvent.click(incomes);
  await waitFor(() => expect(incomes.checked).toBe(true));
  expect(calls.find((call) => call.name.startsWith('PUT'))?.body).toEqual({ incomes: true });
  expect(screen.getByText(/are always sent/)).toBeTruthy();
});

test('nothing can be chosen before the choices are known, and a refused one goes back', async () => {
  stubServer({
    [`GET ${path}`]: success(chosen),
    [`PUT ${path}`]: { status: 503, body: { status: 'error', code: 'not_ready', message: 'Not ready.' } },
  });
  renderAt('/profile', <MailPreferencesPanel />);
  expect(choices()).toEqual(Array(4).fill([false, true]));
  const deposits = screen.getByRole<HTMLInputElement>('switch', { name: /Deposits/ });
  await waitFor(() => expect(deposits.checked).toBe(true));
  fireEvent.click(deposits);
  expect(await screen.findByText('Not ready.')).toBeTruthy();
  await waitFor(() => expect(deposits.checked).toBe(true));
});
