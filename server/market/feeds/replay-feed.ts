import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { symbols } from '#contract/rules.ts';
import { BadConfig } from '#server/config.ts';
import { aggregateCandles, type FeedCandle } from '../core/candle.ts';
import { replayStartMs } from '../core/market-start.ts';
import { nothingPlayed, playCandles } from '../core/play-candles.ts';
import { type Recording, readRecording } from '../core/recording.ts';
import type { MarketConfig, RecordedFeed } from './recorded-feed.ts';

const unzip = promisify(gunzip);

type ReplayConfig = Pick<MarketConfig, 'start' | 'replayData'>;
type NamedRecording = Recording & { readonly symbol: string; readonly path: string };

/**
 * Recorded candles: a folder of `<symbol>.csv.gz`, all of one step. Plays the period in which all files have prices and
 * ends with the first file that ends; a coin without a file has no prices.
 *
 * @throws BadConfig naming REPLAY_DATA or MARKET_START, the file and the line
 */
export async function openReplayFeed(config: ReplayConfig): Promise<RecordedFeed> {
  const folder = config.replayData;
  if (folder === undefined) throw new BadConfig('REPLAY_DATA: MARKET_FEED=replay needs the folder of recorded candles');
  const read = await Promise.all(symbols.map((symbol) => readFolderFile(folder, symbol)));
  const recordings = read.filter((recording) => recording !== undefined);
  const first = recordings[0];
  if (first === undefined) throw new BadConfig(`REPLAY_DATA: no <symbol>.csv.gz of the pairs in ${folder}`);
  for (const { path, stepSeconds } of recordings) {
    if (stepSeconds === first.stepSeconds) continue;
    throw new BadConfig(
      `REPLAY_DATA: ${path} has candles of ${stepSeconds} s, ${first.path} of ${first.stepSeconds} s`,
    );
  }
  const fromMs = Math.max(...recordings.map((recording) => recording.fromMs));
  const toMs = Math.min(...recordings.map((recording) => recording.toMs));
  if (fromMs >= toMs) throw new BadConfig(`REPLAY_DATA: the recordings in ${folder} have no time in common`);
  const candlesOf = new Map(recordings.map((recording) => [recording.symbol, recording.candles]));
  return {
    isLive: false,
    kind: 'replay',
    seed: '',
    stepSeconds: first.stepSeconds,
    symbols: recordings.map((recording) => recording.symbol),
    chooseStart: () => chooseStart(config, fromMs, toMs),
    historyFrom: () => Math.min(...recordings.map((recording) => recording.fromMs)),
    endsAt: new Date(toMs),
    listCandles: (symbol, from, to) => between(candlesOf.get(symbol) ?? [], from, Math.min(to, toMs)),
  };
}

async function readFolderFile(folder: string, symbol: string): Promise<NamedRecording | undefined> {
  const path = join(folder, `${symbol}.csv.gz`);
  const packed = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new BadConfig(`REPLAY_DATA: ${path} cannot be read (${error.code})`);
  });
  if (packed === undefined) return undefined;
  const text = await unzip(packed).catch(() => {
    throw new BadConfig(`REPLAY_DATA: ${path} is not a complete gzip file`);
  });
  const recording = readRecording(text.toString('utf8'));
  if ('problem' in recording) throw new BadConfig(`REPLAY_DATA: ${path}, ${recording.problem}`);
  return { ...recording, symbol, path };
}

function chooseStart(config: ReplayConfig, fromMs: number, toMs: number): Date {
  const range = `${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}`;
  if (config.start === undefined) {
    const startMs = replayStartMs({ fromMs, toMs });
    if (startMs === undefined)
      throw new BadConfig(`REPLAY_DATA: no whole session (12:30–17:30 UTC) is recorded in ${range}`);
    return new Date(startMs);
  }
  if (config.start.getTime() >= fromMs && config.start.getTime() < toMs) return config.start;
  throw new BadConfig(`MARKET_START: the recording goes from ${range}`);
}

/** Candles that open in [fromMs, toMs), found by binary search: the list is in time order and may have gaps. */
function between(candles: readonly FeedCandle[], fromMs: number, toMs: number): readonly FeedCandle[] {
  return candles.slice(countBefore(candles, fromMs), countBefore(candles, toMs));
}

function countBefore(candles: readonly FeedCandle[], atMs: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candles[middle] as FeedCandle).atMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

const MINUTE_SECONDS = 60;

/** A replay folder read as history, without running a market. */
type RecordedCandles = {
  readonly symbols: readonly string[];
  readonly endsAt: Date;
  /** Candles of a coin that open in [from, to), oldest first, in the requested step. */
  readonly list: (symbol: string, from: Date, to: Date) => FeedCandle[];
  /** One-minute candles likewise; empty for a coarser recording. */
  readonly listMinutes: (symbol: string, from: Date, to: Date) => FeedCandle[];
};

/**
 * The candles of a replay folder as the market would have stored them: played price by price, so prices refused by the
 * guard are missing here too, and combined into longer ones.
 *
 * @throws BadConfig naming REPLAY_DATA, the file and the line; or when its candles are longer than `stepSeconds`
 */
export async function openRecordedCandles(config: MarketConfig, stepSeconds: number): Promise<RecordedCandles> {
  const feed = await openReplayFeed(config);
  if (stepSeconds % feed.stepSeconds !== 0)
    throw new BadConfig(
      `REPLAY_DATA: candles of ${feed.stepSeconds} seconds do not make up candles of ${stepSeconds} seconds`,
    );
  const endsAt = feed.endsAt ?? new Date(0);
  const listPlayed = (symbol: string, from: Date, to: Date, step: number) => {
    const stretch = { stepSeconds: feed.stepSeconds, fromMs: from.getTime() - 1, toMs: to.getTime() };
    const recorded = feed.listCandles(symbol, from.getTime(), to.getTime());
    const { closed } = playCandles(nothingPlayed, recorded, stretch);
    return feed.stepSeconds === step ? [...closed] : aggregateCandles(closed, step);
  };
  return {
    symbols: feed.symbols,
    endsAt,
    list: (symbol, from, to) => listPlayed(symbol, from, to, stepSeconds),
    listMinutes: (symbol, from, to) =>
      MINUTE_SECONDS % feed.stepSeconds === 0 ? listPlayed(symbol, from, to, MINUTE_SECONDS) : [],
  };
}
