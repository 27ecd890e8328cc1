import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSession } from '../../../test/plans.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { aPair, aTrade } from '../../../test/trades.ts';
import { PortfolioPage } from './portfolio.tsx';

/** A member with one open position, and nothing else. */
const position = {
  ...aTrade({ live: { price: 104, result: 8.85 } }),
  distances: { stop_loss: null, take_profit: null, trailing_stop: null },
};
const sums = { realised: 0, fees_paid: 1, trade_fees: 1, performance_fees: 0 };
const portfolio = success({
  net_worth: 258.85,
  summary: { deposited: 250, withdrawn: 0, traded_volume: 0, net_worth: 258.85 },
  result: { total: 8.85, realised: 0, open: 8.85, income: 0, corrections: 0 },
  positions: [position],
  plans: [],
  in_plans: 0,
  allocation: [],
  equity: [{ time: '2026-03-04T14:05:00Z', value: 258.85, put_in: 250, held: null, drawdown: 0 }],
  drawdown: {
    now: { amount: 0, percent: 0 },
    deepest_amount: { amount: 0, at: null },
    deepest_percent: { percent: 0, at: null },
  },
  realised_by_day: [],
  by_asset: [],
  totals: { ...sums, trades: 0, open: 1, best: null, worst: null, winning: 0, losing: 0, negative_members: null },
});

test.each([
  [false, [], 'Prices of 4 Mar 2026, 14:05 UTC'],
  [false, ['btc'], 'Prices of 4 Mar 2026, 14:05 UTC, those of btc/usdt delayed'],
  [false, ['eth'], 'Prices of 4 Mar 2026, 14:05 UTC'],
  [true, ['btc', 'eth'], 'Waiting for new prices'],
])('says of which time the prices are, unless they are stale: %s, %j', async (stale, delayed, said) => {
  const { data } = aSession('open').body as { data: { feed: object } };
  const pairs = ['btc', 'eth'].map((symbol) => aPair(symbol, { stale: delayed.includes(symbol) }));
  stubServer({
    'GET /trading/session': success({ ...data, feed: { ...data.feed, stale } }),
    'GET /market': success({ pairs, feed: data.feed }),
    'GET /trading/portfolio': portfolio,
  });
  renderAt('/portfolio', <PortfolioPage />);
  expect(await screen.findByText(said)).toBeDefined();
});

test('open positions are of the same prices as the other figures, though trades were read later', async () => {
  stubServer({
    'GET /trading/session': aSession('open'),
    'GET /trading/portfolio': portfolio,
    'GET /trading/fetch-user-trade': success({
      items: [aTrade({ live: { price: 103, result: 6.36 } })],
      next_cursor: null,
    }),
  });
  renderAt('/portfolio', <PortfolioPage />);
  const total = await screen.findByText('Total');
  expect(total.textContent).toBe('Total +$8.8500');
  const table = screen.getByRole('table', { name: 'Open positions' });
  expect(within(table).getByText('+$8.8500')).toBeDefined();
});
