import { fireEvent, screen, waitFor } from '@testing-library/react';
import { encode } from 'uqr';
import { expect, test, vi } from 'vitest';
import { aDeposit, depositList } from '../../../../test/deposits.ts';
import { addressNow, queryOf, showPage } from '../../../../test/render.tsx';
import { refused, settled, success } from '../../../../test/server.ts';
import { qrPath } from '../../../ui/text/qr-code.tsx';
import { DepositPage } from './deposit-page.tsx';

const LIST = 'GET /secure/hist';
const ONE = 'GET /secure/7';
const CREATE = 'POST /secure/create';
const RISK_REFUSED = 'Please read and accept the risk disclosure first.';

const show = (answers: Parameters<typeof showPage>[2], search = '') =>
  showPage(`/fund/deposits${search}`, <DepositPage />, answers);
const typeAmount = (text: string) =>
  fireEvent.change(screen.getByLabelText('Amount in USDT'), { target: { value: text } });
const start = () => fireEvent.click(screen.getByRole('button', { name: 'Start deposit' }));

test.each([
  ['9.99', 'A deposit is from 10$ to 50000$.'],
  ['50000.01', 'A deposit is from 10$ to 50000$.'],
  ['', 'Enter an amount in numbers.'],
])('an amount of "%s" is refused at its field and not sent', async (typed, words) => {
  const { sentTo } = show({ [LIST]: success(depositList([])) });
  await screen.findByText('No deposits yet');
  typeAmount(typed);
  start();
  expect(screen.getByRole('alert').textContent).toBe(words);
  expect(document.activeElement).toBe(screen.getByLabelText('Amount in USDT'));
  await settled();
  expect(sentTo(CREATE)).toEqual([]);
});

test.each(['10', '50000'])('an amount of "%s", a limit itself, is sent', async (typed) => {
  const { sentTo } = show({
    [LIST]: success(depositList([])),
    [CREATE]: success(aDeposit()),
    [ONE]: success(aDeposit()),
  });
  await screen.findByText('No deposits yet');
  typeAmount(typed);
  start();
  await waitFor(() => expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: Number(typed) }]));
});

test('the first deposit needs the risk tick, and carries it', async () => {
  const deposit = aDeposit();
  const { sentTo } = show({
    [LIST]: success(depositList([], { risk_accepted: false })),
    [CREATE]: success(deposit),
    [ONE]: success(deposit),
  });
  const tick = await screen.findByRole('checkbox');
  typeAmount('500');
  start();
  expect(screen.getByText(RISK_REFUSED)).toBeTruthy();
  await settled();
  expect(sentTo(CREATE)).toEqual([]);

  fireEvent.click(tick);
  expect(screen.queryByText(RISK_REFUSED)).toBeNull();
  start();
  await screen.findByText('Open payment page');
  expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: 500, risk_accepted: true }]);
  expect(sentTo(CREATE)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{43}$/);
  expect(addressNow()).toBe('/fund/deposits?deposit=7');
});

test('nothing can be started until it is known whether the tick is needed', async () => {
  const { sentTo } = show({ [LIST]: 'never', [CREATE]: success(aDeposit()) });
  typeAmount('500');
  start();
  expect(screen.getByRole('button', { name: 'Start deposit' })).toHaveProperty('disabled', true);
  await settled();
  expect(sentTo(CREATE)).toEqual([]);
});

test('during the member’s own pause none can be started, and the form says until when', async () => {
  const { sentTo } = show({
    [LIST]: success(depositList([])),
    'GET /auth/me': success({ limits: { paused_until: '2099-03-04T14:05:00.000Z' } }),
  });
  expect(await screen.findByText('You paused trading and deposits until 4 Mar 2099, 14:05 UTC.')).toBeTruthy();
  typeAmount('500');
  fireEvent.submit(screen.getByLabelText('Amount in USDT'));
  expect(screen.getByRole('button', { name: 'Start deposit' })).toHaveProperty('disabled', true);
  await settled();
  expect(sentTo(CREATE)).toEqual([]);
});

