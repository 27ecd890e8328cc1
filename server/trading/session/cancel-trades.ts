import { formatRounded } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import { listFrozenMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inBatchTransaction, runWorkers } from '#server/db/tx.ts';
import { notifyMembers } from '#server/notify/index.ts';
import { listLimitedMembers } from '../orders/place-trade.ts';
import {
  type Cancelling,
  type Chunk,
  cancelTrades,
  findQueuedChunk,
  hasQueuedTrades,
  listCancelled,
  lockQueued,
  type SystemReason,
} from './opening-sql.ts';
import { joinFollower, type SessionSnapshot } from './session-sql.ts';

/** Cancels queued trades that cannot open, and returns their full amounts. */
export async function cancelQueued(context: Context, snapshot: SessionSnapshot, cancelling: Cancelling): Promise<void> {
  if (isNothing(cancelling)) return;
  await runWorkers<Chunk>(
    (last) => findQueuedChunk(context.db, last?.upTo ?? 0n, snapshot.chunkSize),
    (chunk) =>
      inBatchTransaction(context.db, async (tx) => {
        if (!(await joinFollower(tx, snapshot.session))) return;
        await cancelAndNotify(tx, await lockQueued(tx, chunk, cancelling), cancelling, snapshot.marketAt);
      }),
  );
}

const isNothing = (cancelling: Cancelling): boolean =>
  Object.values(cancelling).every((named) => named === undefined || (Array.isArray(named) && named.length === 0));

/** Cancels trades queued before a halt; dated by the halt, however late the market is processed. */
export async function cancelHalted(
  context: Context,
  snapshot: SessionSnapshot,
  halt: { readonly at: Date; readonly requestedBefore: Date },
): Promise<void> {
  if (!(await hasQueuedTrades(context.db))) return;
  await cancelQueued(context, { ...snapshot, marketAt: halt.at }, { haltedBefore: halt.requestedBefore });
}

/** Cancels queued trades in inactive assets, of frozen members, and of members at their self-imposed limit. */
export async function cancelForbidden(
  context: Context,
  snapshot: SessionSnapshot,
  inactiveSymbols: readonly string[],
): Promise<void> {
  if (!(await hasQueuedTrades(context.db))) return;
  const [frozenMemberIds, limitedMemberIds] = await Promise.all([
    listFrozenMembers(context.db),
    listLimitedMembers(context, snapshot.session.day),
  ]);
  await cancelQueued(context, snapshot, { inactiveSymbols, frozenMemberIds, limitedMemberIds });
}

/** Cancels queued trades of members who have reached their own limit, by what was settled up to this instant. */
export async function cancelLimited(context: Context, snapshot: SessionSnapshot): Promise<void> {
  if (!(await hasQueuedTrades(context.db))) return;
  const limitedMemberIds = await listLimitedMembers(context, snapshot.session.day);
  await cancelQueued(context, snapshot, { limitedMemberIds });
}

/** Cancels locked trades that cannot open, returns their full amounts and notifies members, except for plan trades. */
export async function cancelAndNotify(tx: Tx, chunk: Chunk, cancelling: Cancelling, marketAt: Date): Promise<void> {
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
 * The notification to a member whose trades the system cancelled.
 *
 * `cancelledMessage({ symbol: 'btc', trades: 1, amount: 100_000_000n, reason: 'halted' })` is "1 trade in BTC/USDT
 * cancelled: trading was halted. $100.00 was returned."
 */
export function cancelledMessage(cancelled: {
  readonly symbol: string;
  readonly trades: number;
  readonly amount: bigint;
  readonly reason: SystemReason;
}): string {
  const trades = english.plural(cancelled.trades, { one: '# trade', other: '# trades' });
  const pair = `${cancelled.symbol.toUpperCase()}/USDT`;
  return english.t`${trades} in ${pair} cancelled: ${reasons[cancelled.reason]}. ${formatRounded(cancelled.amount)} was returned.`;
}

const reasons: Readonly<Record<SystemReason, string>> = {
  asset_off: english.t`trading in this asset was switched off`,
  frozen: english.t`your account was frozen`,
  own_limit: english.t`your daily loss limit or a pause stops trading`,
  halted: english.t`trading was halted`,
  not_filled: english.t`the exchange did not fill the order`,
  over_asset_limit: english.t`over the limits of the asset`,
  venue_down: english.t`there was no price, or the exchange took no orders, in the whole session`,
};
