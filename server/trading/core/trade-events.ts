import type { CancelReason, CloseCause, CloseReason } from '#contract/trading/trade.ts';
import type { TradeEvent } from '#contract/trading/trade-detail.ts';
import type { StopPermilles } from './stops/stops.ts';

/** What is stored of a trade's life. Instants are market time. */
export type TradeLife = {
  readonly requestedAt: Date;
  readonly openedAt: Date | null;
  readonly stopsSince: Date | null;
  readonly stops: StopPermilles;
  readonly closeRequestedAt: Date | null;
  readonly closeCause: CloseCause | null;
  readonly closedAt: Date | null;
  readonly closeReason: CloseReason | null;
  /** A stop inside a candle, which was worse than the next open. */
  readonly isSoldAtLevel: boolean;
  readonly cancelledAt: Date | null;
  readonly cancelReason: CancelReason | null;
  readonly isOfPlan: boolean;
};

export type LifeEvent = { readonly kind: TradeEvent['kind']; readonly at: Date; readonly words: string };

/**
 * The life of a trade in the order it happened, each step with the rule that made it (docs/product.md, section 3,
 * "Trades"). Stops that were there when it opened are no step of their own.
 *
 * Placed 12:00, opened 12:30, stop-loss crossed 14:00:15, sold 14:00:30: four steps.
 */
export function tradeEvents(life: TradeLife): LifeEvent[] {
  const { requestedAt, openedAt, stopsSince, closeRequestedAt, closeCause, closedAt, closeReason, cancelledAt } = life;
  const events: (LifeEvent | undefined)[] = [
    {
      kind: 'placed',
      at: requestedAt,
      words: life.isOfPlan ? 'Placed by your plan.' : 'Placed by you. Its amount left the wallet.',
    },
    openedAt === null
      ? undefined
      : {
          kind: 'opened',
          at: openedAt,
          words: 'Bought at the first price of the session after it was placed. The trade fee was taken.',
        },
    stopsSince === null || openedAt === null || stopsSince <= openedAt
      ? undefined
      : { kind: 'stops_set', at: stopsSince, words: `Stops were changed while it was open: ${stopWords(life.stops)}.` },
    closeRequestedAt === null || closeCause === null
      ? undefined
      : { kind: 'close_asked', at: closeRequestedAt, words: askedWords[closeCause] },
    closedAt === null || closeReason === null
      ? undefined
      : { kind: 'closed', at: closedAt, words: life.isSoldAtLevel ? atLevel : closedWords[closeReason] },
    cancelledAt === null || life.cancelReason === null
      ? undefined
      : {
          kind: 'cancelled',
          at: cancelledAt,
          words: `${cancelledWords[life.cancelReason]} The whole amount went back.`,
        },
  ];
  return events.filter((event) => event !== undefined);
}

function stopWords({ stopLoss, takeProfit, trailingStop }: StopPermilles): string {
  const said = [
    ['stop-loss', stopLoss],
    ['take-profit', takeProfit],
    ['trailing stop', trailingStop],
  ] as const;
  return said
    .filter(([, permille]) => permille !== null)
    .map(([name, permille]) => `${name} ${(permille as number) / 10} %`)
    .join(', ');
}

const askedWords: Record<CloseCause, string> = {
  close_now: 'You asked for it to be sold.',
  stop_loss: 'The mark reached the stop-loss, so its sale was asked for.',
  take_profit: 'The mark reached the take-profit, so its sale was asked for.',
  trailing_stop: 'The mark fell to the trailing stop, so its sale was asked for.',
  strategy: 'The strategy of your plan asked for its sale.',
};

const atNextPrice = 'Sold at the first price after that.';
const atLevel = 'Sold at the level of the stop: it was worse than the next price.';
const closedWords: Record<CloseReason, string> = {
  session_close: 'The session closed: sold at the average of its last minute.',
  late_price: 'There was no fresh price at the close: sold at the first one that could be had after it.',
  close_now: atNextPrice,
  stop_loss: atNextPrice,
  take_profit: atNextPrice,
  trailing_stop: atNextPrice,
  strategy: atNextPrice,
};

const cancelledWords: Record<CancelReason, string> = {
  member: 'You took it back.',
  asset_off: 'The asset was switched off before it could open.',
  frozen: 'The account was frozen before it could open.',
  own_limit: 'One of your own limits was reached before it could open.',
  halted: 'Trading was halted before it could open.',
  session_closed: 'The session closed before it could open, and your plan decides anew in the next one.',
  venue_down: 'There was no venue or no price for it all session.',
};
