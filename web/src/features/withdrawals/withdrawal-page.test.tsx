import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useNavigate } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import type { WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { theSecurity } from '../../../test/account.ts';
import { addressNow, type renderAt, showPage } from '../../../test/render.tsx';
import { type Answer, type Answers, refused, settled, success } from '../../../test/server.ts';
import { ADDRESS, aCode, aDetail, aWithdrawal, theTerms } from '../../../test/withdrawals.ts';
import { WithdrawalPage } from './withdrawal-page.tsx';

const REQUEST = 'POST /safe/withdrawal';
const SEND = 'GET /auth/send-otp';

/** The page, with the menu's link to it and a browser's list of pages before. */
function Browser() {
  const navigate = useNavigate();
  return (
    <>
      <WithdrawalPage />
      <button type="button" onClick={() => void navigate('/fund/withdrawal')}>{`Menu`}</button>
      <button type="button" onClick={() => void navigate(-2)}>{`Two pages back`}</button>
    </>
  );
}

function open(
  terms: Partial<WithdrawalTerms> = {},
  answers: Answers = {},
  at: Parameters<typeof renderAt>[0] = '/fund/withdrawal',
) {
  return showPage(at, <Browser />, {
    'GET /safe/withdrawal-terms': success(theTerms(terms)),
    'GET /auth/wallet-balance': success({ primary_wallet: 4218.635, profit_wallet: 612.08744 }),
    'GET /safe/withdrwal-hist': success({ items: [], next_cursor: null }),
    'GET /safe/withdrawal/7': success(aDetail()),
    [SEND]: success(aCode()),
    [REQUEST]: success(aWithdrawal()),
    ...answers,
  });
}

const amountField = () => screen.getByLabelText<HTMLInputElement>('Amount in USDT');
const askButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' });
const ready = () => waitFor(() => expect(askButton().disabled).toBe(false));
const type = (text: string) => fireEvent.change(amountField(), { target: { value: text } });
const cells = () => screen.getAllByLabelText<HTMLInputElement>(/^Digit \d of 6$/);
const paste = (text: string) =>
  fireEvent.paste(cells()[0] as HTMLInputElement, { clipboardData: { getData: () => text } });
const panel = (name: RegExp) => screen.getByRole('region', { name });

async function openReady(...given: Parameters<typeof open>) {
  const opened = open(...given);
  await ready();
  return opened;
}

async function askFor(amount: string) {
  await ready();
  await screen.findByText('$4,218.63');
  type(amount);
  fireEvent.click(askButton());
  await screen.findByLabelText('Digit 1 of 6');
}

describe('step 1', () => {
  test('fee and net amount follow the typed amount; limits, address and network are shown beside it', async () => {
    await openReady();
    type('500');
    const form = panel(/Amount$/);
    expect(within(form).getByText('Fee, 1%, at least $1.00').nextElementSibling?.textContent).toBe('$5.0000');
    expect(within(form).getByText('You receive').nextElementSibling?.textContent).toBe('$495.0000');
    expect(within(form).getByText('Sent to').nextElementSibling?.textContent).toBe('TKq8…QeAu · TRC20');
    expect(
      within(form).getByText('At least $10.00. $9,700.00 of $10,000.00 left today, until 00:00 UTC.'),
    ).toBeDefined();
    type('12.5');
    expect(within(form).getByText('You receive').nextElementSibling?.textContent).toBe('$11.5000');
    type('');
    expect(within(form).getByText('You receive').nextElementSibling?.textContent).toBe('–');
  });

  test('the network fee is shown beside the fee as an estimate that we pay, before a code is requested', async () => {
    const { sentTo } = await openReady(
      { network_fee_estimated: true },
      { 'GET /safe/network-fee': success({ estimate: 1.2 }) },
    );
    expect(await screen.findByText('about $1.20')).toBeDefined();
    expect(screen.getByText('Network fee, paid by us').nextElementSibling?.textContent).toBe('about $1.20');
    expect(sentTo('GET /safe/network-fee')[0]?.url).toContain('network=TRC20');
    type('500');
    expect(screen.getByText('You receive').nextElementSibling?.textContent).toBe('$495.0000');
  });

  test('an unavailable estimate is not zero, and does not prevent a withdrawal', async () => {
    const away = refused(503, 'gateway_unavailable', 'The payment service does not respond.');
    await openReady({ network_fee_estimated: true }, { 'GET /safe/network-fee': away });
    expect(await screen.findByText('Estimate not available')).toBeDefined();
    expect(askButton().disabled).toBe(false);
  });

  test('where there is no estimate, none is requested or shown', async () => {
    const { sentTo } = await openReady();
    expect([screen.queryByText('Network fee, paid by us'), sentTo('GET /safe/network-fee')]).toEqual([null, []]);
  });

  test.each([
    ['9.99', 'A withdrawal is at least 10$.'],
    ['9700.01', 'At most 10000$ a day can be withdrawn.'],
    ['4218.64', 'Insufficient balance.'],
    ['', 'Enter an amount in numbers.'],
  ])('an amount of "%s" is refused at its field, and no code is emailed', async (typed, words) => {
    const { sentTo } = await openReady();
    await screen.findByText('$4,218.63');
    type(typed);
    fireEvent.click(askButton());
    expect(screen.getByRole('alert').textContent).toBe(words);
    expect(document.activeElement).toBe(amountField());
    await settled();
    expect(sentTo(SEND)).toEqual([]);
  });

  test('the maximum today is the balance of the chosen wallet, or what is left of the daily limit', async () => {
    await openReady({ day_left: 3000 });
    await screen.findByText('$4,218.63');
    fireEvent.click(screen.getByRole('button', { name: 'Use maximum' }));
    expect(amountField().value).toBe('3000');
    fireEvent.click(screen.getByRole('radio', { name: /Profit Wallet/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Use maximum' }));
    expect(amountField().value).toBe('612.08744');
  });

  test('a paid one is shown without a way to cancel it', async () => {
    open({}, { 'GET /safe/withdrawal/7': success(aDetail({ state: 'completed' })) }, '/fund/withdrawal?withdrawal=7');
    expect(await screen.findByRole('link', { name: 'Make another withdrawal' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull();
  });

  test('a server error for the amount is shown at the amount', async () => {
    const message = 'At most 10000$ a day can be withdrawn.';
    await openReady({}, { [SEND]: refused(422, 'withdrawal_day_limit', message, 'amount') });
    type('500');
    fireEvent.click(askButton());
    await waitFor(() => expect(within(panel(/Amount$/)).getByRole('alert').textContent).toBe(message));
  });

  test('sent again while the reply is awaited, the form emails one code', async () => {
    const { sentTo } = await openReady({}, { [SEND]: 'never' });
    await screen.findByText('$4,218.63');
    type('500');
    fireEvent.click(askButton());
    await screen.findByRole('button', { name: 'Sending' });
    fireEvent.submit(amountField());
    await settled();
    expect(sentTo(SEND)).toHaveLength(1);
  });

  test('a failed request for a code is reported', async () => {
    await openReady({}, { [SEND]: 'no answer' });
    type('500');
    fireEvent.click(askButton());
    expect(await screen.findByText('No connection. Please try again.')).toBeDefined();
    expect(amountField().value).toBe('500');
  });
});

describe('step 2', () => {
  test('shows what is confirmed and where the code was sent, and the code is for exactly this', async () => {
    const { sentTo } = open();
    await askFor('500');
    const step = panel(/Confirm$/);
    expect(step.textContent).toContain('a•••@example.com');
    expect(within(step).getByText('Amount').nextElementSibling?.textContent).toBe('$500.0000');
    expect(within(step).getByText('Fee').nextElementSibling?.textContent).toBe('$5.0000');
    expect(within(step).getByText('From').nextElementSibling?.textContent).toBe('Primary Wallet');
    expect(step.textContent).toContain('$495.0000');
    expect(step.textContent).toContain(ADDRESS);
    expect(within(step).getByText('TKq8')).toBeDefined();
    expect(sentTo(SEND).map(({ url }) => url.split('?')[1])).toEqual([
      'purpose=withdrawal&amount=500&wallet_type=primary',
    ]);
  });

  test('a full code is sent only by the button, with the idempotency key; the result is in the address', async () => {
    const { sentTo } = open();
    await askFor('500');
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Withdraw $500.00' });
    expect(button().disabled).toBe(true);
    paste('407129');
    expect(button().disabled).toBe(false);
    await settled();
    expect(sentTo(REQUEST)).toEqual([]);
    fireEvent.click(button());
    expect(await screen.findByText('Withdrawal requested')).toBeDefined();
    await waitFor(() => expect(addressNow()).toBe('/fund/withdrawal?withdrawal=7'));
    expect(sentTo(REQUEST).map(({ body }) => body)).toEqual([
      { amount: 500, fee: 5, wallet_type: 'primary', otp: '407129' },
    ]);
    expect(sentTo(REQUEST)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{43}$/);
    expect(await screen.findByText('Waiting for approval')).toBeDefined();
  });

  test('the code of an authenticator app is required where there is one, and may be wrong', async () => {
    const words = 'This code is wrong, expired or already used. Enter a new code.';
    const { sentTo } = open(
      {},
      {
        'GET /auth/security': success(theSecurity({ second_factor: true })),
        [REQUEST]: refused(422, 'wrong_second_factor', words, 'second_factor'),
      },
    );
    await askFor('500');
    paste('407129');
    const code = await screen.findByLabelText('Authenticator code');
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw $500.00' }));
    await settled();
    expect(sentTo(REQUEST)).toEqual([]);
    fireEvent.change(code, { target: { value: '660210' } });
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw $500.00' }));
    await waitFor(() => expect(within(panel(/Confirm$/)).getByRole('alert').textContent).toBe(words));
    expect(sentTo(REQUEST)[0]?.body).toMatchObject({ otp: '407129', second_factor: '660210' });
  });

  test('without an answer the code is kept, and a retry has the same key', async () => {
    const { sentTo } = open({}, { [REQUEST]: 'no answer' });
    await askFor('500');
    paste('407129');
    const button = screen.getByRole('button', { name: 'Withdraw $500.00' });
    fireEvent.click(button);
    await waitFor(() =>
      expect(within(panel(/Confirm$/)).getByRole('alert').textContent).toContain('it withdraws at most once'),
    );
    expect(
      cells()
        .map(({ value }) => value)
        .join(''),
    ).toBe('407129');
    fireEvent.click(button);
    await waitFor(() => expect(sentTo(REQUEST)).toHaveLength(2));
    const keys = sentTo(REQUEST).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).not.toBeNull();
    expect(keys[1]).toBe(keys[0]);
  });

  test('going back sends nothing and keeps the values; the same request needs no second email', async () => {
    const { sentTo } = open();
    await askFor('500');
    paste('407129');
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Amount in USDT')).value).toBe('500');
    await settled();
    expect(sentTo(REQUEST)).toEqual([]);
    fireEvent.click(askButton());
    await screen.findByLabelText('Digit 1 of 6');
    expect(cells()[0]?.value).toBe('');
    expect(sentTo(SEND)).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await ready();
    type('501');
    fireEvent.click(askButton());
    await screen.findByRole('button', { name: 'Withdraw $501.00' });
    expect(sentTo(SEND)).toHaveLength(2);
  });

  test('the code of one withdrawal is not in the cells of another that the browser goes back to', async () => {
    open();
    await askFor('500');
    fireEvent.click(screen.getByRole('button', { name: 'Menu' }));
    await ready();
    type('501');
    fireEvent.click(askButton());
    await screen.findByRole('button', { name: 'Withdraw $501.00' });
    paste('407129');
    fireEvent.click(screen.getByRole('button', { name: 'Two pages back' }));
    await screen.findByRole('button', { name: 'Withdraw $500.00' });
    expect(cells().map(({ value }) => value)).toEqual(Array(6).fill(''));
  });

  test('another code can be sent after the wait', async () => {
    const first = aCode({ resend_at: new Date(Date.now() - 1).toISOString() });
    const answers = [first, aCode()];
    const { sentTo } = open({}, { [SEND]: () => success(answers.shift()) });
    await askFor('500');
    fireEvent.click(screen.getByRole('button', { name: 'Resend code' }));
    expect(await screen.findByText(/^Resend in/)).toBeDefined();
    expect(sentTo(SEND)).toHaveLength(2);
    expect(sentTo(SEND)[1]?.url).toBe(sentTo(SEND)[0]?.url);
  });

  test('going back while another code is sent stays there, and the code is used when asked for again', async () => {
    const again = Promise.withResolvers<Answer>();
    const answers = [success(aCode({ resend_at: new Date(Date.now() - 1).toISOString() })), again.promise];
    const { sentTo } = open({}, { [SEND]: () => answers.shift() ?? success(aCode()) });
    await askFor('500');
    fireEvent.click(screen.getByRole('button', { name: 'Resend code' }));
    await waitFor(() => expect(sentTo(SEND)).toHaveLength(2));
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByLabelText('Amount in USDT');
    again.resolve(success(aCode()));
    await ready();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    fireEvent.click(askButton());
    expect(await screen.findByText(/^Resend in/)).toBeDefined();
    expect(sentTo(SEND)).toHaveLength(2);
  });

  test('a late email is explained', async () => {
    open({}, { [SEND]: success(aCode({ delayed: true })) });
    await askFor('500');
    expect(panel(/Confirm$/).textContent).toContain('Emails are delayed');
  });

  test('a reload of the page keeps the step', () => {
    open(
      {},
      {},
      {
        pathname: '/fund/withdrawal',
        state: {
          withdrawal: {
            asked: { amount: 500, fee: 5, net: 495, walletType: 'profit', network: 'TRC20', address: ADDRESS },
            code: {
              sentTo: 'a•••@example.com',
              expiresAt: aCode().expires_at,
              resendAt: aCode().resend_at,
              delayed: false,
            },
          },
        },
      },
    );
    expect(cells()).toHaveLength(6);
    expect(screen.getByRole('button', { name: 'Withdraw $500.00' })).toBeDefined();
  });
});

describe('restrictions', () => {
  const until = new Date(Date.now() + 3_600_000 * 2).toISOString();

  test.each([
    ['withdrawals_frozen', null, 'Withdrawals of your account are stopped', 'Write to'],
    ['not_verified', null, 'Your account is not verified yet', 'Write to'],
    [
      'withdrawal_waiting',
      until,
      'Withdrawals are on hold',
      // True of a first address, too, which changes nothing.
      'An address was saved, or your email address, password or sign-in was changed, less than 24 hours ago. Withdrawals are available from',
    ],
  ] as const)('%s is explained with what to do, and no code can be requested', async (code, at, title, words) => {
    const { sentTo } = open({ bar: { code, until: at } });
    const banner = (await screen.findByText(title)).parentElement;
    expect(banner?.textContent).toContain(words);
    type('500');
    expect(askButton().disabled).toBe(true);
    fireEvent.submit(amountField());
    await settled();
    expect(sentTo(SEND)).toEqual([]);
  });

  test('the wait is counted down', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date('2026-03-04T14:05:00Z') });
    open({ bar: { code: 'withdrawal_waiting', until: '2026-03-05T14:05:00Z' } });
    expect(await screen.findByText('24:00:00')).toBeDefined();
    act(() => void vi.advanceTimersByTime(61_000));
    expect(screen.getByText('23:58:59')).toBeDefined();
    expect(screen.getByText(/from 5 Mar 2026, 14:05 UTC/)).toBeDefined();
  });

  test('without an address it links to adding one', async () => {
    open({ address: null, bar: { code: 'address_missing', until: null } });
    await screen.findByText('Add a payout address first');
    fireEvent.click(screen.getAllByRole('link', { name: 'Add address' })[0] as HTMLElement);
    expect(await screen.findByRole('dialog', { name: 'Payout address' })).toBeDefined();
    expect(addressNow()).toBe('/fund/withdrawal?address');
  });

  test('a global payout stop still allows requests, and is shown', async () => {
    open({ payouts_stopped: true });
    expect(await screen.findByText('Payouts are stopped at the moment')).toBeDefined();
    expect(askButton().disabled).toBe(false);
  });

  test('limits that could not be loaded are dashes, and can be retried', async () => {
    open({}, { 'GET /safe/withdrawal-terms': { status: 500, body: { status: 'error', message: 'Broken.' } } });
    expect(await screen.findByText('Limits and payout address could not be loaded')).toBeDefined();
    expect(askButton().disabled).toBe(true);
    expect(screen.getByText('Sent to').nextElementSibling?.textContent).toBe('–');
  });
});

test.each([true, false])('whether a payout is simulated (%s) is never hidden', async (simulated) => {
  open({ simulated });
  // Rendered before the terms have loaded, so that the page does not shift.
  expect(screen.getByText('Simulated payouts: no real money moves')).toBeDefined();
  await ready();
  expect(screen.queryByText('Simulated payouts: no real money moves') !== null).toBe(simulated);
});
