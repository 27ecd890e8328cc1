import assert from 'node:assert/strict';
import type { Context } from '#server/context.ts';
import { findAsset } from '#server/market/index.ts';
import { setSpread, writeAnnouncement } from '#server/operator/index.ts';
import { demoDesk } from './make-operators.ts';

const SYMBOL = 'doge';
const WEEK_MS = 7 * 86_400_000;

/** A spread that is wider from the next session on, and the announcement of it that every member reads for a week. */
export async function announceSpread(context: Context, operatorId: bigint): Promise<void> {
  const decider = { operatorId, address: demoDesk.address };
  const asset = await findAsset(context.db, SYMBOL);
  assert(asset, 'the demo world has a market');
  const why = 'Its order book at the exchange has become thinner';
  await setSpread(context, decider, { symbol: SYMBOL, version: asset.version, spread_bps: 14, why });
  await writeAnnouncement(context, decider, {
    title: 'A wider spread on doge/usdt',
    text: 'From the next session on it is 0.14% instead of 0.10%: half of it when you buy, half when you sell.\nThe reason is a thinner order book at the exchange. All spreads are listed under Fees.',
    to: new Date(context.now().getTime() + WEEK_MS).toISOString(),
  });
}
