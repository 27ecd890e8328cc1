import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Plan } from '#contract/trading/plan.ts';
import { plural, t } from '../../api/texts.ts';
import { AssetRow } from '../../entities/trade/asset-row.tsx';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { isUnknown, TableError } from '../../ui/table/data-table-states.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { plansQuery } from './queries.ts';

const SHOWN = '4';

/** Plans in short, active ones first; no panel once it is known that there are none. */
export function PlansPanel() {
  const active = useQuery(plansQuery({ state: 'active', limit: SHOWN }));
  const paused = useQuery(plansQuery({ state: 'paused', limit: SHOWN }));
  const failed = [active, paused].find(isUnknown);
  const plans = [active, paused].flatMap(({ data }) => data?.items ?? []).slice(0, Number(SHOWN));
  if (plans.length === 0 && !failed) return null;
  return (
    <Panel
      title={t`Auto-trade plans`}
      rule
      padded={false}
      control={<TextLink to={paths.plans}>{t`Manage plans`}</TextLink>}
    >
      {failed && <TableError query={failed} />}
      <Rows aria-label={t`Auto-trade plans`}>
        {plans.map((plan) => (
          <Box key={plan.id} component="li" py={8} fz="sm" lh="1.125rem">
            <AssetRow symbol={plan.symbol} to={paths.plan(plan.id)} detail={detailOf(plan)}>
              <Money value={plan.value} />
              <SignedMoney value={plan.result_total} />
            </AssetRow>
          </Box>
        ))}
      </Rows>
    </Panel>
  );
}

function detailOf(plan: Plan): string {
  const how = plan.state === 'paused' ? t`Paused` : plan.compounding ? t`Compounding` : t`Pays out gains`;
  return `${how} · ${plural(plan.trades, { one: '# trade', other: '# trades' })}`;
}
