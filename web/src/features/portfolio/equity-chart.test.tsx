import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { renderAt } from '../../../test/render.tsx';
import { toEquityPoints } from './equity.ts';
import { chartSpecOf, EquityChart } from './equity-chart.tsx';

const answered = (points: Portfolio['equity']) => ({
  data: { equity: points } as Portfolio,
  isError: false,
  isFetching: false,
  error: null,
  dataUpdatedAt: 0,
  refetch: () => undefined,
});

const equity = [
  { time: '2026-03-02T17:30:00Z', value: 1000, put_in: 900, held: null, drawdown: 0 },
  { time: '2026-03-03T17:30:00Z', value: 1250, put_in: 1200, held: 1210, drawdown: 50 },
  { time: '2026-03-04T14:05:00Z', value: 1190.5, put_in: 1200, held: 1225.25, drawdown: 109.5 },
];

test('the chart’s summary states net worth, net deposits and P&L, and losses as they are', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity)} range="1Y" />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'Net worth, 2 Mar 2026, 17:30 UTC to 4 Mar 2026, 14:05 UTC: $1,000.00 to $1,190.50. ' +
      'Net deposits: $1,200.00. P&L: −$9.50.',
  );
});

test('the net deposits line is always in the legend, and a deposit is labelled where it happened', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity)} range="1Y" />);
  expect(screen.getByText('Net deposits')).toBeTruthy();
  expect(chartSpecOf(toEquityPoints(equity), false).panes[0]?.marks?.map(({ text }) => text)).toContain(
    'Deposited $300.00',
  );
});

test('the chart also states buy and hold next to the result, where it is known', () => {
  const { unmount } = renderAt('/portfolio', <EquityChart query={answered(equity)} range="1Y" withResult />);
  expect(screen.getByText('Buy and hold')).toBeTruthy();
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/Buy and hold: \$1,225\.25\.$/);
  unmount();
  const unknown = equity.map((point) => ({ ...point, held: null }));
  renderAt('/portfolio', <EquityChart query={answered(unknown)} range="1Y" withResult />);
  expect(screen.queryByText('Buy and hold')).toBeNull();
});

test('Show as table gives each point with its P&L', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity)} range="1Y" withResult />);
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }));
  const [, newest] = within(screen.getByRole('table')).getAllByRole('row');
  expect(newest?.textContent).toContain('4 Mar 2026, 14:05');
  expect(newest?.textContent).toContain('−$9.5000');
  expect(newest?.textContent).toContain('$109.5000$1,225.2500');
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.at(-1)?.textContent).toMatch(/–$/);
});

test('a single point is not yet a line', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity.slice(2))} range="1Y" />);
  expect(screen.getByText('No chart yet')).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

test('a portfolio that could not be read is not shown as an empty one', () => {
  const failed = { ...answered([]), data: undefined, isError: true, error: new Error('Not ready.') };
  renderAt('/portfolio', <EquityChart query={failed} range="1Y" />);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByText('No chart yet')).toBeNull();
});
