import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { StaleLine, TableError } from '../../ui/table/data-table-states.tsx';
import { AnalysisExport } from './analysis-export.tsx';
import { GrowthPanel } from './growth-panel.tsx';
import { LegsPanel } from './legs-panel.tsx';
import { LevelsPanel } from './levels-panel.tsx';
import { overviewQuery } from './queries.ts';
import classes from './team-analysis-page.module.css';
import { TeamFigures } from './team-figures.tsx';
import { figuresOf } from './team-labels.ts';
import { TeamTabs } from './team-tabs.tsx';
import { TreePanel } from './tree/tree-panel.tsx';

/** The team in figures, level by level and leg by leg, as a tree, and how it grew. */
export function TeamAnalysisPage() {
  const query = useQuery(overviewQuery);
  const overview = query.data;
  return (
    <>
      <PageHead title={t`Team Analysis`} facts={figuresOf(overview)}>
        <AnalysisExport overview={overview} />
      </PageHead>
      <TeamTabs />
      {query.isError && (
        <Panel padded={false}>{overview ? <StaleLine query={query} /> : <TableError query={query} />}</Panel>
      )}
      {!(query.isError && !overview) && <TeamFigures overview={overview} />}
      {overview && (
        <div className={classes.grid}>
          <LevelsPanel overview={overview} query={query} />
          <LegsPanel overview={overview} />
          <TreePanel overview={overview} />
          <GrowthPanel overview={overview} />
        </div>
      )}
    </>
  );
}
