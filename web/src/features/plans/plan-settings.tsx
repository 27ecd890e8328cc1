import type { Plan } from '#contract/plan.ts';
import { formatDate, formatDateTime } from '../../shared/format/time.ts';
import { paths } from '../../shared/paths.ts';
import { setStops, stopNames, stopPercentWords } from '../../shared/trading/stops.ts';
import { knobs, strategyWords } from '../../shared/trading/strategies.ts';
import { walletNames } from '../../shared/trading/words.ts';
import { KeyValues } from '../../shared/ui/key-values.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { TextLink } from '../../shared/ui/text-link.tsx';
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
