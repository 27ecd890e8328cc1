import { Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { formatPercent } from '../../ui/format/percent.ts';
import { formatDate, formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import type { Solvency } from './cover.ts';
import { SimulatedLabel } from './simulated-label.tsx';

/** How many of those who ever traded have lost in all. */
export function MembersPanel({ solvency: { members, simulated } }: { solvency: Solvency }) {
  const share = members.traded === 0 ? null : (members.negative / members.traded) * 100;
  return (
    <Panel title="Members’ results" control={<SimulatedLabel simulated={simulated} />}>
      <Figure
        label="Members with a negative trading result"
        size="lg"
        foot={
          share === null
            ? 'Nobody has a settled trade yet.'
            : `${members.negative} of ${members.traded} who ever settled a trade`
        }
      >
        {formatPercent(share)}
      </Figure>
      <Text mt={12} c="dimmed" fz="xs" lh="16px">
        Of all settled trades of each member, after all fees. Incomes from a team are not counted. Trading can lose
        money. Nothing here promises a return.
      </Text>
    </Panel>
  );
}

/** When the books were last found right, and what was compared with what. */
export function CheckedPanel({ checked }: { checked: Solvency['checked'] }) {
  return (
    <Panel title="Books last found right">
      {checked === null ? (
        <ListState icon={<IconShieldCheck size={20} stroke={1.5} />} title="Not checked yet">
          The first check follows the first session whose fees are shared.
        </ListState>
      ) : (
        <>
          <KeyValues
            rule
            items={[
              ['Checked', formatDateTime(checked.at)],
              ['After the session of', formatDate(checked.session)],
              ['Found', 'Every figure agreed'],
            ]}
          />
          <Text mt={12} c="dimmed" fz="xs" lh="16px">
            Every time fees are shared, the ledger is compared with trades, income lines and pools: no fee is left over,
            each trade settled at its prices, each income was paid once, and no pool paid more than it had. Where a
            figure differs, payouts stop, and what weeks and months pay is held until the books are found right.
          </Text>
        </>
      )}
    </Panel>
  );
}
