import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addressNow, onRoute, renderAt } from '../../../test/render.tsx';
import { refused, stubServer, success } from '../../../test/server.ts';
import { ConfirmAdminPage } from './confirm-admin-page.tsx';

const CONFIRM = 'POST /operator/legal-confirmation/confirm';
const admin = {
  name: 'Ines Duarte',
  email: 'ines@mail.test',
  passkeys: ['Laptop', 'Key'],
  expires_at: '2026-03-11T12:00:00.000Z',
};
const over = refused(422, 'confirmation_over', 'This link is no longer valid.');

function open(hash: string, answers: Parameters<typeof stubServer>[0] = {}) {
  const calls = stubServer({ 'POST /operator/legal-confirmation': success(admin), ...answers });
  renderAt({ pathname: '/confirm-admin', hash }, onRoute('/confirm-admin', <ConfirmAdminPage />));
  return { sent: () => calls.filter(({ name }) => name === CONFIRM).map(({ body }) => body) };
}

test('shows who is to be confirmed, and confirms only by the button', async () => {
  const { sent } = open('#token-1', { [CONFIRM]: success(null) });
  expect(await screen.findByText('ines@mail.test')).toBeDefined();
  expect(screen.getByText('Laptop, Key')).toBeDefined();
  expect(addressNow()).toBe('/confirm-admin');
  expect(sent()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm admin' }));
  expect(await screen.findByRole('heading', { name: 'Admin confirmed' })).toBeDefined();
  expect(sent()).toEqual([{ token: 'token-1' }]);
});

test.each(['#token-1', ''])('an expired or incomplete link confirms nobody: %j', async (hash) => {
  open(hash, { 'POST /operator/legal-confirmation': over });
  expect(await screen.findByRole('heading', { name: 'This link is not valid' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Confirm admin' })).toBeNull();
});
