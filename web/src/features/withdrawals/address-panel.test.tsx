import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { theSecurity } from '../../../test/account.ts';
import { addressNow, showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { ADDRESS, aCode, theTerms } from '../../../test/withdrawals.ts';
import { AddressPanel } from './address-panel.tsx';

const SEND = 'GET /auth/send-otp';
const SAVE = 'PUT /auth/update-address';
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

function open(terms: Partial<WithdrawalTerms> = {}, answers: Answers = {}, at = '/profile') {
  return showPage(at, <AddressPanel />, {
    'GET /safe/withdrawal-terms': success(theTerms(terms)),
    [SEND]: success(aCode()),
    ...answers,
  });
}

const dialog = () => screen.findByRole('dialog', { name: 'Payout address' });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' });

async function fill(network: RegExp, address: string) {
  const within_ = within(await dialog());
  fireEvent.click(within_.getByRole('radio', { name: network }));
  fireEvent.change(field(), { target: { value: address } });
  fireEvent.click(within_.getByRole('button', { name: 'Send code' }));
}

describe('the current address', () => {
  test('is shown in full, in groups of four, with the time since when it is usable', async () => {
    open();
    const groups = (await screen.findByText('TKq8')).parentElement;
    expect(groups?.textContent).toBe(ADDRESS);
    expect([...(groups?.children ?? [])].map((group) => group.textContent)).toEqual(ADDRESS.match(/.{1,4}/g));
    expect(screen.getByText('Available since 14 Jan 2026, 08:30 UTC')).toBeDefined();
  });

  test('that was changed recently says when it will be usable', async () => {
    const usable_from = new Date(Date.now() + 7_200_000).toISOString();
    open({ address: { network: 'BTC', address: BITCOIN, usable_from } });
    expect((await screen.findByText(/^Available from/)).textContent).toMatch(/UTC, in (2:00:00|1:59:5\d)$/);
    expect(screen.getByText('Bitcoin')).toBeDefined();
  });

  test('has a link to add one when there is none', async () => {
    open({ address: null });
    expect(await screen.findByText(/^None yet/)).toBeDefined();
    expect(screen.getByRole('link', { name: 'Add address' })).toBeDefined();
  });

  test.each(['account_frozen', 'withdrawals_frozen'] as const)('cannot be changed with %s', async (code) => {
    open({ bar: { code, until: null } });
    expect(await screen.findByText('The address cannot be changed while withdrawals are stopped.')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Change address' })).toBeNull();
  });

  test('that cannot be changed cannot be changed through a link either', async () => {
    open({ bar: { code: 'account_frozen', until: null } }, {}, '/profile?address');
    await screen.findByText('The address cannot be changed while withdrawals are stopped.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('that could not be loaded is not shown as missing, and can be retried', async () => {
    let isBroken = true;
    open(
      {},
      {
        'GET /safe/withdrawal-terms': () => (isBroken ? refused(500, 'internal', 'Broken.') : success(theTerms())),
      },
    );
    expect(await screen.findByText('This could not be loaded')).toBeDefined();
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('TKq8')).toBeDefined();
  });
});

describe('a new address', () => {
  test('is compared in groups, confirmed by an emailed code, and then shown in the panel', async () => {
    const usable_from = new Date(Date.now() + 86_400_000).toISOString();
    const saved = { network: 'BTC', address: BITCOIN, usable_from } as const;
    let address: WithdrawalTerms['address'] = null;
    const { sentTo } = open(
      {},
      {
        'GET /safe/withdrawal-terms': () => success(theTerms({ address })),
        [SAVE]: () => {
          address = saved;
          return success(saved);
        },
      },
    );
    fireEvent.click(await screen.findByRole('link', { name: 'Add address' }));
    const first = within(await dialog()).getAllByRole('radio')[0];
    await waitFor(() => expect(document.activeElement).toBe(first));
    expect(addressNow()).toBe('/profile?address=');
    await fill(/Bitcoin/, ` ${BITCOIN} `);
    await screen.findByLabelText('Digit 1 of 6');
    expect(sentTo(SEND).map(({ url }) => url.split('?')[1])).toEqual([
      `purpose=address&network=BTC&address=${BITCOIN}`,
    ]);
    expect((await dialog()).textContent).toContain(BITCOIN);
    await settled();
    expect(sentTo(SAVE)).toEqual([]);

    fireEvent.paste(screen.getByLabelText('Digit 1 of 6'), { clipboardData: { getData: () => '407129' } });
    await settled();
    expect(sentTo(SAVE)).toEqual([]);
    const save = screen.getByRole('button', { name: 'Save address' });
    // The second click may come before the first one is rendered.
    fireEvent.click(save);
    fireEvent.click(save);
    expect(await screen.findByText('Payout address saved')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo(SAVE).map(({ body }) => body)).toEqual([{ network: 'BTC', address: BITCOIN, otp: '407129' }]);
    expect(addressNow()).toBe('/profile');
    expect(await screen.findByText('bc1q')).toBeDefined();
  });

  test('is shown in groups of four as it is typed', async () => {
    const { sentTo } = open({}, {}, '/profile?address');
    await dialog();
    fireEvent.change(field(), { target: { value: 'TKq8mZ4vRw' } });
    expect(screen.getByText('mZ4v').parentElement?.textContent).toBe('TKq8mZ4vRw');
    await settled();
    expect(sentTo(SEND)).toEqual([]);
  });

  test.each([
    ['no network', undefined, ADDRESS, 'Choose a network.'],
    ['no address', /TRC20/, ' ', 'Enter the address.'],
  ])('with %s is refused at the missing field', async (_, network, address, words) => {
    const { sentTo } = open({}, {}, '/profile?address');
    const form = within(await dialog());
    if (network) fireEvent.click(form.getByRole('radio', { name: network }));
    fireEvent.change(field(), { target: { value: address } });
    fireEvent.click(form.getByRole('button', { name: 'Send code' }));
    expect(form.getByRole('alert').textContent).toBe(words);
    await settled();
    expect(sentTo(SEND)).toEqual([]);
  });

  test('that does not fit its network is reported at the field, in the server’s words', async () => {
    const words = 'This is not an address of the chosen network. Copy it again from your wallet.';
    open({}, { [SEND]: refused(422, 'invalid_address', words, 'address') }, '/profile?address');
    await fill(/ERC20/, ADDRESS);
    await waitFor(() => expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toBe(words));
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
  });

  test('requires the code of an authenticator app where there is one, and reports a wrong one', async () => {
    const words = 'This code is wrong, expired or already used. Enter a new code.';
    const answers = {
      'GET /auth/security': success(theSecurity({ second_factor: true })),
      [SAVE]: refused(422, 'wrong_second_factor', words, 'second_factor'),
    };
    const { sentTo } = open({}, answers, '/profile?address');
    await fill(/TRC20/, ADDRESS);
    fireEvent.paste(await screen.findByLabelText('Digit 1 of 6'), { clipboardData: { getData: () => '407129' } });
    const code = await screen.findByLabelText('Authenticator code');
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }));
    await settled();
    expect(sentTo(SAVE)).toEqual([]);
    fireEvent.change(code, { target: { value: '660210' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }));
    await waitFor(() => expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toBe(words));
    expect(sentTo(SAVE)[0]?.body).toMatchObject({ otp: '407129', second_factor: '660210' });
  });

  test('that is refused when it is saved is entered again, with the reason beside it', async () => {
    const words = 'This is not an address of the network.';
    open({}, { [SAVE]: refused(422, 'invalid_address', words, 'address') }, '/profile?address');
    await fill(/TRC20/, ADDRESS);
    fireEvent.paste(await screen.findByLabelText('Digit 1 of 6'), { clipboardData: { getData: () => '407129' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save address' }));
    await waitFor(() => expect(field().value).toBe(ADDRESS));
    expect(await screen.findByText(words)).toBeDefined();
  });

  test.each([
    ['its code is requested', SEND],
    ['it is saved', SAVE],
  ])('is sent once and stays on screen while %s', async (_, unanswered) => {
    const { sentTo } = open({}, { [unanswered]: 'never' }, '/profile?address');
    await fill(/TRC20/, ADDRESS);
    if (unanswered === SAVE) {
      fireEvent.paste(await screen.findByLabelText('Digit 1 of 6'), { clipboardData: { getData: () => '407129' } });
      fireEvent.click(screen.getByRole('button', { name: 'Save address' }));
    }
    await waitFor(() => expect(sentTo(unanswered)).toHaveLength(1));
    const close = screen.getByRole<HTMLButtonElement>('button', { name: 'Close' });
    expect(close.disabled).toBe(true);
    fireEvent.keyDown(close, { key: 'Escape' });
    fireEvent.submit((await dialog()).querySelector('form') as HTMLFormElement);
    await settled();
    expect(addressNow()).toBe('/profile?address');
    expect(sentTo(unanswered)).toHaveLength(1);
  });

  test('entered again needs no second email, another one does', async () => {
    const { sentTo } = open({}, {}, '/profile?address');
    await fill(/TRC20/, ADDRESS);
    fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
    await fill(/TRC20/, ADDRESS);
    fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
    expect(sentTo(SEND)).toHaveLength(1);
    await fill(/Bitcoin/, BITCOIN);
    await screen.findByLabelText('Digit 1 of 6');
    expect(sentTo(SEND)).toHaveLength(2);
  });

  test('that is cancelled sends nothing and clears the form', async () => {
    const { sentTo } = open(
      {},
      { 'GET /auth/security': success(theSecurity({ second_factor: true })) },
      '/profile?address',
    );
    await fill(/TRC20/, ADDRESS);
    await screen.findByLabelText('Digit 1 of 6');
    fireEvent.change(await screen.findByLabelText('Authenticator code'), { target: { value: '660210' } });
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(addressNow()).toBe('/profile');
    await settled();
    expect(sentTo(SAVE)).toEqual([]);
    fireEvent.click(screen.getByRole('link', { name: 'Change address' }));
    await dialog();
    expect(field().value).toBe('');
    await fill(/TRC20/, ADDRESS);
    expect((await screen.findByLabelText<HTMLInputElement>('Authenticator code')).value).toBe('');
  });
});
