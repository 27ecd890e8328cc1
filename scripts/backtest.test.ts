import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runScript } from '#test/kit/run-script.ts';
import { makeCandles } from '#test/recorded/made-candles.ts';
import { recordMarket } from '#test/recorded/recorded-market.ts';

const FROM = '2026-03-01T00:00:00Z';
const quarters = makeCandles(FROM, 3 * 96, 5);
const recording = recordMarket({
  from: FROM,
  minutes: 3 * 24 * 60,
  symbols: ['btc', 'eth'],
  candle: (_, at) => {
    const price = String(quarters[Math.floor((at.getTime() - Date.parse(FROM)) / 900_000)]?.close);
    return [price, price, price, price];
  },
});
afterAll(() => recording.remove());

const run = (...args: string[]) => runScript('backtest.ts', args, { DATA_DIR: join(recording.folder, 'nowhere') });

test('a recorded folder is replayed, and the tables show the results', async () => {
  const { stdout, stderr, code } = await run(
    ...['--data', recording.folder, '--strategy', 'session_hold', '--symbols', 'all', '--trades'],
  );
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toContain('Backtest: Session hold, btc, eth, 2026-03-01 to 2026-03-03');
  expect(stdout).toContain('Replay: past prices of a simulated or recorded market. Trading can lose money.');
  expect(stdout).toContain('| Net deposits | $1,000.00 |');
  expect(stdout).toMatch(/\| Trades \| 6: \d winning, \d losing, win rate \d+\.\d\d % \|/);
  expect(stdout).toContain('Sharpe ratio (per session, not annualised)');
  expect(stdout.match(/Bought: the session opens\. Sold: the session closed\./g)).toHaveLength(6);
});

test.each([
  ['--strategy', 'martingale', 'must be one of session_hold, momentum, '],
  ['--atr-multiple', 'x', 'must be a number'],
  ['--period', '0.5', 'A whole number of candles.'],
  ['--wallet', 'trade', 'must be one of primary, profit'],
  ['--from', 'June', 'Enter a day.'],
])('a wrong %s is refused in a line that says what it must be', async (option, value, must) => {
  const wrong = await run('--data', recording.folder, '--strategy', 'momentum', option, value);
  expect(wrong).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(new RegExp(`^${option}: ${must}.*\n$`)) });
});

test('without a result it exits with 1 and one line', async () => {
  const period = ['--from', '2025-01-01', '--to', '2025-01-31'];
  const none = await run('--data', recording.folder, '--strategy', 'momentum', ...period);
  expect(none).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There are no complete sessions with prices in this period. Choose another period.\n',
  });
  const missing = await run('--data', join(recording.folder, 'nothing'), '--strategy', 'momentum');
  expect(missing.stderr).toMatch(/^--data: no <symbol>\.csv\.gz .*\n$/);
  expect(missing.code).toBe(1);
  const noDatabase = await run('--strategy', 'momentum');
  expect(noDatabase).toMatchObject({ code: 1, stdout: '' });
  expect(noDatabase.stderr).toMatch(/^DATA_DIR: no database in .*nowhere\. .*\n$/);
});
