import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Trade } from '#contract/trading/trading.ts';
import { aSession } from '../../../test/plans.ts';
import { atExchange, renderAt } from '../../../test/render.tsx';
import { refused, settled, stubServer, success } from '../../../test/server.ts';
import { aPair, aTrade, theSession } from '../../../test/trades.ts';
import { OpenTrades } from './open-trades.tsx';
import { PositionCard } from './position-card.tsx';
import { QueuedTrades } from './queued-trades.tsx';

function serve(...trades: Trade[]) {
  const shown = { trades };
  const calls = stubServer({
    'GET /trading/session': aSession('open'),
    'GET /market': success({ pairs: [aPair('btc'), aPair('sol', { stale: true })], feed: theSession.feed }),
    'GET /trading/fetch-user-trade': () => success({ items: shown.trades, next_cursor: null }),
    'POST /trading/7/close': () => {
      shown.trades = shown.trades.map((item) => ({ ...item, closing: true }));
      return success(shown.trades[0]);
    },
    'POST /trading/7/cancel': () => {
      const [cancelled] = shown.trades;
      shown.trades = [];
      return success({ ...cancelled, state: 'cancelled' });
    },
  });
  return calls;
}

const closeRequests = (calls: ReturnType<typeof serve>) => calls.filter(({ name }) => name.endsWith('/close'));

test('Close now takes a confirmation with the trade and its result, and then shows that it is closing', async () => {
  const calls = serve(aTrade({}));
  renderAt('/dashboard', <OpenTrades title="Open trades" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Close now: btc/usdt, $1,000.00' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close btc/usdt now?' });
  expect(dialog.textContent).toContain('+$7.4379');
  await settled();
  expect(closeRequests(calls)).toEqual([]);

  fireEvent.click(within(dialog).getByRole('button', { name: /Close now/ }));
  expect(await screen.findByText('Closing')).toBeTruthy();
  expect(closeRequests(calls)).toHaveLength(1);
  expect(closeRequests(calls)[0]?.headers.get('idempotency-key')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close now: btc/usdt, $1,000.00' })).toBeNull());
});

test('results are totalled, and a loss has its sign', async () => {
  serve(aTrade({}), aTrade({ id: '8', symbol: 'sol', live: { price: 140.92, result: -11.4379 } }));
  renderAt('/dashboard', <OpenTrades title="Open trades" />);
  expect(await screen.findByText('−$4.0000')).toBeTruthy();
  expect(screen.getByText('−$11.4379')).toBeTruthy();
});

test('a mark is delayed where its asset is, and so is a queued trade', async () => {
  serve(aTrade({}), aTrade({ id: '8', symbol: 'sol' }));
  const { unmount } = renderAt('/dashboard', <OpenTrades title="Open trades" />);
  const delayed = async () =>
    (await screen.findAllByText('Delayed')).map((mark) => mark.closest('tr, li')?.textContent);
  expect(await delayed()).toEqual([expect.stringContaining('sol/usdt')]);
  unmount();
  renderAt('/dashboard', <QueuedTrades />);
  expect(await delayed()).toEqual([expect.stringContaining('sol/usdt')]);
});

test('a partial list of open trades is not totalled as if it were complete', async () => {
  stubServer({
    'GET /trading/session': aSession('open'),
    'GET /trading/fetch-user-trade': success({ items: [aTrade({}), aTrade({ id: '8' })], next_cursor: '8' }),
  });
  const { unmount } = renderAt('/dashboard', <OpenTrades title="Open trades" />);
  expect(await screen.findByText('The newest 2')).toBeTruthy();
  expect(screen.queryByText(/^Total/)).toBeNull();
  unmount();
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect(await screen.findByText('The newest 2 of your open trades')).toBeTruthy();
  expect(screen.getByText('Average entry').nextSibling?.textContent).toBe('–');
  expect(screen.getByText('Amount').nextSibling?.textContent).toBe('–');
});

