import { useState } from 'react';
import type { Portfolio } from '#contract/trading.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { Segments } from '../../shared/ui/segments.tsx';
import { EquityChart } from './equity-chart.tsx';
import { type EquityRange, equityRanges } from './equity-scale.ts';
import classes from './equity-panel.module.css';

export function EquityPanel({ equity }: { equity: Portfolio['equity'] }) {
  const [range, setRange] = useState<EquityRange>('3M');
  return (
    <Panel
      title="Equity"
      control={<Segments label="Period" options={equityRanges} value={range} onChange={setRange} />}
    >
      <div className={classes.chart}>
        <EquityChart equity={equity} range={range} withResult />
      </div>
    </Panel>
  );
}
