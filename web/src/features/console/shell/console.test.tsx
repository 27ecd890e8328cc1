import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { anOverview, aroundThePage, samuel, signInAs, typeCode } from '../../../../test/console.ts';
import { addressNow, onRoute, renderAt } from '../../../../test/render.tsx';
import { type Answers, refused, settled, stubServer, success } from '../../../../test/server.ts';
import { getOperatorToken } from '../../../api/operator-state.ts';
// Loaded in advance, because following a link waits for the page’s code.
import '../members/members-page.tsx';
import { consolePages } from '../pages.ts';
import { OperatorConsole } from './console.tsx';

const me = (given = {}, second_factor = true) =>
  success({
    operator: { id: samuel.id, name: samuel.name, email: samuel.email, role: samuel.role, ...given },
    second_factor,
    session: { id: '1', created_at: '2026-03-04T10:00:00.000Z', expires_at: '2026-03-04T18:00:00.000Z' },
  });

function open(at: string, answers: Answers = {}) {
  const calls = stubServer({ ...aroundThePage(), 'GET /operator/me': me(), ...answers });
  const view = renderAt(at, onRoute('/operator/*', <OperatorConsole />));
  return { calls, ...view };
}

test('another operator who signed in while this tab slept finds nothing of the one before', async () => {
  signInAs();
  const { calls } = open('/operator/nowhere');
  const field = () => screen.findByRole<HTMLInputElement>('searchbox');
  fireEvent.change(await field(), { target: { value: 'Lena' } });
  localStorage.setItem('operatorToken', '"of-next"');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'operatorToken' })));
  expect(await screen.findByRole('heading', { name: 'Operator sign-in' })).toBeDefined();
  expect((await field()).value).toBe('');
  expect(addressNow()).toBe('/operator/nowhere');
  const askedMe = calls.filter(({ name }) => name === 'GET /operator/me');
  expect(askedMe.at(-1)?.headers.get('authorization')).toBe('Bearer of-next');
});

describe('signing in', () => {
  const signedIn = { access_token: 'fresh', operator: samuel, second_factor: true };
  const { second_factor: _, ...account } = samuel;
  const fill = () => {
    fireEvent.change(screen.getByLabelText('Email id'), { target: { value: ' samuel@mail.test ' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'gale force nine' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  };

  test('is required at every address, and leads to the requested page', async () => {
    open('/operator/nowhere?x=1', {
      'POST /operator/login': success({ ...signedIn, operator: account }),
    });
    await screen.findByRole('heading', { name: 'Operator sign-in' });
    expect(addressNow()).toBe('/operator/sign-in');
    fill();
    expect(await screen.findByText('Page not found')).toBeDefined();
    expect(document.title).toBe('Page not found · Tradewind');
    expect(addressNow()).toBe('/operator/nowhere?x=1');
    expect(getOperatorToken()).toBe('fresh');
  });

  test('takes the code of the authenticator app, reports a wrong one, and takes the next', async () => {
    let tries = 0;
    const { calls } = open('/operator/sign-in', {
      'POST /operator/login': success({ otp_required: true, challenge: 'challenge-1', methods: ['app'] }),
      'POST /operator/otp-verify': () => {
        tries += 1;
        return tries === 1
          ? refused(422, 'wrong_second_factor', 'This code is wrong, expired or already used. Enter a new code.', 'otp')
          : success({ ...signedIn, operator: account });
      },
    });
    fill();
    await screen.findByRole('heading', { name: 'Enter the code' });
    typeCode(document.body, '111111');
    expect((await screen.findByRole('alert')).textContent).toContain('This code is wrong');
    typeCode(document.body, '222222');
    await waitFor(() => expect(getOperatorToken()).toBe('fresh'));
    const sent = calls.filter(({ name }) => name === 'POST /operator/otp-verify');
    expect(sent.map(({ body }) => body)).toEqual([
      { challenge: 'challenge-1', otp: '111111' },
      { challenge: 'challenge-1', otp: '222222' },
    ]);
    expect(calls.find(({ name }) => name === 'POST /operator/login')?.body).toEqual({
      email: 'samuel@mail.test',
      password: 'gale force nine',
    });
  });

  test('names what is missing and sends nothing', async () => {
    const { calls } = open('/operator/sign-in');
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText('Email id is required')).toBeDefined();
    expect(screen.getByText('Password is required')).toBeDefined();
    await settled();
    expect(calls.filter(({ name }) => name.startsWith('POST'))).toEqual([]);
  });
});

describe('without a second factor', () => {
  beforeEach(() => signInAs({ second_factor: false }));

  test('only its setup is shown, and the console opens with the first code', async () => {
    let isSetUp = false;
    const { calls } = open('/operator/nowhere', {
      'GET /operator/me': () => me({}, isSetUp),
      'POST /operator/totp/start': success({
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP',
      }),
      'POST /operator/totp/confirm': () => {
        isSetUp = true;
        return success(null);
      },
    });
    expect(screen.getByRole('heading', { name: 'Set up two-factor authentication' })).toBeDefined();
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'gale force nine' } });
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined();
    expect(screen.getByText('EHPK').parentElement?.textContent).toBe('JBSWY3DPEHPK3PXP');
    typeCode(document.body);
    expect(await screen.findByText('Page not found')).toBeDefined();
    expect(calls.find(({ name }) => name === 'POST /operator/totp/confirm')?.body).toEqual({ otp: '123456' });
  });

  test('a wrong password is reported at its field', async () => {
    open('/operator', {
      'GET /operator/me': me({}, false),
      'POST /operator/totp/start': refused(422, 'wrong_password', 'Your current password is wrong.'),
    });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'x' } });
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true'));
  });
});

