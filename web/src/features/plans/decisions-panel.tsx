import { Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import type { PlanDecision } from '#contract/trading/plan.ts';
import { t, translate } from '../../api/texts.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { column } from '../../ui/table/columns.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import { When } from '../../ui/text/text.tsx';

const PAGE_SIZE = 10;

const columns: readonly Column<PlanDecision>[] = [
  column(t`Time, UTC`, ({ at }) => <When at={at} />, { width: '1%' }),
  column(t`Decision`, ({ words }) => translate(words)),
];

/** The strategy's decisions with their reasons, newest first, including those not to trade. */
export function DecisionsPanel({ decisions, query }: { decisions: readonly PlanDecision[]; query: ListQuery }) {
  const { shown, paging } = usePages(decisions, PAGE_SIZE);
  return (
    <Panel title={t`Decisions`} rule padded={false}>
      <DataTable
        label={t`Decisions`}
        columns={columns}
        rows={shown}
        rowKey={({ at, reason }) => `${at} ${reason}`}
        query={query}
        dense
        minHeight={160}
        paging={paging}
        mobileRow={({ at, words }) => (
          <>
            <Text size="xs" c="dimmed">
              <When at={at} /> UTC
            </Text>
            {translate(words)}
          </>
        )}
        empty={{
          icon: <IconListDetails size={20} stroke={1.5} />,
          title: t`No decisions yet`,
          text: t`The strategy decides every 15 minutes of a session. Each decision appears here with its reason.`,
        }}
      />
    </Panel>
  );
}
