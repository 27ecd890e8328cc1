import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aUser } from '../../../test/account.ts';
import { renderAt } from '../../../test/render.tsx';
import { refused, settled, stubServer, success } from '../../../test/server.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { DetailsDialog } from './account-panel.tsx';

const SAVE = 'PUT /auth/profile';

function open(answer: ReturnType<typeof success> = success(aUser({ name: 'Anika Rao-Bose' }))) {
  signIn('token', aUser());
  const calls = stubServer({ [SAVE]: answer });
  const onClose = vi.fn();
  renderAt('/profile', <DetailsDialog user={aUser()} opened onClose={onClose} />);
  return { calls, onClose };
}

const name = () => screen.getByLabelText<HTMLInputElement>('Name');
const mobile = () => screen.getByLabelText<HTMLInputElement>('Mobile');
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));

test('it starts with the saved values, and saved changes appear everywhere', async () => {
  const { calls, onClose } = open();
  expect(name().value).toBe('Anika Rao');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Dial code' }).value).toBe('+91');
  expect(mobile().value).toBe('9876543210');
  fireEvent.change(name(), { target: { value: ' Anika Rao-Bose ' } });
  fireEvent.change(mobile(), { target: { value: '987-654 3211' } });
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(calls[0]?.body).toEqual({ name: 'Anika Rao-Bose', mobile_number: '+919876543211' });
  expect(readStored('userDetail')?.name).toBe('Anika Rao-Bose');
});

test('another country can be chosen by name', async () => {
  const { calls } = open();
  const dialCode = screen.getByRole('combobox', { name: 'Dial code' });
  fireEvent.click(dialCode);
  fireEvent.change(dialCode, { target: { value: 'emirates' } });
  fireEvent.click(await screen.findByRole('option', { name: /United Arab Emirates/ }));
  save();
  await waitFor(() => expect(calls[0]?.body).toEqual({ name: 'Anika Rao', mobile_number: '+9719876543210' }));
});

test('what the specification refuses is not sent', async () => {
  const { calls } = open();
  fireEvent.change(name(), { target: { value: ' ' } });
  fireEvent.change(mobile(), { target: { value: '123' } });
  save();
  expect(screen.getByText('Name is required')).toBeDefined();
  expect(screen.getByText('Enter valid Mobile.')).toBeDefined();
  expect(document.activeElement).toBe(name());
  await settled();
  expect(calls).toEqual([]);
});

test('a server error for the mobile is shown at its field', async () => {
  const message = 'Registration is not open for this dial code.';
  const { onClose } = open(refused(403, 'country_blocked', message, 'mobile_number'));
  save();
  await waitFor(() => expect(mobile().getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(message).length).toBeGreaterThan(0);
  expect(onClose).not.toHaveBeenCalled();
});
