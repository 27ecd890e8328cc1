import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, success } from '../../../test/server.ts';
import { CandleChart } from './candle-chart.tsx';

const candle = (time: string, open: number, close: number) => ({
  time: `2026-03-04T${time}:00Z`,
  open,
  high: Math.max(open, close) + 10,
  low: Math.min(open, close) - 10,
  close,
  volume: 1_234_567,
});
const PATH = 'GET /market/btc/candles';
const open = (candles: unknown[], entry: number | null = null) =>
  showPage('/btc', <CandleChart symbol="btc" entry={entry} />, { [PATH]: success(candles) }).calls;

test('a text summary describes the chart, including the entry', async () => {
  open([candle('12:30', 68_000, 68_100), candle('12:45', 68_100, 68_412.5)], 67_905.4);
  const picture = await screen.findByRole('img');
  expect(picture.getAttribute('aria-label')).toBe(
    'btc/usdt, 15-minute candles, 4 Mar 2026, 12:30 UTC to 4 Mar 2026, 12:45 UTC: open 68,000.00, close 68,412.50, ' +
      'high 68,422.50, low 67,990.00. Your entry price: 67,905.40.',
  );
});

test('Show as table gives the same figures, newest first', async () => {
  open([candle('12:30', 68_000, 68_100), candle('12:45', 68_100, 68_412.5)]);
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table' }));
  const [, newest, older] = within(screen.getByRole('table')).getAllByRole('row');
  expect(newest?.textContent).toContain('4 Mar, 12:45');
  expect(newest?.textContent).toContain('68,412.50');
  expect(older?.textContent).toContain('4 Mar, 12:30');
  fireEvent.click(screen.getByRole('button', { name: 'Show as chart' }));
  expect(screen.queryByRole('table')).toBeNull();
});

test('another interval is another request', async () => {
  const calls = open([candle('12:30', 1, 2)]);
  await screen.findByRole('img');
  fireEvent.click(screen.getByRole('radio', { name: '1h' }));
  await waitFor(() => expect(calls.at(-1)?.url).toContain('interval=1h'));
});

test('prices that could not be loaded can be retried', async () => {
  const answers: Answers = { [PATH]: refused(503, 'not_ready', 'Not ready.') };
  showPage('/btc', <CandleChart symbol="btc" entry={null} />, answers);
  expect(await screen.findByText('The prices could not be loaded')).toBeTruthy();
  answers[PATH] = success([candle('12:30', 1, 2)]);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('img')).toBeTruthy();
});

test('an interval without candles is reported as empty', async () => {
  open([]);
  expect(await screen.findByText('No 15-minute candles yet')).toBeTruthy();
});
