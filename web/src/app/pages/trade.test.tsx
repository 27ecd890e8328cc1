import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { onRoute, showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { settledDetail } from '../../../test/trade-detail.ts';
import { aPair, theSession } from '../../../test/trades.ts';
import { TradePage } from './trade.tsx';

const PATH = 'GET /trading/12';
const at = (path: string, answers: Answers) => showPage(path, onRoute('/trades/:id', <TradePage />), answers);
const show = (given: object = {}, answers: Answers = {}) =>
  at('/trades/12', { [PATH]: success({ ...settledDetail, ...given }), ...answers });

test('a trade shows its whole life: status events, calculation, transfers', async () => {
  show();
  expect(await screen.findByRole('heading', { name: 'btc/usdt, trade 12' })).toBeTruthy();
  const steps = within(screen.getByRole('region', { name: 'Timeline' })).getAllByRole('listitem');
  expect(steps.map((step) => within(step).getByText(/Placed|Opened|Closed/, { selector: 'b' }).textContent)).toEqual([
    'Placed',
    'Opened',
    'Closed',
  ]);
  const working = screen.getByRole('region', { name: 'Calculation' });
  expect(working.textContent).toContain('274.248114 − 250 − 2.424811= +21.823303');
  expect(working.textContent).toContain('(110 × 15 s + 108 × 15 s + 112 × 15 s + 111 × 15 s) ÷ 60 s = 110.25');
  const rows = within(screen.getByRole('table', { name: 'Ledger transfers' })).getAllByRole('row');
  expect(rows[1]?.textContent).toContain('Primary Wallet → In trades$250Primary Wallet $750In trades $250');
  expect(rows[2]?.textContent).toContain('Venue → Performance fees$2.424811');
});

test('the placing time is that of the timeline', async () => {
  const trade = { ...settledDetail.trade, placed_at: '2026-07-01T09:00:00.000Z' };
  show({ trade });
  expect(await screen.findByText(/Placed 4 Mar 2026, 12:20 UTC/)).toBeTruthy();
});

test('the chart has a text summary', async () => {
  show();
  expect((await screen.findByRole('img')).getAttribute('aria-label')).toBe(
    'Prices of btc/usdt: open 100.00, close 111.00, high 111.00, low 100.00. Entry 100.05. Exit 110.19. ' +
      'Stop-loss 98.05. Placed 4 Mar 2026, 12:20 UTC. Opened 4 Mar 2026, 12:30 UTC. Closed 4 Mar 2026, 17:30 UTC.',
  );
});

test.each([
  ['of a trade of seconds', ['12:20:00', '12:20:40'], '12:20:0012:20:1312:20:2612:20:40'],
  ['of a day', ['12:30:00', '17:30:00'], '12:3014:1015:5017:30'],
  ['of two days', ['12:30:00', '12:30:01', 1], '4 Mar5 Mar'],
])('the chart repeats no time: %s', async (_, [from, to, days = 0], labels) => {
  const ticks = [`2026-03-04T${from}.000Z`, `2026-03-0${4 + Number(days)}T${to}.000Z`];
  const chart = { kind: 'ticks', ticks: ticks.map((time) => ({ time, price: 100 })) };
  show({ chart });
  expect((await screen.findByRole('img')).parentElement?.textContent).toBe(labels);
});

test('a plan’s trade links to its plan, with the strategy’s decision', async () => {
  const trade = { ...settledDetail.trade, wallet_type: 'investment', plan_id: '3' };
  const decisions = [
    { at: '2026-03-04T12:30:00.000Z', side: 'entry', reason: 'session_opens', words: 'Bought: the session opens.' },
  ];
  show({ trade, decisions });
  expect((await screen.findByRole('link', { name: 'plan 3' })).getAttribute('href')).toBe('/fund/investments/3');
  expect(screen.getByText('Bought: the session opens.')).toBeTruthy();
});

test('marks that are no longer stored are said to be derived', async () => {
  const opening = { ...settledDetail.opening, mark_source: 'derived' };
  show({ opening, average: { ...settledDetail.average, parts: null } });
  expect(await screen.findByText(/Older ones are derived from the trade price/)).toBeTruthy();
  expect(screen.getByText('The individual mark prices are no longer stored.')).toBeTruthy();
});

test('a trade that does not exist or is another member’s is not found; a malformed id sends no request', async () => {
  show({}, { [PATH]: refused(404, 'trade_not_found', 'This trade does not exist.') });
  expect(await screen.findByText('This page does not exist')).toBeTruthy();
  cleanup();
  const { calls } = at('/trades/abc', {});
  expect(screen.getByText('This page does not exist')).toBeTruthy();
  await settled();
  expect(calls).toEqual([]);
});

test('a trade that could not be loaded can be retried', async () => {
  show({}, { [PATH]: refused(503, 'not_ready', 'Not ready.') });
  expect(await screen.findByText('This could not be loaded')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});

test.each([
  ['a trade waiting to open says why', { state: 'queued' }, null, 'This trade opens once this is resolved.'],
  ['a trade waiting to close says why', { closing: true }, ['btc', 'sol'], 'This trade closes once this is resolved.'],
  ['a trade of another asset does not wait', { state: 'queued' }, ['sol'], null],
  ['an open trade waits for nothing', { state: 'open' }, null, null],
])('while the exchange does not respond, %s', async (_, change, waiting_assets, words) => {
  const session = { ...theSession, waits_for: 'the exchange is not responding', waiting_assets };
  const trade = { ...settledDetail.trade, closing: false, ...change };
  const { calls } = show({ trade }, { 'GET /trading/session': success(session) });
  await screen.findByRole('heading', { name: 'btc/usdt, trade 12' });
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('GET /trading/session'));
  await settled();
  if (words === null) return expect(screen.queryByText(/Trades wait/)).toBeNull();
  expect(await screen.findByText('Trades wait: the exchange is not responding.')).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
});

test.each([
  ['open', true],
  ['settled', false],
])('an %s trade in an asset with a delayed price says so: %s', async (state, said) => {
  const trade = { ...settledDetail.trade, state };
  const market = { pairs: [aPair('btc', { stale: true })], feed: theSession.feed };
  show({ trade }, { 'GET /market': success(market) });
  await screen.findByRole('heading', { name: 'btc/usdt, trade 12' });
  await settled();
  expect(screen.queryAllByText('Prices are delayed')).toHaveLength(said ? 1 : 0);
});
