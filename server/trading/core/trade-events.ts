import { english } from '#contract/texts.ts';
import type { CancelReason, CloseCause, CloseReason } from '#contract/trading/trade.ts';
import type { TradeEvent } from '#contract/trading/trade-detail.ts';
import type { StopPermilles } from './stops/stops.ts';

const { t } = english;

/** The stored facts of a trade's life. Instants are market time. */
export type TradeLife = {
  readonly requestedAt: Date;
  readonly openedAt: Date | null;
  readonly stopsSince: Date | null;
  readonly stops: StopPermilles;
  readonly closeRequestedAt: Date | null;
  readonly closeCause: CloseCause | null;
  readonly closedAt: Date | null;
  readonly closeReason: CloseReason | null;
  /** A stop within a candle whose level was worse than the next open. */
  readonly isSoldAtLevel: boolean;
  readonly cancelledAt: Date | null;
  readonly cancelReason: CancelReason | null;
  readonly isOfPlan: boolean;
  /** Whether its purchase was filled at an exchange. */
  readonly isAtExchange: boolean;
};

export type LifeEvent = { readonly kind: TradeEvent['kind']; readonly at: Date; readonly words: string };

/**
 * The life of a trade in order, each step with the rule that caused it (docs/product.md, section 3, "Trades"). Stops
 * set before the opening are not a separate step.
 *
 * Placed 12:00, opened 12:30, stop-loss triggered 14:00:15, sold 14:00:30: four steps.
 */
export function tradeEvents(life: TradeLife): LifeEvent[] {
  const { requestedAt, openedAt, stopsSince, closeRequestedAt, closeCause, closedAt, closeReason, cancelledAt } = life;
  const events: (LifeEvent | undefined)[] = [
    {
      kind: 'placed',
      at: requestedAt,
      words: life.isOfPlan
        ? t`Placed by your plan.`
        : t`You placed the trade. The amount moved from your wallet into the trade.`,
    },
    openedAt === null
      ? undefined
      : {
          kind: 'opened',
          at: openedAt,
          words: life.isAtExchange
            ? t`The exchange filled the order. The trade fee was charged.`
            : t`Bought at the first price in the session after the order. The trade fee was charged.`,
        },
    stopsSince === null || openedAt === null || stopsSince <= openedAt
      ? undefined
      : { kind: 'stops_set', at: stopsSince, words: t`Stops changed: ${describeStops(life.stops)}.` },
    closeRequestedAt === null || closeCause === null
      ? undefined
      : { kind: 'close_asked', at: closeRequestedAt, words: closeRequestTexts[closeCause] },
    closedAt === null || closeReason === null
      ? undefined
      : { kind: 'closed', at: closedAt, words: describeClose(life, closeReason) },
    cancelledAt === null || life.cancelReason === null
      ? undefined
      : {
          kind: 'cancelled',
          at: cancelledAt,
          words: cancelledTexts[life.cancelReason],
        },
  ];
  return events.filter((event) => event !== undefined);
}

function describeStops({ stopLoss, takeProfit, trailingStop }: StopPermilles): string {
  const parts = [
    ['stop-loss', stopLoss],
    ['take-profit', takeProfit],
    ['trailing stop', trailingStop],
  ] as const;
  return parts
    .filter(([, permille]) => permille !== null)
    .map(([name, permille]) => `${name} ${(permille as number) / 10}%`)
    .join(', ');
}

const closeRequestTexts: Record<CloseCause, string> = {
  close_now: t`You requested the sale.`,
  stop_loss: t`The mark price reached the stop-loss.`,
  take_profit: t`The mark price reached the take-profit.`,
  trailing_stop: t`The mark price fell to the trailing stop.`,
  strategy: t`The strategy of your plan requested the sale.`,
};

function describeClose({ isSoldAtLevel, isAtExchange }: TradeLife, reason: CloseReason): string {
  if (isAtExchange) return exchangeTexts[reason] ?? t`Sold: the exchange filled the order.`;
  return isSoldAtLevel ? atLevel : closedTexts[reason];
}

const exchangeTexts: Partial<Record<CloseReason, string>> = {
  session_close: t`The session closed. Sold in parts, at the average of what the exchange filled.`,
  late_price: t`It could not be sold at the close. Sold afterwards, at the average of what the exchange filled.`,
};

const atNextPrice = t`Sold at the next price.`;
const atLevel = t`Sold at the stop level, which was worse than the next price.`;
const closedTexts: Record<CloseReason, string> = {
  session_close: t`The session closed. Sold at the time-weighted average of its last minute.`,
  late_price: t`There was no fresh price at the close. Sold at the first average after it.`,
  close_now: atNextPrice,
  stop_loss: atNextPrice,
  take_profit: atNextPrice,
  trailing_stop: atNextPrice,
  strategy: atNextPrice,
};

const cancelledTexts: Record<CancelReason, string> = {
  member: t`You cancelled the trade. The full amount was returned.`,
  asset_off: t`Trading in this asset was switched off before the trade could open. The full amount was returned.`,
  frozen: t`Your account was frozen before the trade could open. The full amount was returned.`,
  own_limit: t`Your daily loss limit or a pause stopped trading before the trade could open. The full amount was returned.`,
  halted: t`Trading was halted before the trade could open. The full amount was returned.`,
  session_closed: t`The session closed before the trade could open. The full amount was returned, and your plan decides again in the next session.`,
  not_filled: t`The exchange did not fill the trade within 15 minutes. The full amount was returned.`,
  over_asset_limit: t`The trade no longer fit the limits of this asset. The full amount was returned.`,
  venue_down: t`There was no price, or the exchange took no orders, in the whole session. The full amount was returned.`,
};
