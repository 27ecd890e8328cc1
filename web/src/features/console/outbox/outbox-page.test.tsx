import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showConsolePage, signInAs } from '../../../../test/console.ts';
import { listed } from '../../../../test/server.ts';
import { OutboxPage } from './outbox-page.tsx';

const mail = {
  id: '4',
  to: 'anna@mail.test',
  subject: 'Your code',
  text: 'Your code is 123456.\n\n<b>not bold</b>',
  state: 'logged',
  fault: null,
  created_at: '2026-03-04T12:00:00.000Z',
};

test('an email is shown as it was written, as plain text', async () => {
  signInAs({ role: 'admin' });
  showConsolePage(OutboxPage, '/operator/outbox', {
    'GET /operator/outbox': listed([mail, { ...mail, id: '3', to: '', subject: '', text: '' }]),
  });
  const row = (await screen.findByText('anna@mail.test')).closest('tr');
  expect(row?.textContent).toBe('4 Mar 202612:00Your codeanna@mail.testLogged');
  expect(screen.getByText('Deleted with the account')).toBeDefined();
  if (row) fireEvent.click(row);
  const shown = await screen.findByRole('complementary', { name: 'Email Your code' });
  expect(within(shown).getByText(/^Your code is 123456\./).textContent).toBe(mail.text);
});

test('one that failed says why, in list and detail', async () => {
  signInAs({ role: 'admin' });
  const failed = { ...mail, state: 'failed', fault: '550 No such mailbox' };
  showConsolePage(OutboxPage, '/operator/outbox/4', { 'GET /operator/outbox': listed([failed]) });
  const shown = await screen.findByRole('complementary', { name: 'Email Your code' });
  const detail = within(shown).getByText('550 No such mailbox');
  expect(screen.getAllByText('550 No such mailbox').filter((one) => one !== detail)).toHaveLength(1);
});

test('one of long ago opens by its number, and an unknown one is reported missing', async () => {
  signInAs({ role: 'admin' });
  const answers = { 'GET /operator/outbox': listed([mail], []) };
  showConsolePage(OutboxPage, '/operator/outbox/4', answers);
  expect(await screen.findByRole('complementary', { name: 'Email Your code' })).toBeDefined();
  cleanup();
  showConsolePage(OutboxPage, '/operator/outbox/5', answers);
  expect(await screen.findByText('No email at this address.')).toBeDefined();
});