describe('the shell', () => {
  test('has the pages of the role by group, with the counts of their queues', async () => {
    signInAs();
    open('/operator/nowhere');
    const menu = screen.getByRole('navigation', { name: 'Operator' });
    expect(await within(menu).findByRole('link', { name: 'Withdrawals 9' })).toBeDefined();
    expect(within(menu).getByRole('link', { name: 'Deposits in review 2' }).getAttribute('href')).toBe(
      '/operator/deposits',
    );
    const expected = consolePages
      .filter(({ roles, isHidden }) => roles.includes('finance') && !isHidden)
      .map(({ label }) => label);
    const links = within(menu)
      .getAllByRole('link')
      .map((link) => (link.textContent ?? '').replace(/\d+$/, ''));
    expect(links).toEqual(expected);
  });

  test('has no page of another role at its address', async () => {
    signInAs();
    open('/operator/operators');
    expect(await screen.findByText('Page not found')).toBeDefined();
  });

  test('shows who is signed in, how solvent it is, and which market this is', async () => {
    signInAs();
    open('/operator/nowhere');
    expect(await screen.findByText('Solvency 102.55%')).toBeDefined();
    const header = screen.getByRole('banner');
    expect(within(header).getByText('Samuel Okafor')).toBeDefined();
    expect(within(header).getByText('finance')).toBeDefined();
    expect(await within(header).findByText('Session open')).toBeDefined();
    expect(header.textContent).toContain('Simulated market · 2026-03-04 14:05 UTC');
  });

  test('shows an unknown coverage as a dash, not as 0', async () => {
    signInAs();
    open('/operator/nowhere', aroundThePage(anOverview({ coverage: null })));
    await screen.findByRole('link', { name: 'Withdrawals 9' });
    expect(screen.getByText('Solvency –')).toBeDefined();
  });

  test('follows a role that has changed in the meantime', async () => {
    signInAs();
    open('/operator/nowhere', { 'GET /operator/me': me({ role: 'support' }) });
    expect(await within(screen.getByRole('banner')).findByText('support')).toBeDefined();
  });

  test('searches members for what is typed, from anywhere by /', async () => {
    signInAs();
    open('/operator/nowhere', { 'GET /operator/members': success({ items: [], next_cursor: null, more: false }) });
    fireEvent.keyDown(document.body, { key: '/' });
    const field = screen.getByRole('searchbox', { name: 'Member, reference, address' });
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' WD-93KX7A ' } });
    fireEvent.submit(screen.getByRole('search'));
    await waitFor(() => expect(addressNow()).toBe('/operator/members?search=WD-93KX7A'));
  });

  test('signing out ends the session at the server and here', async () => {
    signInAs();
    const { calls } = open('/operator/nowhere', { 'POST /operator/logout': success(null) });
    fireEvent.click(screen.getByRole('button', { name: /^Samuel Okafor/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
    expect(await screen.findByRole('heading', { name: 'Operator sign-in' })).toBeDefined();
    expect(getOperatorToken()).toBeUndefined();
    const ended = calls.find(({ name }) => name === 'POST /operator/logout');
    expect(ended?.headers.get('authorization')).toBe('Bearer operator-secret');
  });
});
