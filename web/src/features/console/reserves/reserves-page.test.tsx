import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ReserveProposal } from '#contract/solvency/reserves.ts';
import { approveShown, openForm, proposed, showConsolePage, signInAs, typeCode } from '../../../../test/console.ts';
import { type Answers, refused, success } from '../../../../test/server.ts';
import { ReservesPage } from './reserves-page.tsx';

const proposal: ReserveProposal = {
  ...proposed,
  reference: 'RS-7M2QX4',
  reason: 'Quarterly statement.',
  network: 'bitcoin',
  address: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
  amount: '1.25',
  asset: 'BTC',
  message: 'Reserves on 2026-03-04',
  signature: 'AkcwRAIg',
  signed_on: '2026-03-04',
  statement_id: null,
};

const open = (answers: Answers = {}, at = '/operator/reserves') =>
  showConsolePage(ReservesPage, at, {
    'GET /operator/reserves': success({ items: [proposal], next_cursor: null }),
    ...answers,
  });

beforeEach(() => signInAs());

test('approving shows what every member will read', async () => {
  const name = 'POST /operator/reserves/6/approve';
  const page = open({ [name]: success({ ...proposal, version: 2, state: 'posted' }) }, '/operator/reserves/6');
  const label = 'Statement of reserves RS-7M2QX4';
  const shown = await screen.findByRole('complementary', { name: label });
  expect(shown.textContent).toContain('Reserves on 2026-03-04');
  expect(await approveShown(label, name, page)).toContain(
    `1.25 BTC at ${proposal.address}. Confirm that the address holds it.`,
  );
});

test('a statement is proposed with its message as signed; a refused signature is shown at its field', async () => {
  const message = 'The signature does not match the address and the message.';
  const { sends } = open({
    'POST /operator/reserves': refused(422, 'reserve_signature', message, 'signature'),
  });
  const { dialog, asked, type, send } = await openForm('Propose statement');
  await waitFor(() => expect(document.activeElement).toBe(asked.getByRole('combobox', { name: 'Network' })));
  send();
  expect(asked.getByText('Enter an amount in numbers.')).toBeDefined();
  expect(asked.getByText('Enter the signature.')).toBeDefined();
  type('Address', proposal.address);
  type('Amount', '1.25');
  type('Signed message', 'Reserves\non 2026-03-04');
  type('Signature', 'AkcwRAIg');
  type('Reason', 'Quarterly statement.');
  typeCode(dialog);
  send();
  await sends('POST /operator/reserves', {
    network: 'bitcoin',
    address: proposal.address,
    amount: '1.25',
    asset: 'BTC',
    message: 'Reserves\non 2026-03-04',
    signature: 'AkcwRAIg',
    reason: 'Quarterly statement.',
    otp: '123456',
  });
  expect(await asked.findByText(message)).toBeDefined();
});

test('its dialog returns the focus to the button that opened it, each time', async () => {
  open();
  const button = await screen.findByRole('button', { name: 'Propose statement' });
  for (let opening = 0; opening < 2; opening += 1) {
    button.focus();
    fireEvent.click(button);
    const dialog = await screen.findByRole('dialog');
    const first = within(dialog).getByRole('combobox', { name: 'Network' });
    await waitFor(() => expect(document.activeElement).toBe(first));
    fireEvent.keyDown(first, { key: 'Escape' });
    await waitFor(() => expect(document.activeElement).toBe(button));
  }
});
