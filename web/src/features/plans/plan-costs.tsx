import type { StrategyName } from '#contract/strategy.ts';
import { useMarketClock } from '../../shared/market/use-market-clock.ts';
import { feeLines, ofGain, rateLabel } from '../../shared/trading/fee-lines.ts';
import { usePlanTerms } from '../../shared/trading/fee-terms.ts';
import { nextOpening } from '../../shared/trading/session-words.ts';
import { spreadWords } from '../../shared/trading/spreads.ts';
import { strategyWords } from '../../shared/trading/strategies.ts';
import { KeyValues } from '../../shared/ui/key-values.tsx';
import { Money } from '../../shared/ui/money.tsx';
import classes from './plan-form.module.css';

/** What a plan costs each time it trades, how often that is, and when it begins. */
export function PlanCosts({
  amount,
  strategy,
  spreadBps,
}: {
  amount: number | null;
  strategy: StrategyName | null;
  spreadBps: number | undefined;
}) {
  const { session, now } = useMarketClock();
  const terms = usePlanTerms();
  const begins =
    session === undefined || now === undefined
      ? '–'
      : session.state === 'ended'
        ? 'no session follows'
        : nextOpening(session, now);
  return (
    <div className={classes.costs}>
      <KeyValues
        items={[
          [
            rateLabel('Fee of each trade', terms?.trade_fee_bps),
            <Money key="fee" value={feeLines(amount, terms?.trade_fee_bps)?.fee} />,
          ],
          [
            'Trades a session',
            <Quiet key="often">{strategy === null ? '–' : strategyWords[strategy].perSession}</Quiet>,
          ],
          ['Spread', <Quiet key="spread">{spreadWords(spreadBps)}</Quiet>],
          ['Performance fee', <Quiet key="performance">{ofGain(terms?.performance_fee_bps)}</Quiet>],
          ['Trades from', <Quiet key="from">{begins}</Quiet>],
        ]}
      />
    </div>
  );
}

const Quiet = ({ children }: { children: React.ReactNode }) => <span className={classes.quiet}>{children}</span>;
