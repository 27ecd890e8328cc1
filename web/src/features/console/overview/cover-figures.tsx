import type { Overview } from '#contract/operator/overview.ts';
import { formatMoney, formatSignedMoney } from '../../../ui/format/money.ts';
import { formatPercent } from '../../../ui/format/percent.ts';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import classes from './overview.module.css';

/** The promise in four figures; framed in rose as soon as it does not hold. */
export function CoverFigures({ overview }: { overview: Overview }) {
  const { assets, liabilities, surplus, coverage } = overview;
  const isShort = coverage !== null && coverage < 1;
  return (
    <div className={isShort ? classes.alarm : undefined}>
      <FigureStrip>
        <Figure
          label="Coverage"
          foot={
            assets.counted < assets.booked
              ? `${formatMoney(assets.counted, 2)} reported counts`
              : 'assets of liabilities'
          }
        >
          {formatPercent(coverage === null ? null : coverage * 100)}
        </Figure>
        <Figure
          label="Assets, booked"
          foot={`gateway ${formatMoney(assets.gateway, 2)}, venue ${formatMoney(assets.venue, 2)}`}
        >
          {formatMoney(assets.booked, 2)}
        </Figure>
        <Figure label="Liabilities" foot="all that members and pools are owed">
          {formatMoney(liabilities, 2)}
        </Figure>
        <Figure label="Surplus" foot="what is the house’s own">
          {formatSignedMoney(surplus, 2)}
        </Figure>
      </FigureStrip>
    </div>
  );
}
