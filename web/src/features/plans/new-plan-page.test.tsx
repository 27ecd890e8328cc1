import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { plans } from '#contract/trading/plan.ts';
import { theFees, theSpreads } from '../../../test/fees.ts';
import { aPlan, aSession } from '../../../test/plans.ts';
import { addressNow, renderAt } from '../../../test/render.tsx';
import { refused, settled, stubServer, success } from '../../../test/server.ts';
import { findPlanError, NewPlanPage, type PlanDraft } from './new-plan-page.tsx';

const asset = (id: string) => ({ id, name: `${id}/usdt`, logo: '', percentage: 1 });
const balances = (primary_wallet: number) => success({ primary_wallet, profit_wallet: 40 });

const notPaused = { frozen: false, limits: { paused_until: null } };

function open(primary = 1000, fees = theFees(), me: object = notPaused) {
  const answers: Parameters<typeof stubServer>[0] = {
    'GET /auth/me': success(me),
    'GET /trade': success([asset('btc'), asset('link')]),
    'GET /auth/wallet-balance': balances(primary),
    'GET /market': success({ pairs: [], feed: {} }),
    'GET /trading/session': aSession(),
    'GET /fees': fees,
    'GET /market/spreads': theSpreads({ btc: { next_bps: 50 } }),
    'POST /trading/plans': success(aPlan()),
  };
  const calls = stubServer(answers);
  renderAt('/fund/investments/new', <NewPlanPage />);
  return { answers, calls, sent: () => calls.filter(({ name }) => name === 'POST /trading/plans') };
}

const create = () => screen.getByRole('button', { name: /Create plan/ });
const choose = (name: RegExp) => fireEvent.click(screen.getByRole('radio', { name }));
const type = (name: string, text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value: text } });
const ready = async () => {
  await screen.findByRole('radio', { name: /btc/ });
  await waitFor(() => expect(create()).toHaveProperty('disabled', false));
};
async function openReady(...given: Parameters<typeof open>) {
  const opened = open(...given);
  await ready();
  return opened;
}

test('nothing is preselected, and missing fields are reported from top to bottom', async () => {
  const { sent } = await openReady();
  expect(screen.getAllByRole('radio', { checked: true }).map((radio) => radio.getAttribute('value'))).toEqual([
    'primary',
  ]);
  const says = async (words: string, at: HTMLElement) => {
    fireEvent.click(create());
    await waitFor(() => expect(screen.getAllByText(words).length).toBeGreaterThan(0));
    expect(document.activeElement).toBe(at);
  };
  const radio = (name: RegExp) => screen.getByRole('radio', { name });
  await says('Please select a trade.', radio(/btc/));
  choose(/btc/);
  await says('Choose a strategy.', radio(/Session hold/));
  choose(/Session hold/);
  await says('Choose whether gains stay in.', radio(/Reinvest gains/));
  choose(/Reinvest gains/);
  await says('Min amount for trade is 5$.', screen.getByRole('textbox', { name: 'Amount' }));
  await settled();
  expect(sent()).toEqual([]);
});

test('a compounding plan is sent with the strategy’s own parameters and its stops, once, with a key', async () => {
  const { sent, calls } = await openReady();
  choose(/btc/);
  choose(/Momentum/);
  type('Moving average, candles', '12');
  choose(/Reinvest gains/);
  type('Amount', '250');
  fireEvent.click(screen.getByRole('button', { name: /^Stops/ }));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Stop-loss' }), { target: { value: '2' } });
  const reads = () => calls.filter(({ name }) => name === 'GET /auth/wallet-balance').length;
  const before = reads();
  fireEvent.click(create());
  await waitFor(() =>
    expect(sent().map(({ body }) => body)).toEqual([
      {
        tradeId: 'btc',
        strategy: 'momentum',
        params: { period: 12 },
        wallet_type: 'primary',
        amount: 250,
        compounding: true,
        stop_loss: 2,
      },
    ]),
  );
  expect(sent()[0]?.headers.get('idempotency-key')).toBeTruthy();
  expect(await screen.findByText('$250.00 from the Primary Wallet invested in btc/usdt')).toBeTruthy();
  await waitFor(() => expect(addressNow()).toBe('/fund/investments/3'));
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
});

test('each strategy shows only its own parameters, at their defaults', async () => {
  await openReady();
  choose(/Session hold/);
  expect(screen.queryByRole('textbox', { name: 'Moving average, candles' })).toBeNull();
  choose(/Mean reversion/);
  expect(screen.getByRole('textbox', { name: 'Moving average, candles' })).toHaveProperty('value', '20');
  expect(screen.getByRole('textbox', { name: 'Lower band, × average true range' })).toHaveProperty('value', '2');
});

