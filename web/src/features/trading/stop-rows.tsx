import type { ReactNode } from 'react';
import type { Trade } from '#contract/trading/trading.ts';
import { setStops, stopNames, stopPercentWords } from '../../entities/trade/stops.ts';
import { Price } from '../../ui/text/money.tsx';
import { crossingOf, percentsOf } from './stops-of-trade.ts';

/** The stops of a trade as lines of a card, each with the mark it is crossed at. */
export const stopRows = (trade: Trade): (readonly [label: string, value: ReactNode])[] =>
  setStops(percentsOf(trade)).map(({ kind, percent }) => [
    `${stopNames[kind]}, ${stopPercentWords(percent)}`,
    <Price key={kind} value={crossingOf(trade, kind)} symbol={trade.symbol} />,
  ]);
