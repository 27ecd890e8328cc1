import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { openMinutes, openQuarters, readRows } from '#test/recorded/recordings.ts';
import { aggregateCandles, type FeedCandle } from '../core/candle.ts';
import { openFeed } from './feed.ts';
import { makeCandles, recordMade, toLine, writeRecording } from './made-recording.test.fixture.ts';

const open = (replayData: string, start?: string) =>
  openFeed({
    feed: 'replay',
    speed: 60,
    seed: 'any',
    start: start === undefined ? undefined : new Date(start),
    replayData,
  });

const DAY = ['2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z'] as const;
const NOON = '2026-03-04T12:00:00Z';

describe('a generated recording', () => {
  test('returns its candles, by the range they open in', async () => {
    const feed = await open(recordMade(['btc', 'eth'], ...DAY, 300));
    expect(feed).toMatchObject({ kind: 'replay', stepSeconds: 300, symbols: ['btc', 'eth'], endsAt: new Date(DAY[1]) });
    const all = makeCandles('eth', ...DAY, 300);
    expect(feed.listCandles('eth', 0, Number.MAX_SAFE_INTEGER)).toEqual(all);
    const third = all[2] as FeedCandle;
    expect(feed.listCandles('eth', third.atMs, third.atMs + 1)).toEqual([third]);
    expect(feed.listCandles('eth', third.atMs + 1, third.atMs + 300_000)).toEqual([]);
  });

  test('plays where all coins have prices, until the first coin ends', async () => {
    const folder = writeRecording({
      btc: makeCandles('btc', '2026-03-01T00:00:00Z', '2026-03-05T00:00:00Z', 900).map(toLine),
      eth: makeCandles('eth', '2026-03-02T13:00:00Z', '2026-03-04T18:00:00Z', 900).map(toLine),
    });
    const feed = await open(folder);
    expect(feed.chooseStart(new Date(0))).toEqual(new Date('2026-03-04T12:20:00Z'));
    expect(feed.endsAt).toEqual(new Date('2026-03-04T18:00:00Z'));
    expect(feed.listCandles('btc', 0, Number.MAX_SAFE_INTEGER).at(-1)?.atMs).toBe(Date.parse('2026-03-04T17:45:00Z'));
  });

  test('starts at MARKET_START', async () => {
    const feed = await open(recordMade(['btc'], ...DAY), '2026-03-04T09:00:30Z');
    expect(feed.chooseStart(new Date(0))).toEqual(new Date('2026-03-04T09:00:30Z'));
  });

  test('refuses a MARKET_START outside the recording', async () => {
    const feed = await open(recordMade(['btc'], ...DAY), DAY[1]);
    expect(() => feed.chooseStart(new Date(0))).toThrow(/^MARKET_START: the recording goes from 2026-03-04T00:00:00/);
  });

  test('needs MARKET_START if it holds no full session', async () => {
    const feed = await open(recordMade(['btc'], '2026-03-04T13:00:00Z', DAY[1]));
    expect(() => feed.chooseStart(new Date(0))).toThrow(/^REPLAY_DATA: no whole session/);
  });
});

const lines = (symbol: string, from: string, to: string, step: number) =>
  makeCandles(symbol, from, to, step).map(toLine);
const withoutFifth = lines('eth', ...DAY, 300).toSpliced(4, 1);

describe('an unplayable recording is refused by name', () => {
  test.each<[string, Record<string, string[]>, RegExp]>([
    ['an empty folder', {}, /^REPLAY_DATA: no <symbol>\.csv\.gz/],
    [
      'a bad line, with its file and number',
      { btc: lines('btc', ...DAY, 300), eth: withoutFifth },
      /^REPLAY_DATA: .*\/eth\.csv\.gz, line 6: a gap of 600 seconds/,
    ],
    [
      'two steps in one folder',
      { btc: lines('btc', ...DAY, 60), eth: lines('eth', ...DAY, 900) },
      /eth\.csv\.gz has candles of 900 s, .*btc\.csv\.gz of 60 s$/,
    ],
    [
      'recordings that do not overlap in time',
      { btc: lines('btc', DAY[0], NOON, 60), eth: lines('eth', NOON, DAY[1], 60) },
      /have no time in common$/,
    ],
  ])('%s', async (_, files, message) => {
    await expect(open(writeRecording(files))).rejects.toThrow(message);
  });

  test('a file that is not compressed', async () => {
    const folder = writeRecording({});
    writeFileSync(join(folder, 'btc.csv.gz'), 'time_utc_seconds,open,high,low,close,volume\n');
    await expect(open(folder)).rejects.toThrow(/btc\.csv\.gz is not a complete gzip file$/);
  });

  test('a file that was cut', async () => {
    const folder = recordMade(['btc'], ...DAY);
    const path = join(folder, 'btc.csv.gz');
    truncateSync(path, Math.floor(statSync(path).size / 2));
    await expect(open(folder)).rejects.toThrow(/btc\.csv\.gz is not a complete gzip file$/);
  });

  test('it is read again once it is fixed', async () => {
    const folder = writeRecording({});
    await expect(open(folder)).rejects.toThrow(/^REPLAY_DATA/);
    writeRecording({ btc: makeCandles('btc', ...DAY, 60).map(toLine) }, folder);
    expect((await open(folder)).symbols).toEqual(['btc']);
  });
});

describe('recorded candles of all coins', () => {
  test('months of quarters of an hour load completely, in well under a second', async () => {
    const { folder, toMs, opens } = openQuarters(inject('recordings'));
    const before = process.cpuUsage();
    const feed = await open(folder);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
    expect(feed).toMatchObject({ stepSeconds: 900, symbols, endsAt: new Date(toMs) });
    expect(feed.chooseStart(new Date(0))).toEqual(new Date((opens[1] as number) - 600_000));
    for (const symbol of symbols)
      expect(feed.listCandles(symbol, 0, Number.MAX_SAFE_INTEGER).map(({ atMs }) => atMs)).toEqual(
        readRows(folder, symbol).map(({ at }) => at),
      );
  });

  test('days of minutes load completely and aggregate into full quarters of an hour', async () => {
    const { folder, toMs } = openMinutes(inject('recordings'));
    const feed = await open(folder);
    expect(feed).toMatchObject({ stepSeconds: 60, symbols, endsAt: new Date(toMs) });
    for (const symbol of symbols) {
      const rows = readRows(folder, symbol);
      const quarters = [...Map.groupBy(rows, ({ at }) => at - (at % 900_000))].map(([atMs, part]) => ({
        atMs,
        open: Number(part[0]?.open),
        high: Math.max(...part.map(({ high }) => Number(high))),
        low: Math.min(...part.map(({ low }) => Number(low))),
        close: Number(part.at(-1)?.close),
        volume: expect.any(Number),
      }));
      const minutes = feed.listCandles(symbol, 0, Number.MAX_SAFE_INTEGER);
      expect(minutes.map(({ atMs }) => atMs)).toEqual(rows.map(({ at }) => at));
      expect(aggregateCandles(minutes, 900)).toEqual(quarters);
    }
  });
});
