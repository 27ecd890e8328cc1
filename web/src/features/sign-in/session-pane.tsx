import { useQuery } from '@tanstack/react-query';
import { tradingHours } from '#contract/rules.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { ModeLabel } from '../../ui/frame/mode-label.tsx';
import { SessionBar } from '../../ui/frame/session-bar.tsx';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import classes from './session-pane.module.css';

/** How many pairs stand beside the form. */
const SHOWN_PAIRS = 6;

/** Today's session, its hours and the market, beside the sign-in form. */
export function SessionPane() {
  const { now } = useMarketClock();
  return (
    <>
      <div className={classes.head}>
        <h2>Today’s trading session</h2>
        <SessionState />
      </div>
      {now ? <SessionBar now={now} /> : <div className={classes.noBar} />}
      <div className={classes.hours}>
        <div>
          <span>EDT, UTC−4</span>
          <b>{tradingHours.us}</b>
        </div>
        <div>
          <span>IST, UTC+5:30</span>
          <b>{tradingHours.india}</b>
        </div>
      </div>
      <MarketList now={now} />
    </>
  );
}

function MarketList({ now }: { now: Date | undefined }) {
  const { data } = useQuery(marketQuery);
  return (
    <section className={classes.market} aria-label="Market">
      <div className={classes.marketHead}>
        <h2>Market</h2>
        {data && <ModeLabel feed={data.feed} {...(now ? { at: now } : {})} />}
      </div>
      {data?.pairs.slice(0, SHOWN_PAIRS).map((pair) => (
        <div className={classes.row} key={pair.displayName}>
          <AssetIcon symbol={pair.displayName} />
          <span className={classes.name}>{pair.displayName}</span>
          <Sparkline values={pair.spark} width={88} height={24} />
          <Price value={pair.rate} symbol={pair.displayName} />
          <Percent value={pair.change_24h} signed />
        </div>
      ))}
    </section>
  );
}

/** The session in a few lines, where there is no room for the pane. */
export function SessionMini() {
  return (
    <div className={classes.mini}>
      <SessionState named />
      <div>{tradingHours.us}</div>
      <div className={classes.quiet}>{tradingHours.india}</div>
    </div>
  );
}
