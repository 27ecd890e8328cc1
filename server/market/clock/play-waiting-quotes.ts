import type { Tx } from '#server/db/connect.ts';
import { listStates, updateDayVolumes, updateStates } from '../assets/asset-sql.ts';
import { insertCandles } from '../candles/candle-sql.ts';
import { insertTicks } from '../candles/tick-sql.ts';
import { playQuotes, type Quote, type QuoteRefusal } from '../core/play-quotes.ts';
import { forgetOld, rollUp } from './play-stretch.ts';

export type RefusedQuote = {
  readonly symbol: string;
  readonly price: number;
  readonly atMs: number;
  readonly refusal: QuoteRefusal;
};

/** Stores what a stretch of real time brought: the quotes that came in it, and candles whose time is over. */
export async function playWaitingQuotes(
  tx: Tx,
  stepSeconds: number,
  quotes: readonly Quote[],
  stretch: { readonly fromMs: number; readonly toMs: number },
): Promise<RefusedQuote[]> {
  const states = await listStates(tx);
  const played = states.map(({ id, symbol, state }) => {
    const own = quotes.filter((quote) => quote.symbol === symbol);
    return { id, symbol, before: state, ...playQuotes(state, own, { ...stretch, stepSeconds }) };
  });
  const changed = played.filter(({ before, state }) => state.mark !== before.mark || state.forming !== before.forming);
  if (changed.length > 0) {
    await insertTicks(
      tx,
      changed.flatMap(({ id, ticks }) => ticks.map((tick) => ({ ...tick, assetId: id }))),
    );
    await updateStates(tx, changed);
    await insertCandles(
      tx,
      changed.flatMap(({ id, closed }) =>
        closed.map((candle) => ({ ...candle, assetId: id, stepSeconds, volume: null })),
      ),
    );
  }
  const quoted = played.flatMap(({ id, dayVolume }) => (dayVolume === undefined ? [] : [{ id, dayVolume }]));
  if (quoted.length > 0) await updateDayVolumes(tx, quoted);
  await rollUp(tx, stepSeconds, stretch);
  await forgetOld(tx, stepSeconds, stretch);
  return played.flatMap(({ symbol, refused }) => refused.map((quote) => ({ ...quote, symbol })));
}
