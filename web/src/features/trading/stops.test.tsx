import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StopPercents } from '#contract/trading/stops.ts';
import type { Trade } from '#contract/trading/trading.ts';
import { aSession } from '../../../test/plans.ts';
import { renderAt } from '../../../test/render.tsx';
import { settled, stubServer, success } from '../../../test/server.ts';
import { aTrade } from '../../../test/trades.ts';
import { OpenTrades } from './open-trades.tsx';
import { PositionCard } from './position-card.tsx';
import { QueuedTrades } from './queued-trades.tsx';

const trade = (change: Partial<Trade>) => aTrade({ open_price: 68000, ...change });
const { stops: noStops } = aTrade();

const stopped = trade({
  stops: { ...noStops, stop_loss: 1, stop_loss_price: 67320, take_profit: 2.5, take_profit_price: 69700 },
});

function serve(given: Trade, refusal?: { status: number; body: unknown }) {
  const shown = { trade: given };
  const calls = stubServer({
    'GET /trading/session': aSession('open'),
    'GET /trading/fetch-user-trade': () => success({ items: [shown.trade], next_cursor: null }),
    'PUT /trading/7/stops': ({ body }) => {
      if (refusal) return refusal;
      const stops = body as Partial<StopPercents>;
      shown.trade = { ...shown.trade, stops: { ...shown.trade.stops, ...stops } };
      return success(shown.trade);
    },
  });
  return () => calls.filter(({ name }) => name === 'PUT /trading/7/stops').map(({ body }) => body);
}

const openTrades = <OpenTrades title="Open trades" />;
const openStops = async (page = openTrades) => {
  renderAt('/dashboard', page);
  fireEvent.click(await screen.findByRole('button', { name: /^Change stops of btc\/usdt/ }));
  return within(await screen.findByRole('dialog', { name: 'Stops for btc/usdt' }));
};
const save = () => {
  const button = screen.getByRole('button', { name: /Save stops/ });
  button.focus();
  fireEvent.click(button);
};
const type = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

test('an open trade shows its stops with their trigger prices', async () => {
  serve(stopped);
  renderAt('/dashboard', openTrades);
  const button = await screen.findByRole('button', { name: /^Change stops of btc\/usdt/ });
  expect(button.textContent).toBe('Change stops of btc/usdt, $1,000.00: stop 1% 67,320.00take 2.5% 69,700.00');
});