test('a parameter out of range is reported at its field and not sent', async () => {
  const { sent } = await openReady();
  choose(/btc/);
  choose(/Momentum/);
  choose(/Pay out gains/);
  type('Moving average, candles', '3');
  type('Amount', '50');
  fireEvent.click(create());
  expect(await screen.findByText('From 5 to 100 candles.', { selector: 'p' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Moving average, candles' }));
  type('Moving average, candles', '5');
  expect(screen.queryByText('From 5 to 100 candles.', { selector: 'p' })).toBeNull();
  await settled();
  expect(sent()).toEqual([]);
});

test('costs, frequency and start are shown beside the amount, with the risk', async () => {
  await openReady();
  choose(/btc/);
  choose(/Momentum/);
  type('Amount', '250');
  const line = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  await screen.findByText('Fee per trade, 0.40%');
  expect(line('Fee per trade, 0.40%')).toBe('$1.0000');
  expect(line('Spread')).toBe('half of 0.50% when it buys and when it sells');
  expect(line('Performance fee')).toBe('10% of a gain');
  expect(line('Trades per session')).toBe('Any number, or none');
  expect(line('Starts trading')).toBe('today, 12:30 UTC');
  expect(screen.getByText('Trading can lose money. Nothing here promises a return.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Backtest the strategy' }).getAttribute('href')).toBe('/backtest');
  expect(screen.getByText('Losses always reduce the plan')).toBeTruthy();
});

test('a new plan shows the fees of the next opening', async () => {
  await openReady(1000, theFees({ trade_fee_bps: 30, performance_fee_bps: 800 }));
  type('Amount', '250');
  expect((await screen.findByText('Fee per trade, 0.30%')).nextElementSibling?.textContent).toBe('$0.7500');
  expect(screen.getByText('8% of a gain')).toBeTruthy();
});

test('for a frozen account the button is disabled and says why', async () => {
  open(1000, theFees(), { ...notPaused, frozen: true });
  expect(await screen.findByText('Your account is frozen. Please write to support.')).toBeTruthy();
  expect(create()).toHaveProperty('disabled', true);
});

test('during the member’s own pause the button is disabled and says until when', async () => {
  open(1000, theFees(), { frozen: false, limits: { paused_until: '2099-03-04T14:05:00.000Z' } });
  expect(await screen.findByText('You paused trading and deposits until 4 Mar 2099, 14:05 UTC.')).toBeTruthy();
  expect(create()).toHaveProperty('disabled', true);
});

test('an amount over the balance is wrong as it is typed, and Enter sends nothing', async () => {
  const { sent } = await openReady(1000);
  choose(/btc/);
  choose(/Session hold/);
  choose(/Pay out gains/);
  type('Amount', '1000.01');
  expect(screen.getByRole('textbox', { name: 'Amount' }).getAttribute('aria-invalid')).toBe('true');
  fireEvent.submit(screen.getByRole('textbox', { name: 'Amount' }));
  await settled();
  expect(sent()).toEqual([]);
});

test('a pause that is over is not said', async () => {
  await openReady(1000, theFees(), { frozen: false, limits: { paused_until: '2026-03-04T14:05:00.000Z' } });
  expect(screen.queryByText(/You paused/)).toBeNull();
  expect(create()).toHaveProperty('disabled', false);
});

test('a refusal stays on the page', async () => {
  const { answers } = await openReady();
  choose(/btc/);
  choose(/Session hold/);
  choose(/Pay out gains/);
  type('Amount', '50');
  answers['POST /trading/plans'] = refused(422, 'account_frozen', 'Your account is frozen. Please write to support.');
  fireEvent.click(create());
  await waitFor(() => expect(screen.getAllByText('Your account is frozen. Please write to support.').length).toBe(2));
  expect(addressNow()).toBe('/fund/investments/new');
});

const draft = (change: Partial<PlanDraft>): PlanDraft => ({
  tradeId: 'btc',
  typed: '50',
  walletType: 'primary',
  strategy: 'momentum',
  compounding: true,
  ...change,
});

test.each<[string, Partial<PlanDraft>, string | undefined]>([
  ['less than the minimum of the primary wallet', { typed: '4.99' }, 'Min amount for trade is 5$.'],
  ['and of the profit wallet', { typed: '0.99', walletType: 'profit' }, 'Min amount for trade is 1$.'],
  ['a valid plan', { compounding: false }, undefined],
])('%s', (_, change, message) => {
  expect(findPlanError(draft(change))?.message).toBe(message);
});

test('the contract refuses a missing strategy and a missing choice in the same words', () => {
  const issues = plans.createPlan.body.safeParse({ tradeId: 'btc', wallet_type: 'primary', amount: 50 }).error?.issues;
  const said = Object.fromEntries((issues ?? []).map((issue) => [issue.path[0], issue.message]));
  expect(said).toEqual({
    strategy: findPlanError(draft({ strategy: null }))?.message,
    compounding: findPlanError(draft({ compounding: null }))?.message,
  });
});
