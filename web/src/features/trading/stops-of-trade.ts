import type { StopPercents } from '#contract/trading/stops.ts';
import type { Trade } from '#contract/trading/trading.ts';
import type { StopKind } from '../../entities/trade/stops.ts';

/** The percents of a trade's stops, without the marks that follow from them. */
export const percentsOf = ({ stops }: Trade): StopPercents => ({
  stop_loss: stops.stop_loss,
  take_profit: stops.take_profit,
  trailing_stop: stops.trailing_stop,
});

/** The mark at which a stop is crossed; null while there is none, or before the trade opened. */
export const crossingOf = ({ stops }: Trade, kind: StopKind): number | null => stops[`${kind}_price`];

/** The price now; null while the trade has none. */
export const markOf = (trade: Trade): number | null => trade.live?.price ?? null;