test('without open trades it says what will appear here', async () => {
  serve();
  renderAt('/dashboard', <OpenTrades title="Open trades" />);
  expect(await screen.findByText('No open trades')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Trade' }).getAttribute('href')).toContain('?trade');
});

test('a queued trade can be cancelled, and the toast says where the money is', async () => {
  const calls = serve(aTrade({ state: 'queued', amount: 75, fee: null, opened_at: null, live: null }));
  renderAt('/dashboard', <QueuedTrades />);
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel trade in btc/usdt, $75.00' }));
  expect(await screen.findByText('$75.00 returned to your Primary Wallet')).toBeTruthy();
  expect(calls.filter(({ name }) => name === 'POST /trading/7/cancel')).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Queued trades' })).toBeNull());
});

test('queued trades that could not be loaded are not shown as none, and can be retried', async () => {
  let isBroken = true;
  const queued = success({ items: [aTrade({ state: 'queued' })], next_cursor: null });
  stubServer({
    'GET /trading/session': aSession('open'),
    'GET /trading/fetch-user-trade': () => (isBroken ? refused(500, 'internal', 'Broken.') : queued),
  });
  renderAt('/dashboard', <QueuedTrades />);
  expect(await screen.findByText('The list could not be loaded')).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Cancel trade in btc/usdt, $1,000.00' })).toBeTruthy();
});

test('a partial list of queued trades is labelled as the newest', async () => {
  stubServer({
    'GET /trading/session': aSession('open'),
    'GET /trading/fetch-user-trade': success({ items: [aTrade({ state: 'queued' })], next_cursor: 'older' }),
  });
  renderAt('/dashboard', <QueuedTrades />);
  expect(await screen.findByText('The newest 1. Opens at the next price')).toBeTruthy();
});

test('several trades in one asset are one position with a list', async () => {
  serve(aTrade({}), aTrade({ id: '8', amount: 500, fee: 2, live: { price: 68412.5, result: -1.4379 } }));
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect(await screen.findByText('+$6.0000')).toBeTruthy();
  expect(screen.getByText('Amount').nextElementSibling?.textContent).toBe('$1,500.0000');
  const list = screen.getByRole('list', { name: 'Open trades' });
  const buttons = within(list).getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual([
    'Close now: btc/usdt, $1,000.00',
    'Change stops of btc/usdt, $1,000.00: Set stops',
    'Close now: btc/usdt, $500.00',
    'Change stops of btc/usdt, $500.00: Set stops',
  ]);
});

test('at an exchange, P&L is shown before the exchange’s fee', async () => {
  atExchange();
  serve(aTrade({ execution: { fill_price: 67_800, exchange_fee: 67.8, markup: 33.9 } }));
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect(await screen.findByText('Unrealised P&L before the exchange fee')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Close now' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('Unrealised P&L before its fee');
});

test('a trade carried over from an earlier session says since which day it is open', async () => {
  serve(aTrade({}), aTrade({ id: '8', opened_at: '2026-03-01T12:30:00Z' }));
  renderAt('/dashboard', <OpenTrades title="Open trades" />);
  expect(await screen.findByRole('link', { name: 'since 1 Mar, 12:30' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'since 12:30' })).toBeTruthy();
});

test('the fee of an open trade is shown without a rate: one that is carried over paid that of another session', async () => {
  serve(aTrade({}));
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect((await screen.findByText(/^Trade fee/)).textContent).toBe('Trade fee');
});

test('of a trade that is being sold the position names no time, and it cannot be closed again', async () => {
  serve(aTrade({ closing: true, opened_at: '2026-03-01T12:30:00Z' }));
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect((await screen.findByText('Settles at')).nextElementSibling?.textContent).toBe('Next price');
  expect(screen.getByText('Carried over, closes once the exchange has sold it.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Close now' })).toBeNull();
});

test('a single trade is shown in full with one button', async () => {
  serve(aTrade({}));
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect((await screen.findByText('Entry')).nextElementSibling?.textContent).toBe('67,905.40');
  expect(screen.getByText('Wallet').nextElementSibling?.textContent).toBe('Primary');
  await waitFor(() => expect(screen.getByText('Settles at').nextElementSibling?.textContent).toBe('17:30 UTC'));
  expect(screen.getByRole('button', { name: 'Close now' })).toBeTruthy();
});

test.each([
  ['btc', 'Opens at the next price'],
  ['sol', 'Trades wait: the exchange does not accept orders for SOL.'],
])('a queued trade in %s waits only for what holds up its asset', async (symbol, words) => {
  const waits = { waits_for: 'the exchange does not accept orders for SOL', waiting_assets: ['sol'] };
  stubServer({
    'GET /trading/session': success({ ...theSession, ...waits }),
    'GET /trading/fetch-user-trade': success({ items: [aTrade({ symbol, state: 'queued' })], next_cursor: null }),
  });
  renderAt('/dashboard', <QueuedTrades />);
  expect(await screen.findByText(words)).toBeTruthy();
});

test('in the last minutes at an exchange, a queued trade opens in the next session', async () => {
  atExchange();
  stubServer({
    'GET /trading/session': success({ ...theSession, market_time: '2026-03-04T17:25:00Z' }),
    'GET /trading/fetch-user-trade': success({ items: [aTrade({ state: 'queued' })], next_cursor: null }),
  });
  renderAt('/dashboard', <QueuedTrades />);
  expect(await screen.findByText('Opens in the next session')).toBeTruthy();
});
