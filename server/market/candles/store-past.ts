import assert from 'node:assert/strict';
import { symbols } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { lockClock } from '../clock/clock-sql.ts';
import { floorToStep } from '../core/candle.ts';
import { storedSteps } from '../core/intervals.ts';
import type { PastCandle } from '../core/past-candles.ts';
import { insertCandles, rollUpCandles } from './candle-sql.ts';

/**
 * Stores candles of one coin's past that a live source told afterwards. Those of the feed's own step stay out of the
 * way of what the market itself made of the prices it took, because trades were filled at those; the longer ones are
 * put together again, and where the source has a whole one it counts. Of the time that is not over nothing is stored.
 */
export async function storePast(db: Db, symbol: string, candles: readonly PastCandle[]): Promise<void> {
  if (candles.length === 0) return;
  await inTransaction(db, (tx) => storeAll(tx, symbols.indexOf(symbol) + 1, candles));
}

async function storeAll(tx: Tx, assetId: number, candles: readonly PastCandle[]): Promise<void> {
  // The clock's lock keeps the engine from closing a candle meanwhile.
  const clock = await lockClock(tx);
  assert(clock, 'prepareMarket has not run');
  const nowMs = clock.at.getTime();
  const steps = storedSteps(clock.stepSeconds).reverse();
  let shorter: { readonly step: number; readonly fromMs: number } | undefined;
  for (const step of steps) {
    const overMs = floorToStep(nowMs, step);
    const own = candles.filter((candle) => candle.stepSeconds === step && candle.atMs + step * 1000 <= overMs);
    const firstMs = Math.min(own[0]?.atMs ?? nowMs, shorter?.fromMs ?? nowMs);
    if (shorter !== undefined) {
      const stretch = { fromMs: floorToStep(shorter.fromMs, step), toMs: overMs, assetId };
      if (stretch.fromMs < stretch.toMs) await rollUpCandles(tx, { from: shorter.step, to: step }, stretch);
    }
    const isOwnStep = step === clock.stepSeconds;
    await insertCandles(
      tx,
      own.map((candle) => ({ ...candle, assetId })),
      isOwnStep ? 'keep' : 'replace',
    );
    shorter = { step, fromMs: firstMs };
  }
}
