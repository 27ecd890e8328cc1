import { useQuery } from '@tanstack/react-query';
import { tradingHours } from '#contract/rules.ts';
import { marketQuery } from '../../api/market/queries.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t, translate } from '../../api/texts.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { ModeLabel } from '../../ui/frame/mode-label.tsx';
import { SessionBar } from '../../ui/frame/session-bar.tsx';
import { SessionState } from '../../ui/frame/session-state.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent, Price } from '../../ui/text/money.tsx';
import classes from './session-pane.module.css';

const SHOWN_PAIRS = 6;

export function SessionPane() {
  const { now } = useMarketClock();
  return (
    <>
      <div className={classes.head}>
        <h2>{t`Today’s trading session`}</h2>
        <SessionState />
      </div>
      {now ? <SessionBar now={now} /> : <div className={classes.bar} />}
      <div className={classes.hours}>
        <div>
          <span>{t`EDT, UTC−4`}</span>
          <b>{translate(tradingHours.us)}</b>
        </div>
        <div>
          <span>{t`IST, UTC+5:30`}</span>
          <b>{translate(tradingHours.india)}</b>
        </div>
      </div>
      <MarketList now={now} />
    </>
  );
}

function MarketList({ now }: { now: Date | undefined }) {
  const { data } = useQuery(marketQuery);
  return (
    <section aria-label={t`Market`}>
      <div className={classes.market}>
        <h2>{t`Market`}</h2>
        {data && <ModeLabel feed={data.feed} {...(now ? { at: now } : {})} />}
      </div>
      {data?.pairs.slice(0, SHOWN_PAIRS).map((pair) => (
        <div className={classes.row} key={pair.displayName}>
          <AssetIcon symbol={pair.displayName} />
          <span className={classes.pair}>{pair.displayName}</span>
          <Sparkline values={pair.spark} width={88} height={24} />
          <Price value={pair.rate} symbol={pair.displayName} />
          <Percent value={pair.change_24h} signed />
        </div>
      ))}
    </section>
  );
}

/** Shown where there is no room for the pane. */
export function SessionMini() {
  return (
    <div className={classes.mini}>
      <SessionState named />
      <div>{translate(tradingHours.us)}</div>
      <div>{translate(tradingHours.india)}</div>
    </div>
  );
}
