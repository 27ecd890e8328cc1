import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Portfolio, PortfolioPlan, Position } from '#contract/trading/portfolio.ts';
import { onMobile, renderAt } from '../../../test/render.tsx';
import { stubServer, success } from '../../../test/server.ts';
import { aPair, theSession } from '../../../test/trades.ts';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { AssetPanel } from './asset-panel.tsx';
import { PlansPanel } from './plans-panel.tsx';
import { PortfolioFigures } from './portfolio-figures.tsx';
import { RealisedPanel } from './realised-panel.tsx';
import { StopsPanel } from './stops-panel.tsx';

beforeEach(() => {
  stubServer({
    'GET /market': success({ pairs: [aPair('btc'), aPair('sol', { stale: true })], feed: theSession.feed }),
  });
});

const query = arrived;
const sums = { winning: 1, losing: 2, volume: 300, trade_fees: 1.2, performance_fees: 0.3 };

test('results by asset are listed best first, with win rate and both fees, and their total below', () => {
  const assets = [
    { symbol: 'eth', trades: 3, result: -5, ...sums },
    { symbol: 'btc', trades: 4, result: 7.5, ...sums },
  ];
  renderAt('/portfolio', <AssetPanel assets={assets} query={query} />);
  const [, best, worst, sum] = within(screen.getByRole('table')).getAllByRole('row');
  expect(best?.textContent).toBe('btc/usdt4 trades, 1 won, 2 lost25.00%$300.00$1.5000$1.20 + $0.30+$7.5000');
  expect(worst?.textContent).toContain('33.33%');
  expect(worst?.textContent).toContain('−$5.0000');
  expect(sum?.textContent).toBe('7 trades28.57%$600.00$3.0000+$2.5000');
});

const position = (id: string, distances: Partial<Position['distances']>) =>
  ({
    id,
    symbol: 'btc',
    amount: 250,
    live: { price: 100, result: -1.25 },
    distances: { stop_loss: null, take_profit: null, trailing_stop: null, ...distances },
  }) as Position;

test('distance to stops is in percent of the mark and in dollars; a position without stops is not listed', () => {
  const stopLoss = { price: 98.049, percent: -1.951, result: -6.10201, dollars: -4.853134 };
  renderAt(
    '/portfolio',
    <StopsPanel positions={[position('1', { stop_loss: stopLoss }), position('2', {})]} open={2} query={query} />,
  );
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows).toHaveLength(2);
  expect(rows[1]?.textContent).toContain('98.05−1.95%, −$4.8531');
  const link = within(rows[1] as HTMLElement).getByRole('link');
  expect(link.getAttribute('href')).toBe('/trades/1');
});

test.each(['table', 'phone'])('the mark of an asset with delayed prices says so: %s', async (screenOf) => {
  if (screenOf === 'phone') onMobile();
  const stopped = { stop_loss: { price: 98, percent: -2, result: -6, dollars: -5 } };
  const positions = [position('1', stopped), { ...position('2', stopped), symbol: 'sol' }];
  renderAt('/portfolio', <StopsPanel positions={positions} open={2} query={query} />);
  const delayed = await screen.findAllByText('Delayed');
  expect(delayed.map((mark) => mark.closest('tr, li')?.textContent)).toEqual([expect.stringContaining('sol/usdt')]);
});

test('realised P&L has a summary: days up and down, the best and the worst', () => {
  const realised_by_day = [-2, 4, -9].map((result, index) => ({ day: `2026-03-0${index + 1}`, trades: 1, result }));
  const totals = { best: null, worst: null, negative_members: null };
  renderAt('/portfolio', <RealisedPanel portfolio={{ realised_by_day, totals } as unknown as Portfolio} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'P&L of 3 sessions: 1 up, 2 down. Best: +$4.0000 on 2 Mar 2026. Worst: −$9.0000 on 3 Mar 2026.',
  );
});

const plan: PortfolioPlan = {
  id: '3',
  symbol: 'eth',
  strategy: 'momentum',
  state: 'paused',
  state_reason: 'member',
  compounding: true,
  amount: 200,
  value: 190.5,
  result: -9.5,
  trade_id: null,
};

