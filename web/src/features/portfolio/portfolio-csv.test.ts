import { expect, test } from 'vitest';
import { aTrade } from '../../../test/trades.ts';
import { assetsCsv, daysCsv, equityCsv, tradesCsv } from './export-menu.tsx';

const sums = { trades: 4, winning: 1, losing: 3, volume: 400, result: -3.5, trade_fees: 1.6, performance_fees: 0.1 };
const lines = (csv: string) => csv.split('\r\n').slice(1, -1);

test('equity has one row for each point, P&L without binary rounding noise, and an empty cell for unknown', () => {
  expect(
    lines(
      equityCsv([
        { time: '2026-03-04T17:30:00.000Z', value: 1000.3, put_in: 1000.1, held: null, drawdown: 0 },
        { time: '2026-03-05T17:30:00.000Z', value: 990, put_in: 1000.1, held: 1010.5, drawdown: 10.3 },
      ]),
    ),
  ).toEqual(['2026-03-04T17:30:00.000Z,1000.3,1000.1,0.2,0,', '2026-03-05T17:30:00.000Z,990,1000.1,-10.1,10.3,1010.5']);
});

test('days and assets have separate fee columns, and losses as numbers', () => {
  expect(lines(daysCsv([{ day: '2026-03-04', ...sums }]))).toEqual(['2026-03-04,4,1,3,400,1.6,0.1,-3.5']);
  expect(lines(assetsCsv([{ symbol: 'btc', ...sums }]))).toEqual(['btc,4,1,3,25,400,1.6,0.1,-3.5']);
});

const trade = aTrade({
  symbol: '=btc',
  wallet_type: 'profit',
  amount: 10,
  fee: 0.04,
  state: 'settled',
  placed_at: '2026-03-04T12:20:00.000Z',
  opened_at: '2026-03-04T12:30:00.000Z',
  open_price: 100.05,
  closed_at: '2026-03-04T17:30:00.000Z',
  close_price: 99.95,
  close_reason: 'session_close',
  gross: -0.009955,
  performance_fee: 0,
  result: -0.049955,
  stops: { ...aTrade().stops, stop_loss: 2, stop_loss_price: 98 },
  live: null,
});

test('column headers name the unit', () => {
  const head = (csv: string) => csv.trim().replaceAll('"', '');
  expect(head(equityCsv([]))).toBe(
    'Time, UTC,Net worth (USD),Net deposits (USD),P&L (USD),Drawdown (USD),Buy and hold (USD)',
  );
  const sumHeads = 'Volume (USD),Trade fees (USD),Performance fees (USD),P&L (USD)';
  expect(head(daysCsv([]))).toBe(`Session,Trades,Winning trades,Losing trades,${sumHeads}`);
  expect(head(assetsCsv([]))).toBe(`Asset,Trades,Winning trades,Losing trades,Win rate, %,${sumHeads}`);
  expect(head(tradesCsv([]))).toContain(
    'Amount (USD),Trade fee (USD),Entry price (USD),Exit price (USD),Gross (USD),Performance fee (USD),P&L (USD),',
  );
});

test('a trade is one row with a cell for each header, and text that could be a formula is defused', () => {
  const csv = tradesCsv([trade]);
  const [head, row] = csv.split('\r\n');
  // Headers that contain a comma are quoted.
  const cells = (line = '') => line.replaceAll(/"[^"]*"/g, 'quoted').split(',').length;
  expect(cells(row)).toBe(cells(head));
  expect(row).toBe(
    "7,'=btc,profit,,settled,2026-03-04T12:20:00.000Z,2026-03-04T12:30:00.000Z,2026-03-04T17:30:00.000Z,session_close,,10,0.04,100.05,99.95,-0.009955,0,-0.049955,,2,,,,,,,,",
  );
});

test('a trade at an exchange has its fills, the exchange’s fees and our markup at opening and closing', () => {
  const csv = tradesCsv([
    { ...trade, execution: { fill_price: 99.9, exchange_fee: 0.1, markup: 0.05 }, close_execution: null },
    {
      ...trade,
      execution: { fill_price: 99.9, exchange_fee: 0.1, markup: 0.05 },
      close_execution: { fill_price: 100.1, exchange_fee: 0.1, markup: 0.05 },
    },
  ]);
  const [head, ...rows] = csv.split('\r\n');
  expect(head).toMatch(
    /Opening: exchange fill \(USD\),Opening: exchange fee \(USD\),Opening: markup \(USD\),Closing: exchange fill \(USD\),Closing: exchange fee \(USD\),Closing: markup \(USD\)$/,
  );
  expect(rows[0]).toMatch(/,2,,,99.9,0.1,0.05,,,$/);
  expect(rows[1]).toMatch(/,2,,,99.9,0.1,0.05,100.1,0.1,0.05$/);
});
