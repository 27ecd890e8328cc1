import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { typeCode } from '../../../../test/console.ts';
import { renderAt } from '../../../../test/render.tsx';
import { settled, stubServer, success } from '../../../../test/server.ts';
import { CallError } from '../../../api/call.ts';
import { CodeField } from './code-field.tsx';
import { type Decision, type DecisionOptions, useDecisions } from './decisions.tsx';

const words: DecisionOptions = {
  button: 'Send back',
  title: 'Send it back',
  text: 'It goes back.',
  confirm: 'Send',
  busy: 'Sending',
  reason: 'Visible to the member.',
  transaction: 'Of the refund.',
  otp: true,
  done: 'Sent back',
};

type Send = Decision<string>['send'];

function Decided({ send, change = {} }: { send: Send; change?: Partial<DecisionOptions> }) {
  const [version, setVersion] = useState(4);
  const { buttons, dialog, changed } = useDecisions({
    actions: ['back'],
    version,
    refreshes: [],
    decisionOf: () => ({ ...words, send, ...change }),
  });
  return (
    <>
      {buttons}
      {changed}
      {dialog}
      <button type="button" onClick={() => setVersion(5)}>
        Somebody else changes it
      </button>
    </>
  );
}

async function begin(send: Send) {
  renderAt('/', <Decided send={send} />);
  fireEvent.click(screen.getByRole('button', { name: 'Send back' }));
  const asked = await screen.findByRole('dialog');
  const fill = () => {
    fireEvent.change(within(asked).getByLabelText('Reason'), { target: { value: ' Twice\nsent. ' } });
    fireEvent.change(within(asked).getByLabelText('Transaction hash'), { target: { value: 'f4184fc596' } });
    typeCode(asked);
  };
  const confirm = () => fireEvent.click(within(asked).getByRole('button', { name: 'Send' }));
  const code = () =>
    within(asked)
      .getAllByRole<HTMLInputElement>('textbox', { name: /^Digit/ })
      .map(({ value }) => value)
      .join('');
  return { asked: within(asked), fill, confirm, code };
}
const refusal = (status: number, message: string, fields: Record<string, string> = {}) =>
  new CallError(status, message, { fields });

test('a missing value is reported at its field, the first one is focused, and nothing is sent', async () => {
  const send = vi.fn<Send>();
  const { asked, confirm } = await begin(send);
  confirm();
  expect(asked.getByText('Enter a reason.')).toBeDefined();
  expect(asked.getByText('Enter the transaction hash.')).toBeDefined();
  expect(asked.getByText('The code has 6 digits.')).toBeDefined();
  expect(document.activeElement).toBe(asked.getByLabelText('Reason'));
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: 'Twice.' } });
  expect(asked.queryByText('Enter a reason.')).toBeNull();
  confirm();
  expect(document.activeElement).toBe(asked.getByLabelText('Transaction hash'));
  await settled();
  expect(send).not.toHaveBeenCalled();
});

test.each([
  ['at a code', { reason: '', transaction: '' }, /^Digit 1/],
  ['at a reason with a code below it', { transaction: '' }, 'Reason'],
])('a dialog starts with the focus %s, and returns it', async (_, change, first) => {
  renderAt('/', <Decided send={vi.fn<Send>()} change={change} />);
  const button = screen.getByRole('button', { name: 'Send back' });
  button.focus();
  fireEvent.click(button);
  const asked = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(document.activeElement).toBe(asked.getByRole('textbox', { name: first })));
  fireEvent.click(asked.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('the values are sent with the version that was shown, and success is reported', async () => {
  const send = vi.fn<Send>(async () => 'done');
  const { fill, confirm } = await begin(send);
  fill();
  confirm();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const values = { reason: 'Twice sent.', transaction: 'f4184fc596', otp: '123456' };
  expect(send).toHaveBeenCalledExactlyOnceWith(values, 4);
  expect(await screen.findByText('Sent back')).toBeDefined();
});

test('a wrong code is reported at the code, which is cleared and focused; the rest is kept', async () => {
  const message = 'This code is wrong.';
  const { asked, fill, confirm, code } = await begin(async () => {
    throw refusal(422, message, { otp: message });
  });
  fill();
  confirm();
  expect((await asked.findByRole('alert')).textContent).toContain(message);
  expect(code()).toBe('');
  expect(document.activeElement).toBe(asked.getAllByRole('textbox', { name: /^Digit/ })[0]);
  expect(asked.getByLabelText('Reason')).toHaveProperty('value', ' Twice sent. ');
});

test('an error for why is shown at the reason', async () => {
  const { asked, fill, confirm } = await begin(async () => {
    throw refusal(422, 'Too long.', { why: 'Too long.' });
  });
  fill();
  confirm();
  expect(await asked.findByText('Too long.')).toBeDefined();
  expect(document.activeElement).toBe(asked.getByLabelText('Reason'));
});

test('if a colleague decided first, the dialog closes and says so', async () => {
  const message = 'This has changed. Reload it and try again.';
  const { fill, confirm } = await begin(async () => {
    throw refusal(409, message);
  });
  fill();
  confirm();
  expect(await screen.findByText(message)).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('why the device refused the passkey stays in the dialog', async () => {
  vi.stubGlobal('PublicKeyCredential', class {});
  stubServer({
    'GET /operator/me': success({ passkeys: 1, app: true }),
    'POST /operator/passkeys/challenge': success({ challenge: 'AAAA' }),
  });
  const { asked } = await begin(vi.fn<Send>());
  fireEvent.change(asked.getByLabelText('Reason'), { target: { value: 'Twice.' } });
  fireEvent.change(asked.getByLabelText('Transaction hash'), { target: { value: 'f4184fc596' } });
  fireEvent.click(await asked.findByRole('button', { name: 'Use a passkey' }));
  await asked.findByText('The passkey did not work. Try again.');
});

const STALE = 'This changed after you opened the dialog. Close it and check again.';

test('something that changed while the dialog was open cannot be decided', async () => {
  const send = vi.fn<Send>();
  const { asked, fill, confirm } = await begin(send);
  fill();
  fireEvent.click(screen.getByText('Somebody else changes it'));
  expect(asked.getByText(STALE)).toBeDefined();
  expect(asked.getByRole('button', { name: 'Send' })).toHaveProperty('disabled', true);
  confirm();
  await settled();
  expect(send).not.toHaveBeenCalled();
});

test('a decision whose reply was lost stays with its values, is not called a colleague’s, nor to be tried again', async () => {
  const { asked, fill, confirm, code } = await begin(async () => {
    throw refusal(0, 'No answer.');
  });
  fill();
  confirm();
  await asked.findByText('No answer.');
  expect(asked.getByLabelText('Transaction hash')).toHaveProperty('value', 'f4184fc596');
  expect(code()).toBe('123456');
  fireEvent.click(screen.getByText('Somebody else changes it'));
  expect(asked.getByText(STALE)).toBeDefined();
  expect(asked.queryByText('No answer.')).toBeNull();
});

test('the passkey button shows that it is busy, and keeps the focus', () => {
  const passkey = { isOffered: true, isOnly: false, isAsking: true };
  const entry = { value: '', problem: undefined, readOnly: false, autoFocus: false, onChange: vi.fn() };
  renderAt('/', <CodeField {...entry} passkey={passkey} onPasskey={vi.fn()} />);
  expect(screen.getByRole('button', { name: 'Confirming' })).toHaveProperty('disabled', false);
});
