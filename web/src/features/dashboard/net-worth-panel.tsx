import { type ReactNode, useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import type { Portfolio } from '#contract/trading/trading.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { sinceLastSession, worthParts } from './net-worth.ts';
import classes from './net-worth-panel.module.css';

type NetWorthPanelProps<Range extends string> = {
  portfolio: Portfolio | undefined;
  wallets: DataOf<typeof funds.getWallet> | undefined;
  ranges: readonly Range[];
  firstRange: Range;
  /** The equity chart of the chosen period. */
  renderChart: (range: Range) => ReactNode;
  className?: string | undefined;
};

/** The one large figure of the page, how it came about, and what it is made of. */
export function NetWorthPanel<Range extends string>(props: NetWorthPanelProps<Range>) {
  const { portfolio, wallets, ranges, firstRange, renderChart, className } = props;
  const [range, setRange] = useState(firstRange);
  const since = portfolio && sinceLastSession(portfolio.equity);
  return (
    <section className={`${classes.panel} ${className ?? ''}`} aria-label="Net worth">
      <div className={classes.head}>
        <Figure
          label="Net worth"
          size="xl"
          foot={
            since ? (
              <span className={classes.since}>
                <SignedMoney value={since.result} arrow />
                {since.percent !== null && (
                  <>
                    {' '}
                    (<Percent value={since.percent} signed />)
                  </>
                )}{' '}
                since the last session
              </span>
            ) : (
              'wallets, trades and plans together'
            )
          }
        >
          <Money value={portfolio?.net_worth} />
        </Figure>
        <div className={classes.range}>
          <Segments label="Period" options={ranges} value={range} onChange={setRange} />
        </div>
      </div>
      <div className={classes.body}>
        {renderChart(range)}
        {portfolio && wallets && <Parts portfolio={portfolio} wallets={wallets} />}
      </div>
    </section>
  );
}

function Parts({ portfolio, wallets }: { portfolio: Portfolio; wallets: DataOf<typeof funds.getWallet> }) {
  const parts = worthParts(portfolio.net_worth, wallets, portfolio.plans);
  const summary = parts.map(({ label, value }) => `${label} ${formatMoney(value)}`).join(', ');
  return (
    <>
      <div className={classes.split} role="img" aria-label={`Net worth is made of: ${summary}`}>
        {parts
          .filter(({ value }) => value > 0)
          .map(({ label, value, series }) => (
            <i key={label} data-series={series} style={{ flexGrow: value }} />
          ))}
      </div>
      <ul className={classes.parts}>
        {parts.map(({ label, value, series }) => (
          <li key={label} data-none={value === 0 || undefined}>
            <span>
              <i data-series={series} />
              {label}
            </span>
            <b>
              <Money value={value} />
            </b>
          </li>
        ))}
      </ul>
    </>
  );
}
