import { useQuery } from '@tanstack/react-query';
import type { Plan } from '#contract/trading/plan.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './plans-panel.module.css';
import { plansQuery } from './queries.ts';

const SHOWN = '4';

/** Plans in short, those that trade first; there is no panel while there are none. */
export function PlansPanel() {
  const { data: active } = useQuery(plansQuery({ state: 'active', limit: SHOWN }));
  const { data: paused } = useQuery(plansQuery({ state: 'paused', limit: SHOWN }));
  const plans = [...(active?.items ?? []), ...(paused?.items ?? [])].slice(0, Number(SHOWN));
  if (plans.length === 0) return null;
  return (
    <Panel title="Auto-trade plans" rule padded={false} control={<TextLink to={paths.plans}>Manage</TextLink>}>
      <ul className={classes.list} aria-label="Auto-trade plans">
        {plans.map((plan) => (
          <li key={plan.id}>
            <AssetLink symbol={plan.symbol} to={paths.plan(plan.id)} detail={detailOf(plan)} />
            <span className={classes.figures}>
              <Money value={plan.value} />
              <SignedMoney value={plan.result_total} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function detailOf(plan: Plan): string {
  const how = plan.state === 'paused' ? 'Paused' : plan.compounding ? 'Compounding' : 'Pays out gains';
  const sessions = plan.sessions.length === 1 ? '1 session' : `${plan.sessions.length} sessions`;
  return `${how} · ${sessions}`;
}
