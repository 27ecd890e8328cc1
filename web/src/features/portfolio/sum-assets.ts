import type { AssetResult } from '#contract/trading/portfolio.ts';

type Sums = Omit<AssetResult, 'symbol'>;

const none: Sums = { trades: 0, winning: 0, losing: 0, volume: 0, result: 0, trade_fees: 0, performance_fees: 0 };

/** All assets together. */
export const sumAssets = (assets: readonly AssetResult[]): Sums =>
  assets.reduce(
    (sum, row) => ({
      trades: sum.trades + row.trades,
      winning: sum.winning + row.winning,
      losing: sum.losing + row.losing,
      volume: sum.volume + row.volume,
      result: sum.result + row.result,
      trade_fees: sum.trade_fees + row.trade_fees,
      performance_fees: sum.performance_fees + row.performance_fees,
    }),
    none,
  );

/** The win rate of settled trades, in percent; unknown without any. */
export const winRate = ({ trades, winning }: Pick<Sums, 'trades' | 'winning'>): number | null =>
  trades === 0 ? null : (winning / trades) * 100;
