import { formatDollars, roundToShown } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { type Cancelling, type Chunk, cancelTrades, listCancelled, type SystemReason } from './opening-sql.ts';

/** Gives back the whole amounts of locked trades that cannot open, and tells the members who placed them; plans say it themselves. */
export async function cancelAndTell(tx: Tx, chunk: Chunk, cancelling: Cancelling, marketAt: Date): Promise<void> {
  if (chunk.ids === '{}') return;
  await cancelTrades(tx, chunk, cancelling, marketAt);
  const cancelled = await listCancelled(tx, chunk);
  await notifyMembers(
    tx,
    cancelled.map(({ memberId, ...trades }) => ({
      memberId,
      kind: 'trade_cancelled',
      message: cancelledMessage(trades),
    })),
  );
}

/**
 * What a member is told whose trades the system cancelled.
 *
 * `cancelledMessage({ symbol: 'btc', trades: 1, amount: 100_000_000n, reason: 'halted' })` is "1 trade in BTC/USDT cancelled:
 * trading was halted. $100.00 was returned."
 */
export function cancelledMessage(cancelled: {
  readonly symbol: string;
  readonly trades: number;
  readonly amount: bigint;
  readonly reason: SystemReason;
}): string {
  const trades = english.plural(cancelled.trades, { one: '# trade', other: '# trades' });
  const pair = `${cancelled.symbol.toUpperCase()}/USDT`;
  return english.t`${trades} in ${pair} cancelled: ${reasons[cancelled.reason]}. ${formatDollars(roundToShown(cancelled.amount))} was returned.`;
}

const reasons: Readonly<Record<SystemReason, string>> = {
  asset_off: english.t`trading in this asset was switched off`,
  frozen: english.t`your account was frozen`,
  own_limit: english.t`you reached one of your own limits`,
  halted: english.t`trading was halted`,
  not_filled: english.t`the exchange did not fill the order`,
  over_asset_limit: english.t`over the limits of the asset`,
  venue_down: english.t`there was no price to open at`,
};
