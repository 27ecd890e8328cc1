import type { Plan } from '#contract/trading/plan.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { setStops, stopNames, stopPercentWords } from '../../entities/trade/stops.ts';
import { knobs, strategyWords } from '../../entities/trade/strategies.ts';
import { formatDate, formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './plan-page.module.css';

/** What the plan was told to do. */
export function PlanSettings({ plan }: { plan: Plan }) {
  const { name, sentence } = strategyWords[plan.strategy];
  const stops = setStops(plan.stops);
  return (
    <Panel title="Settings" foot={sentence}>
      <KeyValues
        rule
        items={[
          [
            'Asset',
            <TextLink key="asset" to={paths.symbol(plan.symbol)}>
              {plan.symbol}/usdt
            </TextLink>,
          ],
          ['Strategy', name],
          ...strategyWords[plan.strategy].knobs.map((knob) => [knobs[knob].label, plan.params[knob] ?? '–'] as const),
          ['Compounding', plan.compounding ? 'yes, gains stay in' : 'no, gains go to the Profit Wallet'],
          ['From', walletNames[plan.wallet_type]],
          ...(stops.length === 0
            ? ([
                [
                  'Stops',
                  <span key="none" className={classes.quiet}>
                    none
                  </span>,
                ],
              ] as const)
            : []),
          ...stops.map(({ kind, percent }) => [stopNames[kind], stopPercentWords(percent)] as const),
          ['Created', formatDate(plan.created_at)],
          ...(plan.redeemed_at === null ? [] : ([['Redeemed', formatDateTime(plan.redeemed_at)]] as const)),
        ]}
      />
    </Panel>
  );
}