test('says when not all positions are examined, or not all plans listed', () => {
  const stopped = [position('1', { stop_loss: { price: 98, percent: -2, result: -6, dollars: -5 } })];
  renderAt('/portfolio', <StopsPanel positions={stopped} open={101} query={query} />);
  expect(screen.getByText('Of the newest 1 positions')).toBeDefined();
  const plans = Array.from({ length: 100 }, (_, index) => ({ ...plan, id: String(index + 1) }));
  renderAt('/portfolio', <PlansPanel plans={plans} query={query} />);
  expect(screen.getByText('The newest 100')).toBeDefined();
  cleanup();
  renderAt('/portfolio', <StopsPanel positions={stopped} open={1} query={query} />);
  renderAt('/portfolio', <PlansPanel plans={plans.slice(1)} query={query} />);
  expect(screen.queryByText(/newest/)).toBeNull();
});

test('there is no panel only when no open position has a stop', () => {
  renderAt('/portfolio', <StopsPanel positions={[position('2', {})]} open={1} query={query} />);
  expect(screen.queryByText('Distance to stops')).toBeNull();
  cleanup();
  renderAt('/portfolio', <StopsPanel positions={[position('2', {})]} open={101} query={query} />);
  expect(screen.getByText('Of the newest 1 positions')).toBeDefined();
  expect(screen.getByText('No stops')).toBeDefined();
});

test('a plan shows its value and P&L, and links to its page', () => {
  renderAt('/portfolio', <PlansPanel plans={[plan]} query={query} />);
  const [, row] = within(screen.getByRole('table')).getAllByRole('row');
  expect(row?.textContent).toContain('$190.5000−$9.5000−4.75%');
  const link = within(row as HTMLElement).getByRole('link');
  expect(link.getAttribute('href')).toBe('/fund/investments/3');
});

const portfolio = {
  summary: { net_worth: 1100, deposited: 1000, withdrawn: 0 },
  result: { total: 100, realised: 60, open: 10, income: 25, corrections: 5 },
  totals: { trades: 3, winning: 2, losing: 1, fees_paid: 4.5, trade_fees: 3, performance_fees: 1.5 },
  drawdown: {
    now: { amount: 20, percent: 1.5 },
    deepest_amount: { amount: 50, at: '2026-03-04T17:30:00.000Z' },
    deepest_percent: { percent: 4, at: '2026-03-05T17:30:00.000Z' },
  },
  equity: [{ time: '2026-03-06T12:00:00.000Z', value: 1100, put_in: 1000, held: 1080, drawdown: 20 }],
} as Portfolio;

test('the figures break down the P&L, and show its max drawdown and buy and hold', () => {
  const { container } = renderAt('/portfolio', <PortfolioFigures portfolio={portfolio} />);
  const text = container.textContent ?? '';
  expect(text).toContain('Total P&L+$100.0000+10.00% of net deposits');
  expect(text).toContain('Total P&L includes team income $25.00, corrections $5.00');
  expect(text).toContain('Current drawdown$20.00001.50% below the highest P&L');
  expect(text).toContain('Max drawdown$50.0000On 4 Mar');
  expect(text).toContain('Max drawdown, percent4.00%On 5 Mar');
  expect(text).toContain('Buy and hold$1,080.0000Your portfolio: +$20.00 in comparison');
  expect(text).toContain('Fees paid$4.5000$3.00 trade, $1.50 performance');
});

test('while nothing is loaded, no figure is shown', () => {
  const { container } = renderAt('/portfolio', <PortfolioFigures portfolio={undefined} />);
  expect(container.textContent).toContain('Max drawdown–Max drawdown, percent–Buy and hold–Fees paid–');
});

test('before prices exist buy and hold is unknown, not zero, and without a drawdown none is shown', () => {
  const equity = [{ ...portfolio.equity[0], held: null }] as Portfolio['equity'];
  const drawdown = {
    now: { amount: 0, percent: 0 },
    deepest_amount: { amount: 0, at: null },
    deepest_percent: { percent: 0, at: null },
  };
  const { container } = renderAt('/portfolio', <PortfolioFigures portfolio={{ ...portfolio, equity, drawdown }} />);
  expect(container.textContent).toContain('Buy and hold–Unknown until prices exist');
  expect(container.textContent).toContain('Max drawdown$0None yet');
});
