import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { passwordMinLength } from '#contract/rules.ts';
import { inLanguage } from '../../../test/in-language.ts';
import { renderAt } from '../../../test/render.tsx';
import { CallError, ToldError } from '../../api/call.ts';
import { CodeForm, type CodeFormProps } from './code-form.tsx';

function open(given: Partial<CodeFormProps> = {}, Form = CodeForm) {
  const onConfirm = vi.fn<CodeFormProps['onConfirm']>();
  renderAt(
    '/',
    <Form
      layout="page"
      asks={['otp']}
      confirm="Withdraw"
      busyLabel="Requesting"
      isBusy={false}
      onConfirm={onConfirm}
      {...given}
    />,
  );
  return onConfirm;
}
const cells = () => screen.getAllByLabelText<HTMLInputElement>(/^Digit \d of 6$/);
const typed = () =>
  cells()
    .map(({ value }) => value)
    .join('');
const send = () => {
  fireEvent.paste(cells()[0] as HTMLInputElement, { clipboardData: { getData: () => '407129' } });
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
};
const refusingWith = (error: Error): Partial<CodeFormProps> => ({ onConfirm: (_, onError) => onError(error) });

test.each([0, 503])('after an answer of %i that tells nothing the code stays, to be sent again', (status) => {
  const unanswered = 'No reply. Try again with the same code.';
  open({ unanswered, ...refusingWith(new CallError(status, 'Broken.')) });
  send();
  expect(screen.getByRole('alert').textContent).toBe(unanswered);
  expect(typed()).toBe('407129');
});

test('a refused code is cleared, with the reason at its cells', () => {
  open(refusingWith(new CallError(422, 'This code is wrong.')));
  send();
  expect(screen.getByRole('alert').textContent).toBe('This code is wrong.');
  expect([typed(), document.activeElement]).toEqual(['', cells()[0]]);
});

test('what a device refused is said above the buttons, and the code stays', () => {
  open(refusingWith(new ToldError('The passkey did not work.')));
  send();
  expect(screen.getByText('The passkey did not work.').closest('[role=alert]')).toBeNull();
  expect(typed()).toBe('407129');
});

test('the password is named in the language of the page', async () => {
  const { CodeForm: Translated } = await inLanguage({ Password: 'Passwort' }, () => import('./code-form.tsx'));
  open({ asks: ['password'] }, Translated);
  expect(screen.getByLabelText('Passwort').tagName).toBe('INPUT');
});

test('a new password that is too short is not sent', () => {
  const onConfirm = open({ asks: ['password'], isNewPassword: true });
  const set = (value: string) => {
    fireEvent.change(screen.getByLabelText('Password'), { target: { value } });
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  };
  set('a'.repeat(passwordMinLength - 1));
  expect(screen.getByText(`At least ${passwordMinLength} characters.`)).toBeDefined();
  expect(onConfirm).not.toHaveBeenCalled();
  set('a'.repeat(passwordMinLength));
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('while it is sent, nothing leads back and the code cannot be changed', () => {
  open({ isBusy: true, back: { label: 'Back', onClick: () => {} } });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
  expect(cells().every(({ readOnly }) => readOnly)).toBe(true);
});
