import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { settled, success } from '../../../../test/server.ts';
import { type Answers, greeting, openTicketWorld, signInForEach } from '../../../../test/ticket-office.tsx';
import { TicketsPage } from './tickets-page.tsx';

signInForEach();

const SAVE = 'PUT /operator/canned-replies';
const DELETE = 'DELETE /operator/canned-replies/1';

const openReplies = async (answers: Answers = {}) => {
  const opened = openTicketWorld(<TicketsPage />, '/operator/tickets', {}, answers);
  fireEvent.click(screen.getByRole('button', { name: 'Canned replies' }));
  return { ...opened, dialog: await screen.findByRole('dialog', { name: 'Canned replies' }) };
};

test('canned replies need both title and text', async () => {
  const { dialog, sent } = await openReplies({ [SAVE]: success({ ...greeting, id: '2', title: 'Late deposit' }) });
  fireEvent.click(await within(dialog).findByRole('button', { name: 'New reply' }));
  fireEvent.click(within(dialog).getByRole('button', { name: /^Save/ }));
  expect(within(dialog).getByText('Enter a title.')).toBeTruthy();
  expect(within(dialog).getByText('Write a message.')).toBeTruthy();
  await settled();
  expect(sent(SAVE)).toEqual([]);
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Title' }), { target: { value: ' Late deposit ' } });
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Text' }), { target: { value: 'We look at it.' } });
  fireEvent.click(within(dialog).getByRole('button', { name: /^Save/ }));
  await waitFor(() =>
    expect(sent(SAVE).map(({ body }) => body)).toEqual([{ title: 'Late deposit', text: 'We look at it.' }]),
  );
  expect(await within(dialog).findByRole('button', { name: 'New reply' })).toBeTruthy();
});

test('canned replies are edited under their title', async () => {
  const { dialog, sent } = await openReplies({ [SAVE]: success(greeting) });
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Edit Greeting' }));
  const title = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Title' });
  expect([title.value, title.readOnly]).toEqual(['Greeting', true]);
  fireEvent.change(within(dialog).getByRole('textbox', { name: 'Text' }), { target: { value: 'Good day.' } });
  fireEvent.click(within(dialog).getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(sent(SAVE).map(({ body }) => body)).toEqual([{ title: 'Greeting', text: 'Good day.' }]));
});

test('canned replies are deleted after a confirmation', async () => {
  const { dialog, sent } = await openReplies({ [DELETE]: success(null) });
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Delete Greeting' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await settled();
  expect(sent(DELETE)).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete Greeting' }));
  fireEvent.click(within(dialog).getByRole('button', { name: /^Delete reply/ }));
  await waitFor(() => expect(sent(DELETE)).toHaveLength(1));
  expect(await screen.findByText('Canned reply deleted')).toBeTruthy();
});
