import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DepositPage } from './deposit-page.tsx';
import { aDeposit, depositList, Refusal, showPage } from './page-test.tsx';

const LIST = 'GET /secure/hist';
const CREATE = 'POST /secure/create';
const RISK_REFUSED = 'Please read and accept the risk disclosure first.';

const typeAmount = (text: string) =>
  fireEvent.change(screen.getByLabelText('Amount in USDT'), { target: { value: text } });
const start = () => fireEvent.click(screen.getByRole('button', { name: 'Start deposit' }));

test.each([
  ['9.99', 'A deposit is from 10$ to 50000$.'],
  ['50000.01', 'A deposit is from 10$ to 50000$.'],
  ['', 'Enter an amount in numbers.'],
])('an amount of "%s" is refused at its field and not sent', async (typed, words) => {
  const { sentTo } = showPage(<DepositPage />, '/fund/deposits', { [LIST]: depositList([]) });
  await screen.findByText('No deposits yet');
  typeAmount(typed);
  start();
  expect(screen.getByRole('alert').textContent).toBe(words);
  expect(document.activeElement).toBe(screen.getByLabelText('Amount in USDT'));
  expect(sentTo(CREATE)).toEqual([]);
});

test('the first deposit is not sent before the risk tick, and then carries it', async () => {
  const deposit = aDeposit();
  const { sentTo, router } = showPage(<DepositPage />, '/fund/deposits', {
    [LIST]: depositList([], false),
    [CREATE]: deposit,
    'GET /secure/7': deposit,
  });
  const tick = await screen.findByRole('checkbox');
  typeAmount('500');
  start();
  expect(screen.getByText(RISK_REFUSED)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);

  fireEvent.click(tick);
  expect(screen.queryByText(RISK_REFUSED)).toBeNull();
  start();
  await screen.findByText('Open payment page');
  expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: 500, risk_accepted: true }]);
  expect(sentTo(CREATE)[0]?.headers.get('idempotency-key')).toMatch(/^[\w-]{36}$/);
  expect(router.state.location.search).toBe('?deposit=7');
});

test('the amount is named before the missing tick', async () => {
  showPage(<DepositPage />, '/fund/deposits', { [LIST]: depositList([], false) });
  await screen.findByRole('checkbox');
  typeAmount('5');
  start();
  expect(screen.getByText('A deposit is from 10$ to 50000$.')).toBeTruthy();
  expect(screen.queryByText(RISK_REFUSED)).toBeNull();
});

test('who accepted the risk before is not asked again', async () => {
  const { sentTo } = showPage(<DepositPage />, '/fund/deposits', {
    [LIST]: depositList([aDeposit({ id: '3', state: 'credited', credited: 500 })]),
    [CREATE]: aDeposit(),
    'GET /secure/7': aDeposit(),
  });
  await screen.findByText('Credited', { selector: 'td *' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  typeAmount('12.5');
  start();
  await screen.findByText('Open payment page');
  expect(sentTo(CREATE).map(({ body }) => body)).toEqual([{ amount: 12.5 }]);
});

test('when the server asks for the tick, the tick is shown with its words', async () => {
  showPage(<DepositPage />, '/fund/deposits', {
    [LIST]: depositList([]),
    [CREATE]: new Refusal(422, {
      code: 'risk_not_accepted',
      message: RISK_REFUSED,
      validation_results: [{ field: 'risk_accepted', message: RISK_REFUSED }],
    }),
  });
  await screen.findByText('No deposits yet');
  typeAmount('500');
  start();
  await screen.findByRole('checkbox');
  expect(screen.getByText(RISK_REFUSED)).toBeTruthy();
});

test('an open deposit is offered to go on with, and its link and clock are shown', async () => {
  const deposit = aDeposit({ expires_at: new Date(Date.now() + 2808_000).toISOString() });
  showPage(<DepositPage />, '/fund/deposits', { [LIST]: depositList([deposit]), 'GET /secure/7': deposit });
  fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  const link = await screen.findByRole('link', { name: 'Open payment page' });
  expect(link.getAttribute('href')).toBe('https://pay.test/i/7M2QX4');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(screen.getByRole('timer').textContent).toMatch(/^46:4\d$/);
});

test('a deposit of somebody else is said not to exist', async () => {
  showPage(<DepositPage />, '/fund/deposits?deposit=9', {
    [LIST]: depositList([]),
    'GET /secure/9': new Refusal(404, { code: 'deposit_not_found', message: 'This deposit does not exist.' }),
  });
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('This deposit does not exist.'));
});

test('paper mode says that no real money moves', async () => {
  showPage(<DepositPage />, '/fund/deposits', { [LIST]: depositList([]) });
  await screen.findByText('No deposits yet');
  expect(screen.getByText('Sandbox payments: no real money moves')).toBeTruthy();
});
