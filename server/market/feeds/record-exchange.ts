import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Exchange } from 'ccxt';
import { readRecording, recordingHeading, recordingLines } from '../core/recording.ts';
import { readExchangePages, timeframes } from './exchange-candles.ts';
import { pairAt } from './exchange-names.ts';
import { askExchange, type ExchangeConfig, openExchange } from './open-exchange.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** What to record: whole steps in [fromMs, toMs), into a folder for REPLAY_DATA. */
export type RecordingOrder = {
  readonly symbols: readonly string[];
  readonly stepSeconds: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly folder: string;
};

/**
 * Records the candles of an exchange as a replay folder, `<coin>.csv.gz` for each listed coin. Pages are appended to
 * `<coin>.csv.part` as they arrive, so an interrupted recording resumes; complete files are left unchanged. Output is
 * validated with the replay reader first.
 *
 * @param report receives one line per coin
 * @returns whether every listed coin has its file
 * @throws BadConfig when there is no such exchange, SourceAway when it does not answer
 */
export async function recordExchange(
  config: ExchangeConfig,
  order: RecordingOrder,
  report: (line: string) => void,
): Promise<boolean> {
  const exchange = await openExchange(config);
  await askExchange(exchange, () => exchange.loadMarkets());
  await mkdir(order.folder, { recursive: true });
  let isWhole = true;
  for (const symbol of order.symbols) {
    const pair = pairAt(exchange.id, symbol);
    if (!exchange.markets?.[pair]) {
      report(`${symbol}: ${exchange.id} does not list ${pair}`);
      continue;
    }
    const outcome = (await findWhole(order, symbol)) ?? (await recordCoin(exchange, order, symbol));
    report(`${symbol}: ${outcome.line}`);
    isWhole &&= outcome.isWhole;
  }
  return isWhole;
}

type Outcome = { readonly line: string; readonly isWhole: boolean };

const pathOf = (order: RecordingOrder, symbol: string, ending: string): string =>
  join(order.folder, `${symbol}.csv.${ending}`);

/** An earlier file of exactly this period; an unreadable one is recorded again. */
async function findWhole(order: RecordingOrder, symbol: string): Promise<Outcome | undefined> {
  const packed = await readIfThere(pathOf(order, symbol, 'gz'));
  if (packed === undefined) return undefined;
  const text = await unzip(packed).catch(() => undefined);
  const found = text && readRecording(text.toString('utf8'));
  if (found === undefined || 'problem' in found) return undefined;
  const isSame = found.stepSeconds === order.stepSeconds && found.fromMs === order.fromMs && found.toMs === order.toMs;
  return isSame ? { line: `${describe(order, found.candles.length)}, already recorded`, isWhole: true } : undefined;
}

async function recordCoin(exchange: Exchange, order: RecordingOrder, symbol: string): Promise<Outcome> {
  const part = pathOf(order, symbol, 'part');
  const kept = await keptLines(exchange, order, part);
  let nextMs = order.fromMs + kept * order.stepSeconds * 1000;
  for await (const page of readExchangePages(exchange, { ...order, symbol, fromMs: nextMs })) {
    const last = page.at(-1);
    if (last === undefined) continue;
    const toMs = last.atMs + order.stepSeconds * 1000;
    await appendLines(part, recordingLines(page, { ...order, fromMs: nextMs, toMs }));
    nextMs = toMs;
  }
  await appendLines(part, recordingLines([], { ...order, fromMs: nextMs }));
  return finish(order, symbol, part);
}

/** Validates the part before it gets the final name. */
async function finish(order: RecordingOrder, symbol: string, part: string): Promise<Outcome> {
  const [, ...lines] = (await readFile(part, 'utf8')).trimEnd().split('\n');
  const text = [recordingHeading, ...lines, ''].join('\n');
  const read = readRecording(text);
  if ('problem' in read) return { line: `cannot be played: ${part}, ${read.problem}`, isWhole: false };
  if (read.candles.length === 0) {
    await rm(part);
    return { line: 'the exchange has no candles for this period', isWhole: true };
  }
  const path = pathOf(order, symbol, 'gz');
  await writeFile(`${path}.new`, await zip(text));
  await rename(`${path}.new`, path);
  await rm(part);
  return { line: describe(order, read.candles.length), isWhole: true };
}

function describe({ fromMs, toMs, stepSeconds }: RecordingOrder, candles: number): string {
  const holes = (toMs - fromMs) / (stepSeconds * 1000) - candles;
  const range = `${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()}`;
  return `${candles} candles of ${timeframes[stepSeconds]} from ${range}, ${holes} ${holes === 1 ? 'hole' : 'holes'}`;
}

/**
 * Number of complete lines left by an interrupted run of this recording. A truncated line is dropped; a part of another
 * exchange, step or start is discarded.
 */
async function keptLines(exchange: Exchange, order: RecordingOrder, part: string): Promise<number> {
  const title = `${exchange.id} ${order.stepSeconds} ${order.fromMs}`;
  const text = (await readIfThere(part))?.toString('utf8') ?? '';
  const [first, ...lines] = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  const wanted = (order.toMs - order.fromMs) / (order.stepSeconds * 1000);
  const kept = first === title ? lines.slice(0, wanted) : [];
  await writeFile(part, [title, ...kept, ''].join('\n'));
  return kept.length;
}

async function appendLines(part: string, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await appendFile(part, `${lines.join('\n')}\n`);
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
