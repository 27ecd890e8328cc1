import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSession } from '../../../test/plans.ts';
import { aPortfolio } from '../../../test/portfolio.ts';
import { renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { aPair, aTrade } from '../../../test/trades.ts';
import { PortfolioPage } from './portfolio.tsx';

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
    'GET /trading/portfolio': success(aPortfolio()),
  });
  renderAt('/portfolio', <PortfolioPage />);
  expect(await screen.findByText(said)).toBeDefined();
});

test('open positions are of the same prices as the other figures, though trades were read later', async () => {
  stubServer({
    'GET /trading/session': aSession('open'),
    'GET /trading/portfolio': success(aPortfolio()),
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
