import type { Tx } from '#server/db/connect.ts';
import { listStates, updateStates } from '../assets/asset-sql.ts';
import { deleteCandlesBefore, insertCandles, rollUpCandles } from '../candles/candle-sql.ts';
import { deleteTicksBefore, insertTicks } from '../candles/tick-sql.ts';
import { floorToStep } from '../core/candle.ts';
import { isKeptForGood, keptDays, storedSteps } from '../core/intervals.ts';
import { type Played, playCandles } from '../core/play-candles.ts';
import type { RecordedFeed } from '../feeds/recorded-feed.ts';

/** A period (fromMs, toMs] of market time. Prices up to `ticksAfterMs` move the marks but are not stored. */
export type Stretch = Span & { readonly ticksAfterMs: number };
type Span = { readonly fromMs: number; readonly toMs: number };
export type RefusedTick = Played['refused'][number] & { readonly symbol: string };

const HOUR_SECONDS = 3600;
const DAY_MS = 86_400_000;

/**
 * Stores everything of a period of market time: ticks, marks, candles of every step.
 *
 * @returns refused prices
 */
export async function playStretch(tx: Tx, feed: RecordedFeed, stretch: Stretch): Promise<RefusedTick[]> {
  const played = await playAssets(tx, feed, stretch);
  await insertCandles(
    tx,
    played.flatMap(({ id, closed }) =>
      closed.map((candle) => ({ ...candle, assetId: id, stepSeconds: feed.stepSeconds })),
    ),
  );
  await rollUp(tx, feed.stepSeconds, stretch);
  await forgetOld(tx, feed.stepSeconds, stretch);
  return listRefused(played);
}

/** The price part of a period: ticks and marks. */
export async function playAssets(tx: Tx, feed: RecordedFeed, stretch: Stretch) {
  const firstMs = floorToStep(stretch.fromMs, feed.stepSeconds);
  const states = await listStates(tx);
  const played = states.map(({ id, symbol, state }) => {
    const candles = feed.symbols.includes(symbol) ? feed.listCandles(symbol, firstMs, stretch.toMs + 1) : [];
    return { id, symbol, ...playCandles(state, candles, { ...stretch, stepSeconds: feed.stepSeconds }) };
  });
  await insertTicks(
    tx,
    played.flatMap(({ id, ticks }) =>
      ticks.filter((tick) => tick.atMs > stretch.ticksAfterMs).map((tick) => ({ ...tick, assetId: id })),
    ),
  );
  await updateStates(tx, played);
  return played;
}

export const listRefused = (played: readonly (Played & { symbol: string })[]): RefusedTick[] =>
  played.flatMap(({ symbol, refused }) => refused.map((tick) => ({ ...tick, symbol })));

/** Stores longer candles once complete, shorter ones first, because days are built from 15-minute candles. */
export async function rollUp(tx: Tx, feedStepSeconds: number, { fromMs, toMs }: Span): Promise<void> {
  const steps = storedSteps(feedStepSeconds).reverse();
  for (const [index, to] of steps.entries()) {
    const from = steps[index - 1];
    const over = { fromMs: floorToStep(fromMs, to), toMs: floorToStep(toMs, to) };
    if (from !== undefined && over.toMs > over.fromMs) await rollUpCandles(tx, { from, to }, over);
  }
}

/** Runs once per hour of market time. */
export async function forgetOld(tx: Tx, feedStepSeconds: number, { fromMs, toMs }: Span): Promise<void> {
  if (floorToStep(fromMs, HOUR_SECONDS) === floorToStep(toMs, HOUR_SECONDS)) return;
  const before = new Date(floorToStep(toMs, HOUR_SECONDS) - keptDays * DAY_MS);
  await deleteTicksBefore(tx, before);
  if (!isKeptForGood(feedStepSeconds)) await deleteCandlesBefore(tx, feedStepSeconds, before);
}
