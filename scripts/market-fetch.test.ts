import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sawCandle } from '#test/fake-servers/exchange-market.ts';
import { startExchangePrices } from '#test/fake-servers/exchange-prices.ts';
import { fetchMarket } from './fetch-market.ts';

const FROM = Date.parse('2026-03-02T00:00:00Z');
const MINUTE_MS = 60_000;
/** Three pages of 1 000. */
const MINUTES = 2160;

let node: Awaited<ReturnType<typeof startExchangePrices>>;
let folder: string;
beforeEach(async () => {
  node = await startExchangePrices(['btc', 'eth']);
  folder = mkdtempSync(join(tmpdir(), 'tradewind-fetch-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node.close();
});

const order = ['--from', '2026-03-02', '--to', '2026-03-03T12:00:00Z', '--step', '1m', '--coins', 'btc'];

const env = () => ({ CCXT_URL: node.url, CCXT_RATE_LIMIT_MS: '1' });
const withPlace = (args: string[]) => ['--exchange', 'binance', '--out', folder, ...args];

const collect = () => {
  const lines: string[] = [];
  return { lines, write: (line: string) => lines.push(line) };
};

const fetchHere = async (args: string[]) => {
  const stdout = collect();
  const stderr = collect();
  const code = await fetchMarket(withPlace(args), env(), { stdout, stderr });
  return { stdout: stdout.lines.join(''), stderr: stderr.lines.join(''), code };
};
const readLines = (coin: string) =>
  gunzipSync(readFileSync(join(folder, `${coin}.csv.gz`)))
    .toString()
    .split('\n');
/** The exchange's data, computed independently. */
const lineOf = (index: number) => {
  const atMs = FROM + index * MINUTE_MS;
  const [open, high, low, close, coins] = sawCandle('btc', atMs, MINUTE_MS).map(Number);
  return [atMs / 1000, open, high, low, close, coins].join(',');
};
const countPages = () => node.market.calls.filter((call) => call.includes('klines')).length;

describe('a recording', () => {
  test('has a line for every step that the exchange has, a hole for every other, and reports both', async () => {
    const hole = FROM + 1500 * MINUTE_MS;
    node.market.candle = (base, openMs, stepMs) => (openMs === hole ? null : sawCandle(base, openMs, stepMs));
    expect(await fetchHere(order)).toEqual({
      stdout: 'btc: 2159 candles of 1m from 2026-03-02T00:00:00.000Z to 2026-03-03T12:00:00.000Z, 1 hole\n',
      stderr: '',
      code: 0,
    });
    const lines = readLines('btc');
    expect(lines[0]).toBe('time_utc_seconds,open,high,low,close,volume');
    const expected = Array.from({ length: MINUTES }, (_, index) => lineOf(index));
    expected[1500] = `${hole / 1000},,,,,0`;
    expect(lines.slice(1, -1)).toEqual(expected);
    expect(readdirSync(folder)).toEqual(['btc.csv.gz']);
  });

  test('names the coins that the exchange does not list or has no data for', async () => {
    node.market.candle = (base, openMs, stepMs) => (base === 'eth' ? null : sawCandle(base, openMs, stepMs));
    const { stdout, code } = await fetchHere([...order.slice(0, -1), 'btc,eth,sol', '--step', '15m']);
    expect(stdout.split('\n')).toEqual([
      'btc: 144 candles of 15m from 2026-03-02T00:00:00.000Z to 2026-03-03T12:00:00.000Z, 0 holes',
      'eth: the exchange has no candles for this period',
      'sol: binance does not list SOL/USDT',
      '',
    ]);
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual(['btc.csv.gz']);
  });

  test('turns an invalid candle into a hole', async () => {
    node.market.candle = (base, openMs, stepMs) => {
      const candle = sawCandle(base, openMs, stepMs);
      const wrong = { 3: '0.0000', 4: '-1.00', 5: '99999999.0' }[(openMs - FROM) / MINUTE_MS];
      return wrong === undefined ? candle : [candle[0], candle[1], wrong, candle[3], candle[4], candle[5]];
    };
    expect((await fetchHere(order)).stdout).toContain('2157 candles');
    expect(readLines('btc').slice(4, 7)).toEqual([3, 4, 5].map((index) => `${FROM / 1000 + index * 60},,,,,0`));
  });
});

describe('an interrupted recording', () => {
  test('continues where it ended, and equals an uninterrupted one', async () => {
    node.market.candle = (base, openMs, stepMs) => {
      if (openMs >= FROM + 1200 * MINUTE_MS)
        node.market.fault = { status: 500, body: { code: -1000, msg: 'internal' } };
      return sawCandle(base, openMs, stepMs);
    };
    const cut = await fetchHere(order);
    expect(cut).toMatchObject({ code: 1, stdout: '' });
    expect(cut.stderr).toMatch(/Progress is saved\. Run the command again to continue\.\n$/);
    expect(readdirSync(folder)).toEqual(['btc.csv.part']);
    // As if the process had been killed in the middle of a line.
    writeFileSync(join(folder, 'btc.csv.part'), '177249', { flag: 'a' });

    node.market.fault = null;
    node.market.candle = sawCandle;
    node.market.calls.length = 0;
    expect((await fetchHere(order)).code).toBe(0);
    expect(countPages()).toBe(1);
    expect(readLines('btc').slice(1, -1)).toEqual(Array.from({ length: MINUTES }, (_, index) => lineOf(index)));
  });

  test('starts again when a different one was interrupted', async () => {
    writeFileSync(join(folder, 'btc.csv.part'), `kraken 60 ${FROM}\n1,1,1,1,1,1\n`);
    expect((await fetchHere(order)).code).toBe(0);
    expect(readLines('btc').slice(1, 2)).toEqual([lineOf(0)]);
  });
});

test('an existing file is not fetched again, a broken one is', async () => {
  await fetchHere(order);
  node.market.calls.length = 0;
  expect((await fetchHere(order)).stdout).toMatch(/, already recorded\n$/);
  expect(countPages()).toBe(0);
  writeFileSync(join(folder, 'btc.csv.gz'), 'cut off');
  expect((await fetchHere(order)).stdout).toMatch(/, 0 holes\n$/);
  expect(countPages()).toBe(3);
  expect(readLines('btc')).toHaveLength(MINUTES + 2);
});

test.each([
  [['--step', '5m'], /^--step: must be 1m or 15m\n$/],
  [['--coins', 'btc,dog'], /^--coins: unknown coin dog; available: btc, /],
  [['--to', '2026-03-02T00:01:00Z'], /^--to: a recording needs at least two closed candles/],
  [['--from', 'yesterday'], /^--from: must be a date or time, /],
  [['--wrong', '1'], /^Unknown option '--wrong'/],
  [['--exchange', 'mtgox'], /^--exchange: ccxt knows no exchange mtgox\n/],
])('%o is refused in a line that names it', async (args, message) => {
  const refused = await fetchHere([...order, ...args]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(message);
  expect(existsSync(join(folder, 'btc.csv.gz'))).toBe(false);
});

test('the command prints and does the same', async () => {
  const script = join(import.meta.dirname, 'market-fetch.ts');
  const run = (args: string[]) =>
    promisify(execFile)(process.execPath, [script, ...withPlace(args)], { env: { PATH: process.env.PATH, ...env() } });
  expect((await run(order)).stdout).toMatch(/^btc: 2160 candles of 1m .*, 0 holes\n$/);
  await expect(run([...order, '--step', '5m'])).rejects.toMatchObject({ code: 1, stdout: '' });
});
