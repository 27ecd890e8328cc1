import { Text } from '@mantine/core';
import type { StrategyName } from '#contract/trading/strategy.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { feeLines, ofGain, rateLabel } from '../../entities/income/fee-lines.ts';
import { usePlanTerms } from '../../entities/income/fee-terms.ts';
import { spreadWords } from '../../entities/income/spreads.ts';
import { nextOpening } from '../../entities/trade/session-labels.ts';
import { strategyWords } from '../../entities/trade/strategies.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money } from '../../ui/text/money.tsx';
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

const Quiet = ({ children }: { children: React.ReactNode }) => (
  <Text span inherit c="var(--tw-text-2)">
    {children}
  </Text>
);