test('if there are several ways to pay, one is chosen and sent', async () => {
  const offered = { pay_with: ['BTC', 'TRC20', 'BEP20', 'ERC20'] as const };
  const deposit = aDeposit({ pay_with: 'TRC20' });
  const { sentTo } = show({
    [LIST]: success({ ...depositList([]), ...offered }),
    [CREATE]: success(deposit),
    [ONE]: success(deposit),
  });
  const tron = await screen.findByRole('radio', { name: /USDT on TRC20/ });
  expect(screen.getAllByRole('radio')).toHaveLength(4);
  typeAmount('500');
  start();
  expect(screen.getByRole('alert').textContent).toBe('Choose what to pay with.');
  await settled();
  expect(sentTo(CREATE)).toEqual([]);
  fireEvent.click(tron);
  expect(screen.queryByRole('alert')).toBeNull();
  start();
  await screen.findByText('Open payment page');
  expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: 500, pay_with: 'TRC20' }]);
});

test('without a payment page the address is shown at once, with amount, memo and network', async () => {
  const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
  const way = {
    label: 'USDT on Tron (TRC20)',
    destination: address,
    payment_link: address,
    due: '39.5',
    currency: 'USDT',
  };
  const deposit = aDeposit({ pay_with: 'TRC20', pay_url: null, pay_ways: [{ ...way, memo: '8812' }] });
  show({ [LIST]: success(depositList([deposit])), [ONE]: success(deposit) }, '?deposit=7');
  const code = await screen.findByRole('img', { name: 'QR code to pay with USDT on Tron (TRC20)' });
  expect(code.querySelector('path')?.getAttribute('d')).toBe(qrPath(encode(address, { ecc: 'M', border: 4 }).data));
  expect(screen.queryByRole('radiogroup', { name: 'Payment method' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Open payment page' })).toBeNull();
  expect(screen.getByText('8812')).toBeTruthy();
  expect(screen.getByText(/^Send only USDT on Tron \(TRC20\), in one payment\./)).toBeTruthy();
});

test('an error in the amount is named before the missing tick', async () => {
  show({ [LIST]: success(depositList([], { risk_accepted: false })) });
  await screen.findByRole('checkbox');
  typeAmount('5');
  start();
  expect(screen.getByText('A deposit is from 10$ to 50000$.')).toBeTruthy();
  expect(screen.queryByText(RISK_REFUSED)).toBeNull();
});

test('a member who accepted the risk before is not asked again', async () => {
  const { sentTo } = show({
    [LIST]: success(depositList([aDeposit({ id: '3', state: 'credited', credited: 500 })])),
    [CREATE]: success(aDeposit()),
    [ONE]: success(aDeposit()),
  });
  await screen.findByText('Credited', { selector: 'td *' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  typeAmount('12.5');
  start();
  await screen.findByText('Open payment page');
  expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: 12.5 }]);
});

test('if the server requires the tick, it is shown with the server’s words, stays, and is sent', async () => {
  const { sentTo } = show({
    [LIST]: success(depositList([])),
    [CREATE]: refused(422, 'risk_not_accepted', RISK_REFUSED, 'risk_accepted'),
  });
  await screen.findByText('No deposits yet');
  typeAmount('500');
  start();
  fireEvent.click(await screen.findByRole('checkbox'));
  // only in the toast of the call
  await waitFor(() => expect(screen.getAllByText(RISK_REFUSED)).toHaveLength(1));
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
  start();
  // at the checkbox again, and in the toast
  await waitFor(() => expect(screen.getAllByText(RISK_REFUSED)).toHaveLength(2));
  expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: 500 }, { amount: 500, risk_accepted: true }]);
});

