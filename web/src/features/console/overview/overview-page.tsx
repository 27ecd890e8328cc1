import { useQuery } from '@tanstack/react-query';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { DeskError, DeskLoading } from '../kit/list-states.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { Alarms } from './alarms.tsx';
import { CoverFigures } from './cover-figures.tsx';
import { HealthPanel } from './health-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import classes from './overview.module.css';
import { QueuesPanel } from './queues-panel.tsx';
import { BooksPanel } from './reconciliation-panel.tsx';
import { TodayPanel } from './today-panel.tsx';

/** Whether it is solvent, what moved today, what waits for whom, and whether everything runs. */
export function OverviewPage() {
  const query = useQuery(overviewQuery);
  const { data: overview } = query;
  return (
    <>
      <PageHead
        title="Overview"
        facts={
          overview
            ? `As of ${formatDateTime(overview.at)}. Market day ${formatDate(overview.today.day)}${overview.simulated ? ', simulated money' : ''}.`
            : 'What is held and owed, what moves and what waits.'
        }
      />
      {overview ? (
        <>
          <Alarms overview={overview} />
          <CoverFigures overview={overview} />
          <div className={classes.columns}>
            <QueuesPanel queues={overview.queues} />
            <div className={classes.stack}>
              <TodayPanel today={overview.today} />
              <HealthPanel overview={overview} />
              <BooksPanel />
              <JobsPanel jobs={overview.jobs} />
            </div>
          </div>
        </>
      ) : query.isError ? (
        <DeskError query={query} title="The overview could not be loaded" />
      ) : (
        <DeskLoading />
      )}
    </>
  );
}