test('a trade without stops says so and can have them added', async () => {
  const saved = serve(trade({}));
  const dialog = await openStops();
  expect(dialog.getByRole('textbox', { name: 'Stop-loss' })).toHaveProperty('value', '');
  type(dialog.getByRole('textbox', { name: 'Stop-loss' }), '2');
  expect(dialog.getByText('Sells when the price falls 2% below your entry price: now 66,640.00.')).toBeTruthy();
  type(dialog.getByRole('textbox', { name: 'Trailing stop' }), '1');
  expect(dialog.getByText('Sells when the price falls 1% from its highest price: now 67,728.38.')).toBeTruthy();
  save();
  await waitFor(() => expect(saved()).toEqual([{ stop_loss: 2, trailing_stop: 1 }]));
  expect(await screen.findByText('New stops: stop 2%, trail 1%')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('refused stops stay in the dialog, with the reason', async () => {
  serve(trade({}), { status: 409, body: { status: 'error', message: 'The trade is already closed.' } });
  const dialog = await openStops();
  type(dialog.getByRole('textbox', { name: 'Stop-loss' }), '2');
  save();
  await dialog.findByText('The trade is already closed.');
  expect(dialog.getByRole('textbox', { name: 'Stop-loss' })).toHaveProperty('value', '2');
});

test('one stop is removed by clearing its field, the other stays', async () => {
  const saved = serve(stopped);
  const dialog = await openStops();
  expect(dialog.getByRole('textbox', { name: 'Take-profit' })).toHaveProperty('value', '2.5');
  type(dialog.getByRole('textbox', { name: 'Take-profit' }), '');
  save();
  await waitFor(() => expect(saved()).toEqual([{ take_profit: null }]));
});

test('all are removed together, and nothing is sent before saving', async () => {
  const saved = serve(stopped);
  const dialog = await openStops();
  fireEvent.click(dialog.getByRole('button', { name: 'Clear all' }));
  expect(dialog.getByRole('textbox', { name: 'Stop-loss' })).toHaveProperty('value', '');
  expect(saved()).toEqual([]);
  save();
  await waitFor(() => expect(saved()).toEqual([{ stop_loss: null, take_profit: null }]));
  expect(await screen.findByText('New stops: none')).toBeTruthy();
});

test('what the contract would refuse is reported at its field and not sent', async () => {
  const saved = serve(trade({}));
  const dialog = await openStops();
  type(dialog.getByRole('textbox', { name: 'Trailing stop' }), '50.1');
  type(dialog.getByRole('textbox', { name: 'Stop-loss' }), '2.55');
  save();
  expect(dialog.getByText('From 0.1 to 50%.')).toBeTruthy();
  expect(dialog.getByText('In steps of 0.1%.')).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Stop-loss' }));
  await settled();
  expect(saved()).toEqual([]);
  type(dialog.getByRole('textbox', { name: 'Stop-loss' }), '2.5');
  expect(dialog.queryByText('In steps of 0.1%.')).toBeNull();
});

test('a stop that the price has already passed says that it sells at the next price', async () => {
  serve(trade({}));
  const dialog = await openStops();
  type(dialog.getByRole('textbox', { name: 'Take-profit' }), '0.5');
  expect(dialog.getByText(/The price has already reached it, so the trade closes at the next price\./)).toBeTruthy();
});

test.each([
  ['stop_loss', 'Stop-loss reached, closes at the next price'],
  ['take_profit', 'Take-profit reached, closes at the next price'],
  ['trailing_stop', 'Trailing stop reached, closes at the next price'],
  ['strategy', 'Strategy exit, closes at the next price'],
  ['close_now', 'Closed by you, closes at the next price'],
  [null, 'Carried over, closes once the exchange has sold it'],
] as const)(
  'a close caused by %s is stated in words, and its stops cannot be changed',
  async (closing_cause, words) => {
    serve({ ...stopped, closing: true, closing_cause });
    renderAt('/dashboard', openTrades);
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Change stops/ })).toBeNull();
  },
);

test('the card of a position lists the stops with their prices and changes them', async () => {
  serve(stopped);
  renderAt('/btc', <PositionCard symbol="btc" />);
  expect((await screen.findByText('Stop-loss, 1%')).nextElementSibling?.textContent).toBe('67,320.00');
  expect(screen.getByText('Take-profit, 2.5%').nextElementSibling?.textContent).toBe('69,700.00');
  fireEvent.click(screen.getByRole('button', { name: 'Change stops' }));
  expect(await screen.findByRole('dialog', { name: 'Stops for btc/usdt' })).toBeTruthy();
});

test('stops of a queued trade can be changed before it opens, when no price is known', async () => {
  const queued = { state: 'queued', fee: null, opened_at: null, open_price: null, live: null } as const;
  const saved = serve(trade({ ...queued, stops: { ...noStops, stop_loss: 3 } }));
  const dialog = await openStops(<QueuedTrades />);
  expect(dialog.getByText(/Stops apply once the trade is open\./)).toBeTruthy();
  expect(dialog.getByText('Sells when the price falls 3% below your entry price.')).toBeTruthy();
  type(dialog.getByRole('textbox', { name: 'Stop-loss' }), '4');
  save();
  await waitFor(() => expect(saved()).toEqual([{ stop_loss: 4 }]));
});

test('a plan’s trade is labelled as such and links to its plan', async () => {
  serve(trade({ wallet_type: 'investment', plan_id: '3' }));
  renderAt('/dashboard', openTrades);
  expect((await screen.findByRole('link', { name: 'Plan' })).getAttribute('href')).toBe('/fund/investments/3');
  expect(screen.getByRole('link', { name: 'btc/usdt' }).getAttribute('href')).toBe('/btc');
  expect(screen.getByRole('link', { name: 'since 12:30' }).getAttribute('href')).toBe('/trades/7');
});