test('a sixth open deposit is refused with a link to the open ones', async () => {
  const words = 'You have 5 open deposits. Pay one of them or wait until it expires, then start another.';
  show({ [LIST]: success(depositList([])), [CREATE]: refused(409, 'too_many_open_deposits', words) });
  await screen.findByText('No deposits yet');
  typeAmount('500');
  start();
  const link = await screen.findByRole('link', { name: 'open deposits' });
  expect(screen.getByText('5 deposits are still open')).toBeTruthy();
  fireEvent.click(link);
  expect(addressNow()).toBe('/fund/deposits?state=created');
});

test('a refusal of the whole deposit stays above the button', async () => {
  const words = 'You paused trading and deposits. See the end of the pause in Profile.';
  show({ [LIST]: success(depositList([])), [CREATE]: refused(403, 'own_pause', words) });
  await screen.findByText('No deposits yet');
  typeAmount('500');
  start();
  await screen.findByText(words, { selector: 'form *' });
  // Screen readers announce the toast, and nothing twice.
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([words]);
});

test('an open deposit can be continued, with its link and countdown', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const deposit = aDeposit({ expires_at: new Date(Date.now() + 2808_000).toISOString() });
  show({ [LIST]: success(depositList([deposit])), [ONE]: success(deposit) });
  fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  const link = await screen.findByRole('link', { name: 'Open payment page' });
  expect(link.getAttribute('href')).toBe('https://pay.test/i/7M2QX4');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(screen.getByRole('timer').textContent).toBe('46:48');
});

const anInvoice = (given: Parameters<typeof aDeposit>[0]) => {
  const deposit = aDeposit({ expires_at: new Date(Date.now() + 2808_000).toISOString(), ...given });
  return show({ [LIST]: success(depositList([deposit])), [ONE]: success(deposit) }, '?deposit=7');
};
/** What a camera would read, as far as a test can tell: the modules are those that the encoder gives for this text. */
const codeOf = (text: string) => qrPath(encode(text, { ecc: 'M', border: 4 }).data);
const drawn = (name: string) => screen.getByRole('img', { name }).querySelector('path')?.getAttribute('d');

test('the QR code has the full address of the payment page, even if the server omitted its origin', async () => {
  anInvoice({ pay_url: '/sandbox/pay/abc' });
  const link = await screen.findByRole('link', { name: 'Open payment page' });
  expect(link.getAttribute('href')).toBe(`${window.location.origin}/sandbox/pay/abc`);
  expect(drawn('QR code of the payment page')).toBe(codeOf(`${window.location.origin}/sandbox/pay/abc`));
  expect(screen.getByText(`${window.location.origin}/sandbox/pay/abc`)).toBeTruthy();
});

test('another way to pay has its address in groups of four, amount in its own coin, and its own QR code', async () => {
  const destination = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  anInvoice({
    pay_ways: [
      {
        label: 'Bitcoin',
        destination,
        payment_link: `bitcoin:${destination}?amount=0.00731`,
        due: '0.00731',
        currency: 'BTC',
      },
    ],
  });
  fireEvent.click(await screen.findByRole('radio', { name: 'Bitcoin' }));
  const groups = [...(screen.getByText('bc1q').parentElement?.children ?? [])].map(({ textContent }) => textContent);
  expect(groups.slice(0, 3)).toEqual(['bc1q', 'w508', 'd6qe']);
  expect(groups.join('')).toBe(destination);
  expect(screen.getAllByText(/^0\.00731/)).toHaveLength(2);
  expect(drawn('QR code to pay with Bitcoin')).toBe(codeOf(`bitcoin:${destination}?amount=0.00731`));
  expect(screen.queryByRole('link', { name: 'Open payment page' })).toBeNull();
});

