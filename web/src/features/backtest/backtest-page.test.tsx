import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useNavigate } from 'react-router';
import { expect, test } from 'vitest';
import { riskSentence } from '#contract/rules.ts';
import { type BacktestResult, backtestResult } from '#contract/trading/backtest.ts';
import { inLanguage } from '../../../test/in-language.ts';
import { aSession } from '../../../test/plans.ts';
import { atExchange, renderAt } from '../../../test/render.tsx';
import { refused, settled, stubServer, success } from '../../../test/server.ts';
import { BacktestPage } from './backtest-page.tsx';

const trade: BacktestResult['trades'][number] = {
  symbol: 'btc',
  day: '2026-03-03',
  opened_at: '2026-03-03T12:30:00.000Z',
  open_price: 60_030,
  entry: { code: 'above_average', facts: { price: 60_000, mean: 59_000, period: 20 } },
  closed_at: '2026-03-03T13:15:00.000Z',
  close_price: 58_970.5,
  exit: { code: 'stop_loss', facts: { price: 58_900 } },
  amount: 1000,
  fee: 4,
  gross: -17.58,
  performance_fee: 0,
  result: -21.58,
};

const result: BacktestResult = {
  market_label: 'Replay',
  strategy: 'momentum',
  params: { period: 20 },
  from: '2026-03-02',
  to: '2026-03-03',
  trade_fee_percent: 0.4,
  performance_fee_percent: 10,
  equity: [
    { time: '2026-03-02T17:30:00.000Z', value: 1012.5 },
    { time: '2026-03-03T17:30:00.000Z', value: 990.92 },
  ],
  hold: [
    { time: '2026-03-02T17:30:00.000Z', value: 1005 },
    { time: '2026-03-03T17:30:00.000Z', value: 1020.25 },
  ],
  sessions: [
    { day: '2026-03-02', result: 12.5, trades: 1 },
    { day: '2026-03-03', result: -21.58, trades: 1 },
  ],
  trades: [trade, { ...trade, day: '2026-03-02', opened_at: '2026-03-02T12:30:00.000Z', result: 12.5 }],
  trades_total: 2,
  assets: [
    {
      symbol: 'btc',
      spread_percent: 0.1,
      put_in: 1000,
      result: -9.08,
      hold_result: 20.25,
      trades: 2,
      fees_paid: 9.3889,
      sessions_without_price: 0,
    },
  ],
  stats: {
    put_in: 1000,
    result: -9.08,
    result_percent: -0.908,
    hold_result: 20.25,
    hold_percent: 2.025,
    max_drawdown: 21.58,
    max_drawdown_percent: 2.1314,
    trades: 2,
    winning: 1,
    losing: 1,
    win_rate: 50,
    sessions: 2,
    winning_sessions: 1,
    losing_sessions: 1,
    best_session: { day: '2026-03-02', result: 12.5 },
    worst_session: { day: '2026-03-03', result: -21.58 },
    sharpe_per_session: -0.1847,
    sortino_per_session: null,
    trade_fees: 8,
    performance_fees: 1.3889,
    fees_paid: 9.3889,
    exposure_minutes: 90,
    exposure_percent: 15,
    waits: [
      {
        code: 'not_above_average',
        count: 30,
        last: {
          symbol: 'btc',
          time: '2026-03-03T17:00:00.000Z',
          facts: { price: 61_204.5, mean: 61_530.1, period: 20 },
        },
      },
    ],
  },
};

function serve(answer = success(result)) {
  return stubServer({
    'GET /trading/session': aSession(),
    'GET /market': success({ pairs: [], feed: null }),
    'GET /trading/portfolio': success({ totals: { negative_members: 0.6134 } }),
    'POST /trading/backtest': answer,
  });
}

async function run(strategy = 'Momentum') {
  fireEvent.click(await screen.findByRole('radio', { name: new RegExp(strategy) }));
  fireEvent.click(screen.getByRole('button', { name: 'Run backtest' }));
  return within(await screen.findByRole('region', { name: 'Backtest result' }));
}

