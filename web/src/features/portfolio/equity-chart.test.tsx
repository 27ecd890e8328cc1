import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import { renderAt } from '../../../test/render.tsx';
import { toEquityPoints } from './equity.ts';
import { EquityChart, pictureOf } from './equity-chart.tsx';

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

test('the sentence beside the picture says net worth, money put in and the result, losses as they are', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity)} range="All" />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'Net worth from 2 Mar 2026, 17:30 UTC to 4 Mar 2026, 14:05 UTC: from $1,000.00 to $1,190.50. ' +
      'Money put in, less withdrawn: $1,200.00, so the result is −$9.50.',
  );
});

test('the line of the money put in is always in the legend, and a deposit is named where it happened', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity)} range="All" />);
  expect(screen.getByText('Money put in, less withdrawn')).toBeTruthy();
  expect(pictureOf(toEquityPoints(equity), false).panes[0]?.marks?.map(({ text }) => text)).toContain('Put in $300.00');
});

test('with its result the chart also says what simply holding would have given, where that is known', () => {
  const { unmount } = renderAt('/portfolio', <EquityChart query={answered(equity)} range="All" withResult />);
  expect(screen.getByText('If simply held')).toBeTruthy();
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/Simply held it would be worth \$1,225\.25\.$/);
  unmount();
  const unknown = equity.map((point) => ({ ...point, held: null }));
  renderAt('/portfolio', <EquityChart query={answered(unknown)} range="All" withResult />);
  expect(screen.queryByText('If simply held')).toBeNull();
});

test('Show as table gives each point with its result', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity)} range="All" withResult />);
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }));
  const [, newest] = within(screen.getByRole('table')).getAllByRole('row');
  expect(newest?.textContent).toContain('4 Mar 2026, 14:05');
  expect(newest?.textContent).toContain('−$9.5000');
  expect(newest?.textContent).toContain('$109.5000$1,225.2500');
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.at(-1)?.textContent).toMatch(/–$/);
});

test('one point is no line yet', () => {
  renderAt('/portfolio', <EquityChart query={answered(equity.slice(2))} range="All" />);
  expect(screen.getByText('No line yet')).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

test('a portfolio that could not be read is not shown as an empty one', () => {
  const failed = { ...answered([]), data: undefined, isError: true, error: new Error('Not ready.') };
  renderAt('/portfolio', <EquityChart query={failed} range="All" />);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByText('No line yet')).toBeNull();
});