test('once the payment is detected nothing is offered to pay: paying again would be paying twice', async () => {
  anInvoice({ state: 'pending' });
  await screen.findByText('Payment detected', { selector: '[role="status"] b' });
  expect(screen.queryByRole('link', { name: 'Open payment page' })).toBeNull();
  expect(screen.queryByRole('img', { name: 'QR code of the payment page' })).toBeNull();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('of a payment in part the rest is offered, on the page too, and in the list of all deposits', async () => {
  anInvoice({ state: 'underpaid', paid: 150 });
  expect((await screen.findByText('Still to pay')).parentElement?.textContent).toContain('350.00 USDT');
  expect(screen.getByRole('link', { name: 'Open payment page' })).toBeTruthy();
  expect(screen.getByText(/^350\.00 USDT is missing\. Pay it before/)).toBeTruthy();
  expect(screen.getByText('350.00 USDT missing')).toBeTruthy();
});

test('after the invoice expires nothing is offered to pay, even before the server has closed it', async () => {
  anInvoice({ expires_at: new Date(Date.now() - 1000).toISOString() });
  await screen.findByText('Time to pay is over');
  expect(screen.queryByRole('link', { name: 'Open payment page' })).toBeNull();
  expect(screen.getByRole('timer').textContent).toBe('0:00');
});

test('what is held for review or was sent back is shown with its amount', async () => {
  const deposit = aDeposit({ state: 'review', held: 320, refunded: 80 });
  show({ [LIST]: success(depositList([deposit])), [ONE]: success(deposit) }, '?deposit=7');
  expect((await screen.findByText('Held for review')).nextSibling?.textContent).toBe('$320.0000');
  expect(screen.getByText('Refunded', { selector: 'dt' }).nextSibling?.textContent).toBe('$80.0000');
});

test('an operator’s note on a decision is shown with it', async () => {
  anInvoice({ state: 'refunded', note: 'It came from an exchange we cannot take money from.' });
  await screen.findByText('“It came from an exchange we cannot take money from.”');
  expect(screen.getByText('It came from an exchange we cannot take money from.', { selector: 'td *' })).toBeTruthy();
});

test('a self-imposed limit shows what this amount would leave of it', async () => {
  show({
    [LIST]: success(depositList([], { own_week: { limit: 2000, used: 300 } })),
  });
  expect((await screen.findByText('Remaining')).nextSibling?.textContent).toBe('$1,700.00');
  typeAmount('500');
  expect(screen.getByText('Remaining after this').nextSibling?.textContent).toBe('$1,200.00');
  typeAmount('1800');
  expect(screen.getByText('Remaining after this').nextSibling?.textContent).toBe('Over the limit');
});

test('the CSV is the whole list in the current state filter, from the server', async () => {
  const { sentTo } = show(
    { [LIST]: success(depositList([aDeposit({ state: 'credited', credited: 500 })])) },
    '?state=credited',
  );
  await screen.findByText('Credited', { selector: 'td *' });
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(sentTo(LIST).map((call) => [queryOf(call), call.headers.get('accept')])).toContainEqual([
      { state: 'credited', format: 'csv' },
      'text/csv',
    ]),
  );
});

test.each([
  ['credited', 2],
  ['expired', 1],
] as const)('of a deposit that is %s, %d of the two steps are done', async (state, done) => {
  show({ [LIST]: success(depositList([])), [ONE]: success(aDeposit({ state })) }, '?deposit=7');
  await screen.findByRole('button', { name: 'Start another deposit' });
  expect(screen.getAllByLabelText('Done')).toHaveLength(done);
});

test('another member’s deposit does not exist', async () => {
  show(
    {
      [LIST]: success(depositList([])),
      'GET /secure/9': refused(404, 'deposit_not_found', 'This deposit does not exist.'),
    },
    '?deposit=9',
  );
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('This deposit does not exist.'));
});

test('paper mode says that no real money moves', async () => {
  show({ [LIST]: success(depositList([])) });
  await screen.findByText('No deposits yet');
  expect(screen.getByText('Sandbox payments: no real money moves')).toBeTruthy();
});
