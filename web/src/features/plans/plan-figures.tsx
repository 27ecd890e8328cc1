import type { Plan } from '#contract/trading/plan.ts';
import { t } from '../../api/texts.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { percentOf } from '../../ui/format/number.ts';
import { paths } from '../../ui/paths.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { Trans } from '../../ui/text/trans.tsx';

export function PlanFigures({ plan }: { plan: Plan }) {
  const traded = plan.sessions.filter(({ trades }) => trades > 0).length;
  const isRedeemed = plan.state === 'redeemed';
  return (
    <FigureStrip>
      <Figure
        label={isRedeemed ? t`Redeemed` : t`Current value`}
        size="xl"
        foot={isRedeemed ? t`Paid to your Primary Wallet` : <Working plan={plan} />}
      >
        <Money value={isRedeemed ? plan.redeemed : plan.value} />
      </Figure>
      <Figure
        label={t`Total P&L`}
        foot={
          <Trans
            text={t`<percent/> of the amount invested`}
            percent={<Percent value={percentOf(plan.result_total, plan.amount)} signed />}
          />
        }
      >
        <SignedMoney value={plan.result_total} arrow />
      </Figure>
      <Figure label={t`Invested`} foot={t`From the ${walletNames[plan.wallet_type]}`}>
        <Money value={plan.amount} />
      </Figure>
      <Figure label={t`Trades`} foot={t`In ${traded} of the last ${plan.sessions.length} sessions`}>
        {plan.trades}
      </Figure>
    </FigureStrip>
  );
}

/** Whether it is in a trade, and how that stands: not settled, so not in the result yet. */
function Working({ plan }: { plan: Plan }) {
  if (plan.trade_id === null) return t`No open trade`;
  return (
    <Trans
      text={t`<pnl/> in an <trade>open trade</trade>`}
      pnl={<SignedMoney value={plan.value - plan.principal} />}
      trade={(inner) => <TextLink to={paths.trade(plan.trade_id ?? '')}>{inner}</TextLink>}
    />
  );
}
