import { percentWords } from '../../entities/income/fee-lines.ts';
import type { Spread } from '../../entities/income/spreads.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { FeeTable } from './fee-table.tsx';
import { InfoSection } from './info-article.tsx';

/** The spread of every asset, and what the next session brings. */
export function SpreadList({ spreads }: { spreads: readonly Spread[] }) {
  const isChanging = spreads.some(({ next_bps }) => next_bps !== null);
  return (
    <InfoSection title="Spreads">
      <p>
        Half of it is above the market price when you buy, half below it when you sell. A session keeps its spreads from
        its opening to its close, and every trade opens and closes within one session.
      </p>
      <FeeTable
        label="Spread of each asset"
        heads={['Asset', 'Spread', ...(isChanging ? ['From the next session'] : [])]}
        figuresFrom={1}
        rows={spreads.map(({ symbol, spread_bps: bps, next_bps: next }) => ({
          cells: [pairOf(symbol), percentWords(bps), ...(isChanging ? [next === null ? '' : percentWords(next)] : [])],
        }))}
      />
    </InfoSection>
  );
}

/** `0.10%`, or from the least to the most: `0.10% to 0.30%`. */
export function spreadRange(spreads: readonly Spread[]): string {
  const all = spreads.map(({ spread_bps }) => spread_bps);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most ? percentWords(least) : `${percentWords(least)} to ${percentWords(most)}`;
}
