import { Box } from '@mantine/core';
import { useState } from 'react';
import type { Portfolio } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { type EquityRange, equityRanges } from './equity.ts';
import { EquityChart } from './equity-chart.tsx';

export function EquityPanel({ query }: { query: ListQuery & { data: Portfolio | undefined } }) {
  const [range, setRange] = useState<EquityRange>('3M');
  return (
    <Panel
      title={t`Equity`}
      control={<Segments label={t`Period`} options={equityRanges} value={range} onChange={setRange} />}
    >
      <Box pt={12} h="100%" display="grid">
        <EquityChart query={query} range={range} withResult />
      </Box>
    </Panel>
  );
}
