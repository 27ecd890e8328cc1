import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { theSecurity } from '../../../test/account.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, success } from '../../../test/server.ts';
import { CallError } from '../../api/call.ts';
import { SecondFactorField, useSecondFactor } from './second-factor-field.tsx';

const WRONG = 'This code is wrong, expired or already used. Enter a new code.';
const ASK = 'POST /auth/passkeys/challenge';

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const answerOfDevice = {
  id: 'AAAA',
  rawId: bytes('a'),
  type: 'public-key',
  response: {
    authenticatorData: bytes('d'),
    clientDataJSON: bytes('c'),
    signature: bytes('s'),
    userHandle: bytes('u'),
  },
  getClientExtensionResults: () => ({}),
};
let ofDevice: () => Promise<unknown>;
beforeEach(() => {
  ofDevice = async () => answerOfDevice;
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get: () => ofDevice() } });
});

const sent = vi.fn();

/** A form that the server refuses each time it is sent. */
function Form() {
  const factor = useSecondFactor();
  const [isBusy, setBusy] = useState(false);
  return (
    <>
      <SecondFactorField factor={factor} isBusy={isBusy} />
      <button type="button" onClick={() => factor.check() && sent(factor.body())}>{`Send`}</button>
      <button
        type="button"
        onClick={() => factor.fail(new CallError(422, WRONG, { fields: { second_factor: WRONG } }))}
      >{`Refuse`}</button>
      <button type="button" onClick={() => setBusy(true)}>{`Wait`}</button>
    </>
  );
}

function open(passkeys = 1, answers: Answers = {}) {
  sent.mockClear();
  return showPage('/', <Form />, {
    'GET /auth/security': success(theSecurity({ second_factor: true, passkeys })),
    [ASK]: success({ challenge: 'AAAA' }),
    ...answers,
  });
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
const refuse = async () => {
  press('Refuse');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(WRONG));
};

test('a recovery code is accepted with spaces around it, and sent without them', async () => {
  open();
  await field('Authenticator code');
  press('Use recovery code');
  type(await field('Recovery code'), ' ABCD-EFGH-JKMN-PQRS ');
  press('Send');
  expect(sent).toHaveBeenCalledExactlyOnceWith({ second_factor: 'ABCD-EFGH-JKMN-PQRS' });
});

test('what was typed for one method is not there for another', async () => {
  open();
  type(await field('Authenticator code'), '407129');
  press('Use recovery code');
  expect((await field('Recovery code')).value).toBe('');
});

test('a refused code is cleared, and its error goes once another is typed', async () => {
  open();
  const code = await field('Authenticator code');
  type(code, '407129');
  await refuse();
  expect([code.value, document.activeElement]).toEqual(['', code]);
  type(code, '6');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a passkey is asked for again once the server refused its answer', async () => {
  open();
  await field('Authenticator code');
  press('Use a passkey');
  await screen.findByText('Confirmed with your passkey');
  press('Send');
  expect(sent).toHaveBeenCalledExactlyOnceWith({ second_factor: expect.objectContaining({ id: 'AAAA' }) });
  await refuse();
  expect(screen.queryByText('Confirmed with your passkey')).toBeNull();
  press('Send');
  expect(screen.getByRole('alert').textContent).toBe('Use your passkey first.');
  expect(sent).toHaveBeenCalledOnce();
});

test('while the device asks for the passkey, or the form is sent, no other method can be chosen', async () => {
  const device = Promise.withResolvers<unknown>();
  ofDevice = () => device.promise;
  open();
  const code = await field('Authenticator code');
  press('Use a passkey');
  await waitFor(() => expect(button('Use recovery code').disabled).toBe(true));
  expect([button('Use a passkey').disabled, code.readOnly]).toEqual([true, true]);
  device.resolve(answerOfDevice);
  await screen.findByText('Confirmed with your passkey');
  expect(button('Use recovery code').disabled).toBe(false);
  press('Wait');
  expect([button('Use authenticator app').disabled, button('Use recovery code').disabled]).toEqual([true, true]);
});

test('a browser that does not support passkeys offers none', async () => {
  vi.unstubAllGlobals();
  open();
  await field('Authenticator code');
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});