async function showResult() {
  serve();
  renderAt('/backtest', <BacktestPage />);
  return run();
}

test('the answer used here is valid under the contract', () => {
  expect(backtestResult.safeParse(result).error).toBeUndefined();
});

test('no strategy is preselected, and without one nothing is sent', async () => {
  const calls = serve();
  renderAt('/backtest', <BacktestPage />);
  const choices = await screen.findAllByRole('radio', { name: /Session hold|Momentum|Mean reversion/ });
  expect(choices.map((choice) => (choice as HTMLInputElement).checked)).toEqual([false, false, false]);
  fireEvent.click(screen.getByRole('button', { name: 'Run backtest' }));
  expect((await screen.findAllByText('Choose a strategy.')).length).toBeGreaterThan(0);
  await settled();
  expect(calls.filter(({ name }) => name === 'POST /trading/backtest')).toEqual([]);
});

test('the request has what was filled in, with the period ending on the market’s day', async () => {
  const calls = serve();
  renderAt('/backtest', <BacktestPage />);
  fireEvent.click(await screen.findByRole('checkbox', { name: 'eth' }));
  fireEvent.click(screen.getByRole('radio', { name: '1 week' }));
  fireEvent.click(screen.getByRole('checkbox', { name: /compounding/ }));
  const days = ['First session', 'Last session'].map((label) =>
    screen.getByRole<HTMLInputElement>('textbox', { name: label }),
  );
  expect(days.map(({ value }) => value)).toEqual(['26 Feb 2026', '4 Mar 2026']);
  fireEvent.change(days[0] as HTMLInputElement, { target: { value: '27 Feb 2026' } });
  await run();
  expect(calls.find(({ name }) => name === 'POST /trading/backtest')?.body).toEqual({
    strategy: 'momentum',
    params: { period: 20 },
    symbols: ['btc', 'eth'],
    from: '2026-02-27',
    to: '2026-03-04',
    amount: 1000,
    compounding: true,
  });
});

test('the result is shown next to buy and hold, and losing sessions next to winning ones', async () => {
  const answer = await showResult();
  expect(answer.getByText('−$9.0800')).toBeTruthy();
  expect(answer.getAllByText('Buy and hold').length).toBeGreaterThan(1);
  expect(answer.getByText('+$20.2500')).toBeTruthy();
  const [winning, losing] = ['Winning sessions', 'Losing sessions'].map((label) => answer.getByText(label).nextSibling);
  expect([winning?.textContent, losing?.textContent]).toEqual(['1', '1']);
  expect((winning as Element).tagName).toBe((losing as Element).tagName);
  expect(answer.getByRole('img', { name: /^Momentum, 20 candles, 2 Mar 2026/ }).getAttribute('aria-label')).toBe(
    'Momentum, 20 candles, 2 Mar 2026 to 3 Mar 2026: P&L −$9.08 on $1,000.00. Buy and hold: +$20.25.',
  );
});

test('ratios are labelled per session, and an undefined ratio is a dash', async () => {
  const answer = await showResult();
  expect(answer.getByText('Sharpe, per session').nextSibling?.textContent).toBe('−0.1847');
  expect(answer.getByText('Sortino, per session').nextSibling?.textContent).toBe('–');
  expect(answer.getByText(/not annualised/)).toBeTruthy();
});

test('every trade and every decision not to buy has its reason in words', async () => {
  const answer = await showResult();
  const table = within(answer.getByRole('table', { name: 'Trades of the backtest' }));
  expect(table.getAllByText('Bought: price 60,000.00 is above its 20-period average 59,000.00.').length).toBe(2);
  expect(table.getAllByText('Sold: the stop-loss was reached.').length).toBe(2);
  expect(answer.getByText(/the stop level or the next open, whichever is worse/)).toBeTruthy();
  expect(
    answer.getByText('No entry: price 61,204.50 is under its 20-period average 61,530.10.', { exact: false }),
  ).toBeTruthy();
});

