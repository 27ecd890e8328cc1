import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { aCode } from '../../../test/withdrawals.ts';
import { OwnPasskeys } from './profile-page.tsx';

const phone: Passkey = {
  id: '7',
  name: 'Phone',
  synced: true,
  created_at: '2026-03-03T08:15:00Z',
  last_used_at: '2026-03-04T14:05:00Z',
};
const laptop: Passkey = { ...phone, id: '8', name: 'Laptop', synced: false, last_used_at: null };

beforeEach(() => vi.stubGlobal('PublicKeyCredential', class {}));
afterEach(() => vi.unstubAllGlobals());

function open(passkeys: Passkey[], answers: Answers = {}) {
  const { calls } = showPage('/profile', <OwnPasskeys />, {
    'GET /auth/passkeys': success(passkeys),
    'GET /auth/security': success(theSecurity({ second_factor: true, passkeys: passkeys.length })),
    'POST /auth/passkeys/7/remove': success(null),
    'PUT /auth/passkeys/8': success(null),
    ...answers,
  });
  return (name: string) => calls.filter((call) => call.name === name).map((call) => call.body);
}

test('each passkey has its name, when it was added and when it was last used', async () => {
  open([phone, laptop]);
  const [first, second] = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(first).toContain('PhoneAdded 3 Mar 2026, 08:15 UTC · syncedLast used 4 Mar 2026, 14:05 UTC');
  expect(second).toContain('LaptopAdded 3 Mar 2026, 08:15 UTCNever used');
});

test('a passkey or recovery code that only began to add another is shown as used', async () => {
  const creation = { challenge: 'x' } as unknown;
  let used: string | null = null;
  open([], {
    'GET /auth/passkeys': () => success([{ ...laptop, last_used_at: used }]),
    'POST /auth/passkeys/start': () => {
      used = '2026-03-05T09:30:00Z';
      return success(creation);
    },
  });
  expect(await screen.findByText('Never used')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Add passkey' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add passkey' }));
  fireEvent.change(await dialog.findByLabelText('Password'), { target: { value: 'fair wind 7' } });
  fireEvent.click(await dialog.findByRole('button', { name: 'Use recovery code' }));
  fireEvent.change(dialog.getByLabelText('Recovery code'), { target: { value: 'ABCD-EFGH-JKMN-PQRS' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Last used 5 Mar 2026, 09:30 UTC')).toBeDefined();
});

test('without one it says what passkeys are for', async () => {
  open([]);
  expect(await screen.findByText(/^No passkeys yet\./)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Add passkey' }));
  expect(await screen.findByRole('dialog', { name: 'Add passkey' })).toBeDefined();
});

test('the first one takes the password and a code from the mailbox', async () => {
  const sent = open([], {
    'GET /auth/security': success(theSecurity()),
    'GET /auth/send-otp': success(aCode()),
    'POST /auth/passkeys/start': success({ challenge: 'x' }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add passkey' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add passkey' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Send code' }));
  const cell = await dialog.findByLabelText('Digit 1 of 6');
  fireEvent.paste(cell, { clipboardData: { getData: () => '906142' } });
  fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'fair wind 7' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await dialog.findByLabelText('Name')).toBeDefined();
  expect(sent('POST /auth/passkeys/start')).toEqual([{ password: 'fair wind 7', otp: '906142' }]);
});

test('a browser that does not support passkeys offers none', async () => {
  vi.unstubAllGlobals();
  open([]);
  expect(await screen.findByText('This browser does not support passkeys.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
});

test('a passkey is renamed', async () => {
  const sent = open([phone, laptop]);
  fireEvent.click(await screen.findByRole('button', { name: 'Rename: Laptop' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename passkey' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: ' ' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Rename passkey' }));
  expect(dialog.getByText('Enter a name.')).toBeDefined();
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Old laptop' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Rename passkey' }));
  await waitFor(() => expect(sent('PUT /auth/passkeys/8')).toEqual([{ name: 'Old laptop' }]));
});

test('why a passkey was not renamed stays in the dialog', async () => {
  open([phone, laptop], { 'PUT /auth/passkeys/8': refused(404, 'not_found', 'This does not exist.') });
  fireEvent.click(await screen.findByRole('button', { name: 'Rename: Laptop' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename passkey' }));
  const rename = dialog.getByRole('button', { name: 'Rename passkey' });
  rename.focus();
  fireEvent.click(rename);
  expect((await dialog.findByRole('alert')).textContent).toBe('This does not exist.');
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Name' }));
});

test('a passkey is removed with the password and a code', async () => {
  const sent = open([phone, laptop]);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove: Phone' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove this passkey?' }));
  fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'fair wind 7' } });
  const code = await dialog.findByLabelText('Authenticator code');
  fireEvent.click(dialog.getByRole('button', { name: 'Remove passkey' }));
  await settled();
  fireEvent.change(code, { target: { value: '407129' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Remove passkey' }));
  await waitFor(() =>
    expect(sent('POST /auth/passkeys/7/remove')).toEqual([{ password: 'fair wind 7', second_factor: '407129' }]),
  );
});
