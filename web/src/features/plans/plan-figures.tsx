import type { Plan } from '#contract/trading/plan.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { paths } from '../../ui/paths.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { percentOfAmount } from './percent-of-amount.ts';
import classes from './plan-page.module.css';

export function PlanFigures({ plan }: { plan: Plan }) {
  const traded = plan.sessions.filter(({ trades }) => trades > 0).length;
  const isRedeemed = plan.state === 'redeemed';
  return (
    <FigureStrip>
      <div className={classes.worth}>
        <Figure
          label={isRedeemed ? 'Given back' : 'Worth now'}
          size="xl"
          foot={isRedeemed ? 'to your Primary Wallet' : <Working plan={plan} />}
        >
          <Money value={isRedeemed ? plan.redeemed : plan.value} />
        </Figure>
      </div>
      <Figure
        label="Result since the beginning"
        foot={
          <>
            <Percent value={percentOfAmount(plan)} signed /> of what was put in
          </>
        }
      >
        <SignedMoney value={plan.result_total} arrow />
      </Figure>
      <Figure label="Put in" foot={`from the ${walletNames[plan.wallet_type]}`}>
        <Money value={plan.amount} />
      </Figure>
      <Figure label="Trades" foot={`in ${traded} of the last ${plan.sessions.length} sessions`}>
        {plan.trades}
      </Figure>
    </FigureStrip>
  );
}

/** Whether it is in a trade, and how that stands: not settled, so not in the result yet. */
function Working({ plan }: { plan: Plan }) {
  if (plan.trade_id === null) return <>not in a trade now</>;
  return (
    <>
      <SignedMoney value={plan.value - plan.principal} /> so far in{' '}
      <TextLink to={paths.trade(plan.trade_id)}>a trade now</TextLink>
    </>
  );
}
