import type { Plan } from '#contract/trading/plan.ts';
import { t } from '../../api/texts.ts';
import { pairOf, walletNames } from '../../entities/trade/labels.ts';
import { setStops, stopNames, stopPercentWords } from '../../entities/trade/stops.ts';
import { parameters, strategyWords } from '../../entities/trade/strategies.ts';
import { formatDate, formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { TextLink } from '../../ui/text/text.tsx';

/** What the plan was told to do. */
export function PlanSettings({ plan }: { plan: Plan }) {
  const { name, sentence } = strategyWords[plan.strategy];
  const stops = setStops(plan.stops);
  return (
    <Panel title={t`Settings`} foot={sentence}>
      <KeyValues
        rule
        items={[
          [
            t`Asset`,
            <TextLink key="asset" to={paths.symbol(plan.symbol)}>
              {pairOf(plan.symbol)}
            </TextLink>,
          ],
          [t`Strategy`, name],
          ...strategyWords[plan.strategy].parameters.map(
            (parameter) => [parameters[parameter].label, plan.params[parameter] ?? '–'] as const,
          ),
          [t`Compounding`, plan.compounding ? t`Yes, gains are reinvested` : t`No, gains go to the Profit Wallet`],
          [t`Wallet`, walletNames[plan.wallet_type]],
          ...(stops.length === 0 ? ([[t`Stops`, t`None`]] as const) : []),
          ...stops.map(({ kind, percent }) => [stopNames[kind], stopPercentWords(percent)] as const),
          [t`Created`, formatDate(plan.created_at)],
          ...(plan.redeemed_at === null ? [] : ([[t`Redeemed`, formatDateTime(plan.redeemed_at)]] as const)),
        ]}
      />
    </Panel>
  );
}