test('Show as table gives each session with both values', async () => {
  const answer = await showResult();
  fireEvent.click(answer.getAllByRole('button', { name: 'Show as table' })[0] as HTMLElement);
  const [, newest] = within(answer.getByRole('region', { name: /^Momentum/ })).getAllByRole('row');
  expect(newest?.textContent).toBe('3 Mar 2026$990.9200$1,020.2500−$21.5800');
});

test('the market label is in the language of the page', async () => {
  const { BacktestPage: Translated } = await inLanguage({ Replay: 'Wiedergabe' }, () => import('./backtest-page.tsx'));
  serve();
  renderAt('/backtest', <Translated />);
  expect(await screen.findByText('Wiedergabe: these are not prices of a live market')).toBeTruthy();
});

test('market label and risk are shown before and with the result', async () => {
  serve();
  renderAt('/backtest', <BacktestPage />);
  expect(await screen.findByText('Replay: these are not prices of a live market')).toBeTruthy();
  const answer = await run();
  expect(
    await answer.findByText(new RegExp(`replay. ${riskSentence} 61.34% of members have lost money trading.`)),
  ).toBeTruthy();
});

test('at an exchange it says that the results exclude the exchange’s fee', async () => {
  atExchange();
  serve();
  renderAt('/backtest', <BacktestPage />);
  expect(await screen.findByText(/without the exchange’s fee/)).toBeTruthy();
  expect((await run()).getByText(/no exchange fee/)).toBeTruthy();
});

test('a refusal stays beside the button until the form changes', async () => {
  const message = 'There are no complete sessions with prices in this period. Choose another period.';
  serve(refused(422, 'backtest_no_prices', message));
  renderAt('/backtest', <BacktestPage />);
  fireEvent.click(await screen.findByRole('radio', { name: /Session hold/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Run backtest' }));
  const form = screen.getByRole('button', { name: 'Run backtest' }).closest('form') as HTMLElement;
  expect(await within(form).findByText(message)).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: 'eth' }));
  await waitFor(() => expect(within(form).queryByText(message)).toBeNull());
});

const AssetStandIn = () => {
  const navigate = useNavigate();
  return (
    <button type="button" onClick={() => navigate(-1)}>
      Back
    </button>
  );
};

test('going back finds form, result and page of trades again, without running anew', async () => {
  const trades = Array.from({ length: 25 }, (_, index) => ({
    ...trade,
    opened_at: `2026-03-03T12:30:00.${100 + index}Z`,
  }));
  const calls = serve(success({ ...result, trades, trades_total: 25 }));
  renderAt(
    '/backtest',
    <Routes>
      <Route path="/backtest" element={<BacktestPage />} />
      <Route path="/:symbol" element={<AssetStandIn />} />
    </Routes>,
  );
  const answer = await run();
  fireEvent.click(answer.getByRole('button', { name: 'Earlier' }));
  fireEvent.click(answer.getAllByRole('link', { name: /^btc/ }).at(-1) as HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByText('21 to 25 of 25')).toBeTruthy();
  expect((screen.getByRole('radio', { name: /^Momentum/ }) as HTMLInputElement).checked).toBe(true);
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(screen.getByRole('button', { name: 'Run backtest' }));
  expect(await screen.findByText('1 to 20 of 25')).toBeTruthy();
  expect(calls.filter(({ name }) => name === 'POST /trading/backtest').length).toBe(2);
});

test('the CSV has every figure of a trade in full, with reasons in words', async () => {
  const { columns } = await import('./trade-panel.tsx');
  const cells = columns.flatMap(({ csv }) => (csv ? [csv(trade)] : []));
  expect(cells).toEqual([
    'btc',
    '2026-03-03T12:30:00.000Z',
    60_030,
    '2026-03-03T13:15:00.000Z',
    58_970.5,
    1000,
    4,
    -17.58,
    0,
    -21.58,
    'Bought: price 60,000.00 is above its 20-period average 59,000.00.',
    'Sold: the stop-loss was reached.',
  ]);
});
